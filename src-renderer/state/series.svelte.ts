import { untrack } from 'svelte';
import type { ErrorValue } from '../../src-main/contract/errors.ts';
import type { Bridge, Pushes, Series, Smoothing, XAxis } from '../../src-main/contract/requests.ts';
import { appendPoint } from '../logic/chart/append.ts';

export interface SeriesWish {
	runIds: readonly string[];
	keys: readonly string[];
	x: XAxis;
	smoothing: Smoothing;
	range: { from: number; to: number } | null;
	buckets: number;
	/** False while the chart is out of sight: nothing is asked then. */
	active: boolean;
}

const settleMs = 60;
/** A line that cannot be appended to here is read again, at most this often. */
const rereadMs = 2_500;

/**
 * Keeps the series that a chart wishes for: asks when the wish changes, drops answers that came too
 * late, and appends live steps. Make it during a component's set-up.
 */
export class SeriesFeed {
	series = $state.raw<readonly Series[]>([]);
	error = $state.raw<ErrorValue | null>(null);
	/** Nothing has come yet. */
	waiting = $state(true);
	/** An answer is on its way. */
	loading = $state(false);
	readonly #bridge: Bridge;
	readonly #wish: () => SeriesWish;
	#round = 0;
	#reread: number | undefined;

	constructor(bridge: Bridge, wish: () => SeriesWish) {
		this.#bridge = bridge;
		this.#wish = wish;
		const asked = $derived(JSON.stringify(wish()));
		$effect(() => {
			void asked;
			const present = untrack(wish);
			if (!present.active) return;
			const timer = window.setTimeout(() => void this.#load(present), settleMs);
			return () => window.clearTimeout(timer);
		});
		$effect(() => {
			const off = bridge.subscribe('run.step', (step) => this.#onStep(step));
			return () => {
				off();
				window.clearTimeout(this.#reread);
			};
		});
	}

	retry = (): void => void this.#load(this.#wish());

	async #load(wish: SeriesWish): Promise<void> {
		const round = ++this.#round;
		if (wish.runIds.length === 0 || wish.keys.length === 0) {
			this.series = [];
			this.waiting = false;
			return;
		}
		this.loading = true;
		const reply = await this.#bridge.request('metrics.series', {
			runIds: [...wish.runIds].slice(0, 200),
			keys: [...wish.keys].slice(0, 200),
			x: wish.x,
			smoothing: wish.smoothing,
			buckets: wish.buckets,
			...(wish.range === null ? {} : wish.range),
		});
		if (round !== this.#round) return;
		this.loading = false;
		this.waiting = false;
		if (reply.ok) {
			this.error = null;
			this.series = reply.result.series;
		} else this.error = reply.error;
	}

	#onStep(step: Pushes['run.step']): void {
		const wish = this.#wish();
		if (!wish.active || !wish.runIds.includes(step.runId)) return;
		const news = step.values.filter(({ key }) => wish.keys.includes(key));
		if (news.length === 0) return;
		const x = liveX(step, wish.x);
		if (x !== null && wish.range !== null && x > wish.range.to) return;
		if (x === null || wish.smoothing.kind !== 'none' || !this.#append(step.runId, x, news)) {
			this.#reread ??= window.setTimeout(() => {
				this.#reread = undefined;
				void this.#load(this.#wish());
			}, rereadMs);
		}
	}

	#append(runId: string, x: number, news: readonly { key: string; value: number }[]): boolean {
		const next = [...this.series];
		for (const { key, value } of news) {
			const at = next.findIndex((series) => series.runId === runId && series.key === key);
			const known = next[at];
			const appended = known === undefined ? null : appendPoint(known, x, value);
			if (appended === null) return false;
			next[at] = appended;
		}
		this.series = next;
		return true;
	}
}

/** X of a live step; null where only the shell knows it. */
function liveX(step: Pushes['run.step'], x: XAxis): number | null {
	if (x === 'step') return step.step;
	if (x === 'envStep') return step.envStep;
	if (x === 'epoch') return step.epoch;
	return x === 'wall' ? step.wallTimeMs : null;
}
