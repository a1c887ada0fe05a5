import type { ErrorValue } from '../../src-main/contract/errors.ts';
import type { CheckpointRecord } from '../../src-main/contract/events.ts';
import type { Bridge, RunRow } from '../../src-main/contract/requests.ts';
import type { MetricSummary } from '../../src-main/contract/run-record.ts';

/** One run with what its view needs in every part; follows the shell's pushes. Make it during a component's set-up. */
export class RunDetail {
	run = $state.raw<RunRow | null>(null);
	/** The configuration as it was written. */
	configText = $state('');
	/** Ids of the runs forked from this one. */
	children = $state.raw<readonly string[]>([]);
	/** By metric key, in the order of their names. */
	metrics = $state.raw<ReadonlyMap<string, MetricSummary>>(new Map());
	checkpoints = $state.raw<readonly CheckpointRecord[]>([]);
	error = $state.raw<ErrorValue | null>(null);
	readonly #bridge: Bridge;
	readonly #id: () => string;
	#round = 0;

	constructor(bridge: Bridge, id: () => string) {
		this.#bridge = bridge;
		this.#id = id;
		$effect(() => {
			void this.#load(id());
		});
		$effect(() =>
			bridge.subscribe('runs.changed', ({ ids }) => {
				if (ids.length === 0 || ids.includes(id())) this.reload();
			}),
		);
	}

	reload = (): void => void this.#load(this.#id());

	async #load(id: string): Promise<void> {
		const round = ++this.#round;
		if (this.run !== null && this.run.id !== id) this.run = null;
		const [reply, saved, keys] = await Promise.all([
			this.#bridge.request('runs.get', { id }),
			this.#bridge.request('checkpoints.list', { runId: id }),
			this.#bridge.request('metrics.keys', { runIds: [id] }),
		]);
		if (round !== this.#round) return;
		if (!reply.ok) {
			this.run = null;
			this.error = reply.error;
			return;
		}
		this.error = null;
		this.run = reply.result.run;
		this.configText = reply.result.configText;
		this.children = reply.result.children;
		if (saved.ok) this.checkpoints = saved.result.checkpoints;
		if (keys.ok)
			this.metrics = new Map(
				keys.result.keys.flatMap(({ key, summaries }) => {
					const summary = summaries[id];
					return summary === undefined ? [] : [[key, summary] as const];
				}),
			);
	}
}
