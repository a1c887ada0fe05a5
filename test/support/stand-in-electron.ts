/** The part of Electron that the desktop shell uses, in memory: what was asked of it is written down, its events are made by tests. */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { MenuItemConstructorOptions, MessageBoxOptions, Rectangle } from 'electron';
import type {
	ContentsApi,
	ElectronApi,
	InvokeEvent,
	TrayApi,
	UtilityChild,
	WindowApi,
	WindowOptions,
} from '../../src-main/shell/electron/electron-api.ts';

export type Template = MenuItemConstructorOptions[];

let nextId = 1;

export class StandInContents extends EventEmitter implements ContentsApi {
	readonly id = nextId++;
	url = 'app://grove/index.html';
	reloads = 0;
	crashed = 0;
	sent: { channel: string; values: unknown[] }[] = [];
	openHandler: ((details: { url: string }) => { action: 'deny' }) | undefined;

	send(channel: string, ...values: unknown[]): void {
		// As Electron does: values are copied, and what cannot be copied throws.
		this.sent.push({ channel, values: structuredClone(values) });
	}
	getURL(): string {
		return this.url;
	}
	isDestroyed(): boolean {
		return false;
	}
	reload(): void {
		this.reloads++;
	}
	forcefullyCrashRenderer(): void {
		this.crashed++;
	}
	setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void {
		this.openHandler = handler;
	}
}

/** An event that says whether its default was prevented. */
export class StandInEvent {
	prevented = false;
	readonly url: string;
	constructor(url = '') {
		this.url = url;
	}
	readonly preventDefault = (): void => {
		this.prevented = true;
	};
}

export class StandInWindow extends EventEmitter implements WindowApi {
	readonly webContents = new StandInContents();
	readonly options: WindowOptions;
	loaded: string[] = [];
	shown = false;
	focused = 0;
	minimized = false;
	maximized = false;
	destroyed = false;
	progress = -1;
	bounds: Rectangle;

	constructor(options: WindowOptions) {
		super();
		this.options = options;
		this.bounds = { x: 10, y: 20, width: 800, height: 600 };
	}
	loadURL(url: string): Promise<void> {
		this.loaded.push(url);
		return Promise.resolve();
	}
	show(): void {
		this.shown = true;
	}
	hide(): void {
		this.shown = false;
	}
	focus(): void {
		this.focused++;
	}
	close(): void {
		const event = new StandInEvent();
		this.emit('close', event);
		if (!event.prevented) this.destroy();
	}
	destroy(): void {
		this.destroyed = true;
		this.emit('closed');
	}
	restore(): void {
		this.minimized = false;
	}
	maximize(): void {
		this.maximized = true;
	}
	isMinimized(): boolean {
		return this.minimized;
	}
	isMaximized(): boolean {
		return this.maximized;
	}
	isVisible(): boolean {
		return this.shown;
	}
	isDestroyed(): boolean {
		return this.destroyed;
	}
	getNormalBounds(): Rectangle {
		return this.bounds;
	}
	setProgressBar(progress: number): void {
		this.progress = progress;
	}
}

class StandInTray extends EventEmitter implements TrayApi<Template> {
	text = '';
	menu: Template = [];
	destroyed = false;
	setToolTip(text: string): void {
		this.text = text;
	}
	setContextMenu(menu: Template): void {
		this.menu = menu;
	}
	destroy(): void {
		this.destroyed = true;
	}
}

class StandInChild extends EventEmitter implements UtilityChild {
	pid: number | undefined = undefined;
	readonly stdout = new PassThrough();
	readonly stderr = new PassThrough();
	sent: unknown[] = [];
	postMessage(message: unknown): void {
		this.sent.push(message);
	}
	kill(): boolean {
		return true;
	}
}

class StandInApp extends EventEmitter {
	isPackaged = false;
	quits = 0;
	/** False stands for a second start. */
	first = true;
	#quitting = false;
	readonly windows: StandInWindow[];

