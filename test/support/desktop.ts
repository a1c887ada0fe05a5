/** The desktop shell on a stand-in for Electron and in-memory records, for tests. */
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFile } from '../../src-main/shell/electron/log-file.ts';
import { startDesktop } from '../../src-main/shell/electron/desktop.ts';
import type { ServiceContext } from '../../src-main/services/context.ts';
import { standInContext } from './stand-in-context.ts';
import type { StandInWindow } from './stand-in-electron.ts';
import { standInElectron } from './stand-in-electron.ts';

export async function desktopForTest(
	options: { argv?: string[]; parts?: Partial<ServiceContext>; first?: boolean } = {},
) {
	const folder = mkdtempSync(join(tmpdir(), 'grove-desktop-'));
	const rendererFolder = join(folder, 'renderer');
	mkdirSync(rendererFolder);
	writeFileSync(join(rendererFolder, 'index.html'), '<!doctype html><title>Grove</title>');
	writeFileSync(join(folder, 'secret.txt'), 'secret');
	const made = standInContext({ importAnyFile: true, ...options.parts });
	made.context.app.shell = 'electron';
	const standIn = standInElectron();
	standIn.electron.app.first = options.first ?? true;
	const own = new Set<string>();
	const { runs } = made.context;
	runs.own = () => [...own];
	runs.pause = ({ id }) => {
		own.delete(id);
		return Promise.resolve({ status: 'paused' });
	};
	runs.stop = ({ id }) => {
		own.delete(id);
		return Promise.resolve({ status: 'stopped' });
	};
	let opened = 0;
	let closed = 0;
	const logFile = join(folder, 'logs', 'grove.log');
	const log = new LogFile(logFile);
	const started = await startDesktop({
		electron: standIn.electron,
		argv: options.argv ?? ['grove'],
		folder,
		openContext: () => {
			opened++;
			return Promise.resolve({
				context: made.context,
				close: () => {
					closed++;
					return Promise.resolve();
				},
			});
		},
		rendererFolder,
		places: {
			preload: join(folder, 'preload.cjs'),
			icon: join(folder, 'icon.png'),
			stateFile: join(folder, 'window-state.json'),
		},
		logFile,
		log,
	});
	return {
		...standIn,
		app: standIn.electron.app,
		context: made.context,
		faults: made.faults,
		folder,
		logFile,
		log,
		started,
		/** Runs that this application trains. */
		own,
		opened: standIn.opened,
		workspace: { opened: () => opened, closed: () => closed },
		window: (index = -1): StandInWindow => {
			const window = standIn.windows.at(index);
			if (window === undefined) throw new Error('no window was opened');
			return window;
		},
		dispose: () => {
			for (const window of standIn.windows) if (!window.destroyed) window.destroy();
			made.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
export type DesktopForTest = Awaited<ReturnType<typeof desktopForTest>>;
