import type { ServiceContext } from '../../services/context.ts';
import { homeAddress } from './channels.ts';
import type { ElectronApi, WindowApi } from './electron-api.ts';
import { serveWindow } from './ipc.ts';
import type { LogLevel } from './log-file.ts';
import { recoverWindow } from './recovery.ts';
import { readWindowState, writeWindowState } from './window-state.ts';

export interface WindowPlaces {
	/** The preload script, one CommonJS file. */
	preload: string;
	icon: string;
	/** Where position and size are kept. */
	stateFile: string;
}

export interface OpenWindowOptions {
	electron: Pick<ElectronApi, 'BrowserWindow' | 'app' | 'dialog' | 'ipcMain' | 'screen'>;
	context: ServiceContext;
	places: WindowPlaces;
	log: (level: LogLevel, text: string) => void;
	/** A view such as `#/runs`. */
	view: string;
}

/** Opens the window where it was last, shows it when its first picture is there, and serves its requests. */
export function openWindow(options: OpenWindowOptions): WindowApi {
	const { electron, context, places, log } = options;
	const screens = electron.screen.getAllDisplays().map(({ workArea }) => workArea);
	const state = readWindowState(places.stateFile, screens);
	const bounds =
		state === null
			? { width: 1360, height: 860 }
			: { x: state.x, y: state.y, width: state.width, height: state.height };
	const window = new electron.BrowserWindow({
		...bounds,
		minWidth: 720,
		minHeight: 480,
		show: false,
		title: 'Grove',
		backgroundColor: '#16181c',
		icon: places.icon,
		webPreferences: {
			preload: places.preload,
			sandbox: true,
			contextIsolation: true,
			nodeIntegration: false,
			nodeIntegrationInWorker: false,
			nodeIntegrationInSubFrames: false,
			webSecurity: true,
			webviewTag: false,
			allowRunningInsecureContent: false,
			navigateOnDragDrop: false,
			spellcheck: false,
		},
	});
	if (state?.maximized === true) window.maximize();
	window.once('ready-to-show', () => {
		window.show();
	});
	const stopServing = serveWindow(electron.ipcMain, window.webContents, context);
	recoverWindow({
		electron,
		window,
		log,
		note: (text) => {
			context.publisher.publish('notice', { level: 'warning', text });
		},
	});
	window.on('close', () => {
		writeWindowState(places.stateFile, {
			...window.getNormalBounds(),
			maximized: window.isMaximized(),
		});
	});
	window.on('closed', stopServing);
	window.loadURL(homeAddress + options.view).catch((error: unknown) => {
		log('error', `window-load ${String(error)}`);
	});
	return window;
}
