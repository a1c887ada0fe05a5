import { createContext } from 'svelte';
import type { AppInfo } from '../../src-main/contract/requests.ts';
import type { Connection, LinkState } from '../bridge/connection.ts';
import { ChartSettings } from './chart-settings.svelte.ts';
import { ChartLink } from './chart-link.svelte.ts';
import { Notices } from './notices.svelte.ts';
import { Preferences } from './preferences.svelte.ts';
import { Router } from './router.svelte.ts';
import { Runs } from './runs.svelte.ts';
import { Theme } from './theme.svelte.ts';

/** Everything the views share, handed down by context. */
export class App {
	readonly bridge: Connection;
	readonly router = new Router();
	readonly notices = new Notices();
	readonly preferences: Preferences;
	readonly theme: Theme;
	readonly runs: Runs;
	/** Zoom and cursor that all charts share. */
	readonly chartLink = new ChartLink();
	readonly chartSettings: ChartSettings;
	link = $state<LinkState>('connecting');
	info = $state.raw<AppInfo | null>(null);

	constructor(bridge: Connection) {
		this.bridge = bridge;
		this.preferences = new Preferences(bridge);
		this.theme = new Theme(this.preferences);
		this.chartSettings = new ChartSettings(this.preferences);
		this.runs = new Runs(bridge, this.preferences);
	}

	/** Connects the parts to the shell and the window; returns the "off". */
	start(): () => void {
		let wasLost = false;
		const offs = [
			this.router.start(),
			this.theme.start(),
			this.runs.start(),
			this.bridge.subscribe('notice', ({ level, text }) => this.notices.add(level, text)),
			this.bridge.watchLink((state) => {
				this.link = state;
				// What was pushed meanwhile is lost: read the present state again.
				if (state === 'open' && wasLost) void this.runs.load();
				wasLost = state === 'lost';
			}),
		];
		void this.#load();
		return () => {
			for (const off of offs) off();
		};
	}

	async #load(): Promise<void> {
		const info = this.bridge.request('app.info', {});
		await this.preferences.load();
		await this.runs.load();
		const reply = await info;
		if (!reply.ok) return;
		this.info = reply.result;
		for (const text of reply.result.notices) this.notices.add('warning', text);
	}
}

const [getApp, setApp] = createContext<App>();
export { getApp, setApp };
