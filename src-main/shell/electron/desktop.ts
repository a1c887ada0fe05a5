/**
 * The desktop application: one window on the services, for one workspace. Everything of Electron comes in
 * as an argument, so that tests run this very code on a stand-in.
 */
import { dirname } from 'node:path';
import type { ServiceContext } from '../../services/context.ts';
import { RendererFiles } from '../renderer-files.ts';
import { answerApp, schemePrivileges } from './app-protocol.ts';
import { Background } from './background.ts';
import { appScheme, homeAddress } from './channels.ts';
import { confine } from './confinement.ts';
import { diagnosticsText } from './diagnostics.ts';
import type { ElectronApi, Preventable, WindowApi } from './electron-api.ts';
import { ExternalLinks } from './external-links.ts';
import { askToLeave, endOwnRuns } from './leaving.ts';
import type { LogFile } from './log-file.ts';
import { menuTemplate } from './menu.ts';
import { filesOf, openableExtensions, openFile } from './open-arguments.ts';
import { watchChildren } from './recovery.ts';
import type { WindowPlaces } from './window.ts';
import { openWindow } from './window.ts';

/** How long a session that ends (log-out, shutdown) is used to save checkpoints. */
const sessionEndMs = 8_000;

export interface DesktopOptions<Menu> {
	electron: ElectronApi<Menu>;
	/** The command line that the application was started with, and where. */
	argv: readonly string[];
	folder: string;
	/** Opens the workspace; called only by the first instance. */
	openContext: () => Promise<{ context: ServiceContext; close: () => Promise<void> }>;
	rendererFolder: string;
	places: WindowPlaces;
	logFile: string;
	log: LogFile;
}

/** Starts the application. Resolves to false where another instance has the workspace and was told instead. */
export async function startDesktop<Menu>(options: DesktopOptions<Menu>): Promise<boolean> {
	const { electron, log } = options;
	const { app } = electron;
	app.enableSandbox();
	// Before anything is opened: a second start must not touch the workspace of the first.
	if (!app.requestSingleInstanceLock({ argv: options.argv, folder: options.folder })) {
		app.quit();
		return false;
	}
	electron.protocol.registerSchemesAsPrivileged([schemePrivileges]);

	const early = filesOf(options.argv, options.folder);
	let receive = (files: readonly string[]): void => void early.push(...files);
	app.on('second-instance', (_event, argv, folder) => {
		receive(filesOf(argv, folder));
	});
	app.on('open-file', (event, path) => {
		event.preventDefault();
		receive([path]);
	});

	await app.whenReady();
	confine(electron, new ExternalLinks(electron));
	watchChildren(electron, (level, text) => {
		log.write(level, text);
	});
	const workspace = await options.openContext();
	const desktop = new Desktop(options, workspace.context, workspace.close);
	receive = (files) => void desktop.receive(files);
	if (early.length > 0) await desktop.receive(early);
	return true;
}

class Desktop<Menu> {
	readonly #options: DesktopOptions<Menu>;
	readonly #context: ServiceContext;
	readonly #closeContext: () => Promise<void>;
	readonly #background: Background<Menu>;
	#window: WindowApi | null = null;
	/** `asking`: a question is open. `leaving`: nothing is asked any more. `closed`: all is tidied up. */
	#state: 'running' | 'asking' | 'leaving' | 'closed' = 'running';

