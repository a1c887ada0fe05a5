/**
 * The part of Electron that the desktop shell uses. `main.ts` hands over the real one, which the compiler
 * checks against these shapes by `electron.d.ts`; tests hand over a stand-in of the same shapes.
 */
/* eslint-disable @typescript-eslint/unified-signatures -- electron.d.ts declares each event by itself, and a union of them does not match it */
import type {
	MenuItemConstructorOptions,
	MessageBoxOptions,
	OpenDialogOptions,
	Rectangle,
	WebPreferences,
} from 'electron';

export interface Preventable {
	preventDefault: () => void;
}

export interface ContentsApi {
	readonly id: number;
	send(channel: string, ...values: unknown[]): void;
	getURL(): string;
	isDestroyed(): boolean;
	reload(): void;
	forcefullyCrashRenderer(): void;
	setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void;
	on(event: 'will-navigate', listener: (details: Preventable & { url: string }) => void): unknown;
	on(
		event: 'will-frame-navigate',
		listener: (details: Preventable & { url: string }) => void,
	): unknown;
	on(event: 'will-redirect', listener: (details: Preventable & { url: string }) => void): unknown;
	on(event: 'will-attach-webview', listener: (event: Preventable) => void): unknown;
	on(
		event: 'render-process-gone',
		listener: (event: unknown, details: { reason: string; exitCode: number }) => void,
	): unknown;
	on(event: 'dom-ready', listener: () => void): unknown;
	on(event: 'destroyed', listener: () => void): unknown;
}

export interface WindowApi {
	readonly webContents: ContentsApi;
	loadURL(url: string): Promise<void>;
	show(): void;
	hide(): void;
	focus(): void;
	close(): void;
	destroy(): void;
	restore(): void;
	maximize(): void;
	isMinimized(): boolean;
	isMaximized(): boolean;
	isVisible(): boolean;
	isDestroyed(): boolean;
	getNormalBounds(): Rectangle;
	setProgressBar(progress: number): void;
	once(event: 'ready-to-show', listener: () => void): unknown;
	on(event: 'close', listener: (event: Preventable) => void): unknown;
	on(event: 'query-session-end', listener: (event: Preventable) => void): unknown;
	on(event: 'closed', listener: () => void): unknown;
	on(event: 'unresponsive', listener: () => void): unknown;
	on(event: 'responsive', listener: () => void): unknown;
}

export interface WindowOptions extends Partial<Rectangle> {
	minWidth: number;
	minHeight: number;
	show: false;
	title: string;
	backgroundColor: string;
	icon?: string;
	webPreferences: WebPreferences;
}

interface AppApi {
	readonly isPackaged: boolean;
	quit(): void;
	exit(code: number): void;
	getPath(name: 'userData' | 'appData' | 'downloads'): string;
	setPath(name: 'userData', path: string): void;
	setName(name: string): void;
	setAppUserModelId(id: string): void;
	enableSandbox(): void;
	requestSingleInstanceLock(data: Record<string, unknown>): boolean;
	whenReady(): Promise<void>;
	getGPUFeatureStatus(): object;
	on(
		event: 'second-instance',
		listener: (event: unknown, argv: string[], folder: string, data: unknown) => void,
	): unknown;
	on(event: 'open-file', listener: (event: Preventable, path: string) => void): unknown;
	on(event: 'before-quit', listener: (event: Preventable) => void): unknown;
	on(event: 'will-quit', listener: (event: Preventable) => void): unknown;
	on(event: 'window-all-closed', listener: () => void): unknown;
	on(event: 'activate', listener: () => void): unknown;
	on(
		event: 'child-process-gone',
		listener: (event: unknown, details: { type: string; reason: string; exitCode: number }) => void,
	): unknown;
	on(
		event: 'web-contents-created',
		listener: (event: unknown, contents: ContentsApi) => void,
	): unknown;
}

interface DownloadApi {
	getURL(): string;
}

export interface SessionApi {
	setPermissionRequestHandler(
		handler: (contents: unknown, permission: string, answer: (granted: boolean) => void) => void,
	): void;
	setPermissionCheckHandler(handler: () => boolean): void;
	setDevicePermissionHandler(handler: () => boolean): void;
	setSpellCheckerEnabled(enable: boolean): void;
	on(event: 'will-download', listener: (event: Preventable, item: DownloadApi) => void): unknown;
}

export interface InvokeEvent {
	readonly sender: { readonly id: number };
	/** Null after the frame went away. */
	readonly senderFrame: { readonly url: string; readonly parent: object | null } | null;
}

export interface IpcApi {
	handle(
		channel: string,
		listener: (event: InvokeEvent, ...values: unknown[]) => Promise<unknown>,
	): void;
	removeHandler(channel: string): void;
	on(channel: string, listener: (event: InvokeEvent, ...values: unknown[]) => void): unknown;
	removeListener(
		channel: string,
		listener: (event: InvokeEvent, ...values: unknown[]) => void,
	): unknown;
}

export interface UtilityChild {
	readonly pid: number | undefined;
	readonly stdout: NodeJS.ReadableStream | null;
	readonly stderr: NodeJS.ReadableStream | null;
	postMessage(message: unknown): void;
	kill(): boolean;
	on(event: 'message', listener: (message: unknown) => void): unknown;
	once(event: 'exit', listener: (code: number) => void): unknown;
}

export interface UtilityProcessApi {
	fork(
		path: string,
		args: string[],
		options: { serviceName: string; stdio: 'pipe'; env: NodeJS.ProcessEnv },
	): UtilityChild;
}

export interface TrayApi<Menu> {
	setToolTip(text: string): void;
	setContextMenu(menu: Menu): void;
	on(event: 'click', listener: () => void): unknown;
	destroy(): void;
}

export interface ElectronApi<Menu = unknown> {
	app: AppApi;
	BrowserWindow: new (options: WindowOptions) => WindowApi;
	Menu: {
		buildFromTemplate(template: MenuItemConstructorOptions[]): Menu;
		setApplicationMenu(menu: Menu): void;
	};
	Tray: new (icon: string) => TrayApi<Menu>;
	clipboard: { writeText(text: string): unknown };
	dialog: {
		showMessageBox(options: MessageBoxOptions): Promise<{ response: number }>;
		showErrorBox(title: string, content: string): void;
		showOpenDialog(options: OpenDialogOptions): Promise<{ canceled: boolean; filePaths: string[] }>;
	};
	ipcMain: IpcApi;
	powerMonitor: {
		on(event: 'suspend', listener: () => void): unknown;
		on(event: 'resume', listener: () => void): unknown;
		on(event: 'shutdown', listener: () => void): unknown;
	};
	powerSaveBlocker: { start(type: 'prevent-app-suspension'): number; stop(id: number): unknown };
	protocol: {
		registerSchemesAsPrivileged(
			schemes: { scheme: string; privileges: Record<string, boolean> }[],
		): void;
		handle(scheme: string, handler: (request: Request) => Promise<Response>): void;
	};
	screen: { getAllDisplays(): { workArea: Rectangle }[] };
	session: { defaultSession: SessionApi };
	shell: { openExternal(url: string): Promise<void>; showItemInFolder(path: string): void };
	utilityProcess: UtilityProcessApi;
}
