/** A window that crashed or hangs comes back; training, in its own processes, goes on meanwhile. */
import type { ElectronApi, WindowApi } from './electron-api.ts';
import type { LogLevel } from './log-file.ts';

/** Crashes within this time after which the window is no longer loaded again by itself. */
const crashesTolerated = 3;
const withinMs = 5 * 60_000;

export interface RecoveryOptions {
	electron: Pick<ElectronApi, 'dialog' | 'app'>;
	window: WindowApi;
	log: (level: LogLevel, text: string) => void;
	/** Shows a note in the window once it is back. */
	note: (text: string) => void;
	now?: () => number;
}

export function recoverWindow({
	electron,
	window,
	log,
	note,
	now = Date.now,
}: RecoveryOptions): void {
	const { webContents } = window;
	let crashes: number[] = [];

	webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
		if (reason === 'clean-exit' || window.isDestroyed()) return;
		log('error', `window-crashed ${reason} ${exitCode}`);
		crashes = [...crashes, now()].filter((time) => now() - time < withinMs);
		if (crashes.length <= crashesTolerated) {
			webContents.reload();
			note('The window had crashed and was loaded again. Training was not touched.');
			return;
		}
		void electron.dialog
			.showMessageBox({
				type: 'error',
				message: 'The window keeps crashing.',
				detail:
					'Training goes on in the background. Help › Copy Diagnostics gives what a bug report needs.',
				buttons: ['Load Again', 'Quit'],
				defaultId: 0,
				cancelId: 0,
			})
			.then(({ response }) => {
				crashes = [];
				if (response === 1) electron.app.quit();
				else if (!window.isDestroyed()) webContents.reload();
			});
	});

	let asking: AbortController | undefined;
	window.on('unresponsive', () => {
		if (asking !== undefined) return;
		log('warning', 'window-hangs');
		asking = new AbortController();
		void electron.dialog
			.showMessageBox({
				type: 'warning',
				message: 'The window does not answer.',
				detail: 'Training is not touched either way.',
				buttons: ['Wait', 'Load Again'],
				defaultId: 0,
				cancelId: 0,
				signal: asking.signal,
			})
			.then(({ response }) => {
				asking = undefined;
				// A hanging page takes no order to reload; its process is ended, and comes back as after a crash.
				if (response === 1 && !window.isDestroyed()) webContents.forcefullyCrashRenderer();
			});
	});
	// The question goes away with its reason; it then counts as answered with Wait.
	window.on('responsive', () => asking?.abort());
}

/** Says once that the graphics process crashed; Chromium starts it again, in software if need be. */
export function watchChildren(
	{ app }: Pick<ElectronApi, 'app'>,
	log: (level: LogLevel, text: string) => void,
): void {
	app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
		if (reason !== 'clean-exit' && reason !== 'killed')
			log('warning', `process-gone ${type} ${reason} ${exitCode}`);
	});
}