	constructor(
		options: DesktopOptions<Menu>,
		context: ServiceContext,
		closeContext: () => Promise<void>,
	) {
		this.#options = options;
		this.#context = context;
		this.#closeContext = closeContext;
		const { electron, places, rendererFolder } = options;
		const files = new RendererFiles(rendererFolder);
		electron.protocol.handle(appScheme, (request) => answerApp(request, files, context.files));
		this.#background = new Background({
			electron,
			context,
			window: () => this.#window,
			icon: places.icon,
			show: () => this.show(),
		});
		const template = menuTemplate({
			go: (view) => this.show(view),
			openFile: () => void this.#chooseFile(),
			copyDiagnostics: () => this.#copyDiagnostics(),
			showLogs: () => electron.shell.showItemInFolder(options.logFile),
		});
		electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(template));
		this.#watchSession();
		this.show();
	}

	#watchSession(): void {
		const { app, powerMonitor } = this.#options.electron;
		app.on('activate', () => this.show());
		app.on('window-all-closed', () => {
			if (process.platform !== 'darwin' || this.#state === 'leaving') app.quit();
		});
		app.on('before-quit', (event) => {
			if (this.#state === 'leaving' || this.#state === 'closed') return;
			if (this.#context.runs.own().length === 0) return;
			event.preventDefault();
			void this.#leave();
		});
		app.on('will-quit', (event) => {
			if (this.#state === 'closed') return;
			event.preventDefault();
			void this.#close().then(() => {
				app.quit();
			});
		});
		powerMonitor.on('suspend', () => this.#options.log.write('info', 'suspend'));
		// What happened meanwhile (a run of another process, a socket gone quiet) is read again.
		powerMonitor.on('resume', () => {
			this.#options.log.write('info', 'resume');
			const revision = this.#context.records.revision();
			this.#context.publisher.publish('runs.changed', { ids: [], revision });
		});
		powerMonitor.on('shutdown', () => void this.#endSession());
	}

	/** The session ends and takes us along: checkpoints are saved as far as time allows. */
	async #endSession(): Promise<void> {
		if (this.#state === 'leaving' || this.#state === 'closed') return;
		this.#state = 'leaving';
		await endOwnRuns(this.#context, 'pause', sessionEndMs);
		this.#options.electron.app.quit();
	}

	/** Brings the window up, opening it where there is none, at a view where one is given. */
	show(view = ''): void {
		this.#background.hideTray();
		const window = this.#window;
		if (window === null || window.isDestroyed()) {
			const { electron, places, log } = this.#options;
			const opened = openWindow({
				electron,
				context: this.#context,
				places,
				log: (level, text) => {
					log.write(level, text);
				},
				view,
			});
			this.#window = opened;
			opened.on('close', (event) => this.#closing(event, opened));
			opened.on('query-session-end', (event) => {
				if (this.#context.runs.own().length > 0) event.preventDefault();
				void this.#endSession();
			});
			opened.on('closed', () => {
				this.#window = null;
			});
			return;
		}
		if (window.isMinimized()) window.restore();
		window.show();
		window.focus();
		// A new fragment of the same page: the renderer shows the view, nothing is loaded again.
		if (view !== '') void window.loadURL(homeAddress + view);
	}

	#closing(event: Preventable, window: WindowApi): void {
		if (this.#state === 'leaving' || this.#state === 'closed') return;
		if (this.#context.runs.own().length === 0) return;
		event.preventDefault();
		void this.#leave(window);
	}

	/** Asks what becomes of training runs; `window` is set where only the window was to be closed. */
	async #leave(window?: WindowApi): Promise<void> {
		if (this.#state !== 'running') return;
		this.#state = 'asking';
		const decision = await askToLeave(this.#options.electron, this.#context);
		this.#state = 'running';
		if (decision === 'hide') {
			this.#background.showTray();
			this.#window?.hide();
		} else if (decision === 'leave') {
			if (window !== undefined) window.close();
			else {
				this.#state = 'leaving';
				this.#options.electron.app.quit();
			}
		}
	}

	async #close(): Promise<void> {
		if (this.#state === 'closed') return;
		this.#state = 'closed';
		this.#background.close();
		try {
			await this.#closeContext();
		} catch (error) {
			this.#options.log.write('error', `close failed: ${String(error)}`);
		}
	}

	/** Opens files that came by the command line, a second start or the file manager. */
	async receive(files: readonly string[]): Promise<void> {
		let view = '';
		for (const file of files) view = await openFile(file, this.#context);
		this.show(view);
	}

	async #chooseFile(): Promise<void> {
		const { canceled, filePaths } = await this.#options.electron.dialog.showOpenDialog({
			title: 'Open a configuration or import runs',
			filters: [{ name: 'Grove', extensions: [...openableExtensions] }],
			properties: ['openFile', 'multiSelections'],
		});
		if (!canceled) await this.receive(filePaths);
	}

	#copyDiagnostics(): void {
		const { electron, log } = this.#options;
		electron.clipboard.writeText(
			diagnosticsText({
				version: this.#context.app.version,
				gpu: electron.app.getGPUFeatureStatus(),
				entries: log.last(200),
			}),
		);
		this.#context.publisher.publish('notice', {
			level: 'info',
			text: `Copied, without any of your texts. The whole log lies in ${dirname(this.#options.logFile)}.`,
		});
	}
}
