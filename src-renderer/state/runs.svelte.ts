import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { ErrorValue } from '../../src-main/contract/errors.ts';
import type { Bridge, Pushes, RunProgress, RunRow } from '../../src-main/contract/requests.ts';
import { distinctNames } from '../logic/run-name.ts';
import { isTexts, type Preferences } from './preferences.svelte.ts';

export type RunsScope = 'live' | 'archived' | 'trash';

/** Runs that charts show while nothing is selected. */
const chartedByDefault = 8;
/** Keys always asked for: the first screen and the table's standing columns. The first one is the sparkline. */
const standingKeys = ['turn_1/reward_mean', 'turn_2/reward_mean', 'reward_gain'];
const refreshPauseMs = 700;

/** All runs of the workspace, as the tables and charts show them; follows the shell's pushes. */
export class Runs {
	rows = $state.raw<RunRow[]>([]);
	metricKeys = $state.raw<string[]>([]);
	loaded = $state(false);
	error = $state.raw<ErrorValue | null>(null);
	/** Selected runs: what charts and Compare show, and what actions on many act upon. */
	readonly selected = new SvelteSet<string>();
	/** Latest progress of each live run. */
	readonly progress = new SvelteMap<string, RunProgress>();
	byId = $derived(new Map(this.rows.map((run) => [run.id, run])));
	names = $derived(distinctNames(this.rows));
	/** What the charts draw: the selection, or the newest runs. */
	charted = $derived.by(() => {
		const chosen = this.rows.filter((run) => this.selected.has(run.id));
		if (chosen.length > 0) return chosen;
		return this.rows
			.filter((run) => run.deletedAtMs === null && !run.archived)
			.toSorted((a, b) => b.createdAtMs - a.createdAtMs)
			.slice(0, chartedByDefault);
	});

	readonly #bridge: Bridge;
	readonly #preferences: Preferences;
	#wantedKeys = new Set(standingKeys);
	#scope: RunsScope = 'live';
	#pending: Set<string> | 'all' | null = null;
	#timer: number | undefined;
	#round = 0;

	constructor(bridge: Bridge, preferences: Preferences) {
		this.#bridge = bridge;
		this.#preferences = preferences;
	}

	get scope(): RunsScope {
		return this.#scope;
	}

	/** Shows another part of the runs: the live ones, the archive or the trash. */
	async setScope(scope: RunsScope): Promise<void> {
		if (scope === this.#scope) return;
		this.#scope = scope;
		this.rows = [];
		this.loaded = false;
		await this.load();
	}

	/** Names metric keys whose summaries the rows must carry; reads again if one is new. */
	want(keys: readonly string[]): void {
		const before = this.#wantedKeys.size;
		for (const key of keys) this.#wantedKeys.add(key);
		if (this.#wantedKeys.size > before && this.loaded) void this.load();
	}

	async load(): Promise<void> {
		const round = ++this.#round;
		const reply = await this.#bridge.request('runs.list', {
			include: this.#scope,
			keys: [...this.#wantedKeys].slice(0, 200),
		});
		if (round !== this.#round) return;
		if (!reply.ok) {
			this.error = reply.error;
			return;
		}
		this.error = null;
		this.rows = reply.result.runs;
		this.metricKeys = reply.result.metricKeys;
		for (const run of reply.result.runs) if (run.live !== null) this.progress.set(run.id, run.live);
		if (!this.loaded) this.#restoreSelection();
		for (const id of this.selected) if (!this.byId.has(id)) this.selected.delete(id);
		this.loaded = true;
	}

	#restoreSelection(): void {
		for (const id of this.#preferences.get('selected-runs', isTexts, [])) {
			if (this.byId.has(id)) this.selected.add(id);
		}
	}

	select(ids: readonly string[], how: 'only' | 'add' | 'remove' | 'toggle'): void {
		if (how === 'only') this.selected.clear();
		for (const id of ids) {
			if (how === 'remove' || (how === 'toggle' && this.selected.has(id))) this.selected.delete(id);
			else this.selected.add(id);
		}
		this.#preferences.set('selected-runs', [...this.selected].slice(0, 1000));
	}

	/** Follows the shell; returns the "off". */
	start(): () => void {
		const offs = [
			this.#bridge.subscribe('runs.changed', (change) => this.#onChanged(change)),
			this.#bridge.subscribe('run.progress', (progress) => {
				this.progress.set(progress.runId, progress);
			}),
		];
		return () => {
			window.clearTimeout(this.#timer);
			for (const off of offs) off();
		};
	}

	/** Many changes in a row are read together, at most once per pause. */
	#onChanged({ ids }: Pushes['runs.changed']): void {
		if (ids.length === 0 || ids.length > 200) this.#pending = 'all';
		else if (this.#pending !== 'all') {
			this.#pending ??= new Set();
			for (const id of ids) this.#pending.add(id);
		}
		this.#timer ??= window.setTimeout(() => void this.#readPending(), refreshPauseMs);
	}

	async #readPending(): Promise<void> {
		const pending = this.#pending;
		this.#pending = null;
		this.#timer = undefined;
		if (pending === null) return;
		if (pending === 'all') await this.load();
		else await this.refresh([...pending]);
	}

	/** Reads some rows again; a row that the scope no longer holds leaves the list. */
	async refresh(ids: readonly string[]): Promise<void> {
		const round = this.#round;
		const reply = await this.#bridge.request('runs.list', {
			include: this.#scope,
			keys: [...this.#wantedKeys].slice(0, 200),
			ids: [...ids],
		});
		if (!reply.ok || round !== this.#round) return;
		const fresh = new Map(reply.result.runs.map((run) => [run.id, run]));
		const gone = new Set(ids.filter((id) => !fresh.has(id)));
		const kept = this.rows
			.filter((run) => !gone.has(run.id))
			.map((run) => fresh.get(run.id) ?? run);
		const known = new Set(kept.map((run) => run.id));
		this.rows = [...reply.result.runs.filter((run) => !known.has(run.id)), ...kept];
		this.metricKeys = reply.result.metricKeys;
		for (const id of gone) this.selected.delete(id);
		for (const id of ids) {
			const run = fresh.get(id);
			if (run?.live == null) this.progress.delete(id);
		}
	}
}