	constructor(windows: StandInWindow[]) {
		super();
		this.windows = windows;
	}
	/** As Electron: asks, closes the windows, asks once more, and is gone. */
	quit(): void {
		if (this.#quitting) return;
		this.#quitting = true;
		const before = new StandInEvent();
		this.emit('before-quit', before);
		const stay = (): boolean => this.windows.some((window) => !window.destroyed);
		if (!before.prevented) for (const window of this.windows) if (!window.destroyed) window.close();
		this.#quitting = false;
		if (before.prevented || stay()) return;
		const will = new StandInEvent();
		this.emit('will-quit', will);
		if (!will.prevented) this.quits++;
	}
	exit(): void {
		this.quits++;
	}
	getPath(): string {
		return '/user-data';
	}
	setPath(): void {
		return;
	}
	setName(): void {
		return;
	}
	setAppUserModelId(): void {
		return;
	}
	enableSandbox(): void {
		return;
	}
	requestSingleInstanceLock(): boolean {
		return this.first;
	}
	whenReady(): Promise<void> {
		return Promise.resolve();
	}
	getGPUFeatureStatus(): object {
		return { webgl: 'enabled' };
	}
}

type Invoke = (event: InvokeEvent, ...values: unknown[]) => Promise<unknown>;

class StandInIpc extends EventEmitter {
	readonly handlers = new Map<string, Invoke>();
	handle(channel: string, listener: Invoke): void {
		if (this.handlers.has(channel)) throw new Error(`a second handler for ${channel}`);
		this.handlers.set(channel, listener);
	}
	removeHandler(channel: string): void {
		this.handlers.delete(channel);
	}
}

class StandInSession extends EventEmitter {
	permission:
		((contents: unknown, name: string, answer: (granted: boolean) => void) => void) | undefined;
	check: (() => boolean) | undefined;
	device: (() => boolean) | undefined;
	setPermissionRequestHandler(handler: NonNullable<StandInSession['permission']>): void {
		this.permission = handler;
	}
	setPermissionCheckHandler(handler: () => boolean): void {
		this.check = handler;
	}
	setDevicePermissionHandler(handler: () => boolean): void {
		this.device = handler;
	}
	setSpellCheckerEnabled(): void {
		return;
	}
}

export function standInElectron() {
	const windows: StandInWindow[] = [];
	const trays: StandInTray[] = [];
	const children: StandInChild[] = [];
	const app = new StandInApp(windows);
	const ipcMain = new StandInIpc();
	const defaultSession = new StandInSession();
	const powerMonitor = new EventEmitter();
	/** Questions asked; `answers` are given in turn, then Cancel. */
	const questions: MessageBoxOptions[] = [];
	const answers: number[] = [];
	const opened: string[] = [];
	const blockers = new Set<number>();
	let menu: Template = [];
	let protocolHandler: ((request: Request) => Promise<Response>) | undefined;
	let copied = '';

	const electron = {
		app,
		BrowserWindow: class extends StandInWindow {
			constructor(options: WindowOptions) {
				super(options);
				windows.push(this);
				app.emit('web-contents-created', {}, this.webContents);
			}
		},
		Menu: {
			buildFromTemplate: (template: Template) => template,
			setApplicationMenu: (template: Template) => {
				menu = template;
			},
		},
		Tray: class extends StandInTray {
			constructor() {
				super();
				trays.push(this);
			}
		},
		clipboard: {
			writeText: (text: string) => {
				copied = text;
			},
		},
		dialog: {
			showMessageBox: (options: MessageBoxOptions) => {
				questions.push(options);
				return Promise.resolve({ response: answers.shift() ?? options.cancelId ?? 0 });
			},
			showErrorBox: () => undefined,
			showOpenDialog: () => Promise.resolve({ canceled: true, filePaths: [] }),
		},
		ipcMain,
		powerMonitor,
		powerSaveBlocker: {
			start: () => {
				blockers.add(blockers.size + 1);
				return blockers.size;
			},
			stop: (id: number) => blockers.delete(id),
		},
		protocol: {
			registerSchemesAsPrivileged: () => undefined,
			handle: (_: string, handler: (request: Request) => Promise<Response>) => {
				protocolHandler = handler;
			},
		},
		screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
		session: { defaultSession },
		shell: {
			openExternal: (url: string) => {
				opened.push(url);
				return Promise.resolve();
			},
			showItemInFolder: () => undefined,
		},
		utilityProcess: {
			fork: () => {
				const child = new StandInChild();
				children.push(child);
				return child;
			},
		},
	} satisfies ElectronApi<Template>;

	return {
		electron,
		windows,
		trays,
		children,
		questions,
		answers,
		opened,
		blockers,
		menu: () => menu,
		copied: () => copied,
		fetch: (address: string, init?: RequestInit): Promise<Response> => {
			if (protocolHandler === undefined) throw new Error('nothing answers app://');
			return protocolHandler(new Request(address, init));
		},
		/** A request as the preload script of a window makes it. */
		invoke: (
			contents: StandInContents,
			name: unknown,
			params: unknown,
			frame: InvokeEvent['senderFrame'] = { url: contents.url, parent: null },
		): Promise<unknown> => {
			const handler = ipcMain.handlers.get('grove:request');
			if (handler === undefined) throw new Error('nothing answers requests');
			return handler(
				{ sender: contents, senderFrame: frame },
				structuredClone(name),
				structuredClone(params),
			).then((reply) => structuredClone(reply));
		},
	};
}
