/** What shows outside of the window while runs train: the progress on the dock or task bar, and a tray icon. */
import type { MenuItemConstructorOptions } from 'electron';
import type { RunProgress } from '../../contract/requests.ts';
import type { ServiceContext } from '../../services/context.ts';
import type { ElectronApi, TrayApi, WindowApi } from './electron-api.ts';

/** Done share of all runs together, from 0 to 1; −1 (no bar) where nothing runs. */
function overallProgress(live: Iterable<RunProgress>): number {
	let done = 0;
	let total = 0;
	for (const { step, totalSteps } of live) {
		done += step;
		total += totalSteps;
	}
	return total > 0 ? Math.min(1, done / total) : -1;
}

export class Background<Menu> {
	readonly #electron: ElectronApi<Menu>;
	readonly #context: ServiceContext;
	readonly #window: () => WindowApi | null;
	readonly #icon: string;
	readonly #show: () => void;
	readonly #stopListening: () => void;
	#blocker: number | null = null;
	#tray: TrayApi<Menu> | null = null;

	constructor(options: {
		electron: ElectronApi<Menu>;
		context: ServiceContext;
		window: () => WindowApi | null;
		icon: string;
		show: () => void;
	}) {
		this.#electron = options.electron;
		this.#context = options.context;
		this.#window = options.window;
		this.#icon = options.icon;
		this.#show = options.show;
		this.#stopListening = options.context.publisher.listen((push) => {
			if (push.name === 'run.progress' || push.name === 'runs.changed') this.update();
		});
	}

	#mayKeepAwake(): boolean {
		const { entries } = this.#context.records.listSaved('setting');
		return entries.find(({ name }) => name === 'keep-awake')?.value !== 'false';
	}

	/** Brings bar, tray and power saving in line with what runs. */
	update(): void {
		const live = this.#context.runs.live();
		const progress = overallProgress(live.values());
		const window = this.#window();
		if (window !== null && !window.isDestroyed()) window.setProgressBar(progress);
		const text =
			live.size === 0 ? 'Grove' : `Grove: ${live.size} training, ${Math.floor(progress * 100)} %`;
		this.#tray?.setToolTip(text);

		const awake = this.#context.runs.own().length > 0 && this.#mayKeepAwake();
		const { powerSaveBlocker } = this.#electron;
		if (awake && this.#blocker === null)
			this.#blocker = powerSaveBlocker.start('prevent-app-suspension');
		else if (!awake && this.#blocker !== null) {
			powerSaveBlocker.stop(this.#blocker);
			this.#blocker = null;
		}
	}

	/** Puts an icon where a person finds the application again after its window is hidden. */
	showTray(): void {
		if (this.#tray !== null) return;
		const tray = new this.#electron.Tray(this.#icon);
		const template: MenuItemConstructorOptions[] = [
			{ label: 'Show Grove', click: this.#show },
			{
				label: 'Quit',
				click: () => {
					this.#electron.app.quit();
				},
			},
		];
		tray.setContextMenu(this.#electron.Menu.buildFromTemplate(template));
		tray.on('click', this.#show);
		this.#tray = tray;
		this.update();
	}

	hideTray(): void {
		this.#tray?.destroy();
		this.#tray = null;
	}

	close(): void {
		this.#stopListening();
		this.hideTray();
		if (this.#blocker !== null) this.#electron.powerSaveBlocker.stop(this.#blocker);
		this.#blocker = null;
	}
}
