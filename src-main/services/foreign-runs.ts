/** Runs that other processes drive (a terminal), as the database shows them: what changed, and how far they are. */
import type { Pushes, RunProgress } from '../contract/requests.ts';
import type { RunRecord } from '../contract/run-record.ts';
import type { Store } from '../store/index.ts';

export interface ForeignChanges {
	revision: number;
	runIds: string[];
	/** New steps of runs that go on, with their metric values. */
	steps: Pushes['run.step'][];
}

export function describeRunProgress(run: RunRecord): RunProgress {
	return {
		runId: run.id,
		phase: run.step === 0 ? 'loading' : 'generating',
		step: run.step,
		totalSteps: run.totalSteps,
		detail: `in another process (${run.pid ?? 'unknown'})`,
		done: 0,
		total: 0,
		sinceMs: run.heartbeatAtMs ?? run.createdAtMs,
		secondsLeft: timeLeft(run),
		tokensPerSecond: null,
	};
}

function timeLeft({ startedAtMs, heartbeatAtMs, step, totalSteps }: RunRecord): number | null {
	if (startedAtMs === null || heartbeatAtMs === null || step === 0) return null;
	const perStep = Math.max(0, heartbeatAtMs - startedAtMs) / 1000 / step;
	return Math.max(0, perStep * (totalSteps - step));
}

export class ForeignRuns {
	readonly #store: Store;
	readonly #ownRuns: () => readonly string[];
	#revision: number;
	/** Last step told of, by run. */
	readonly #steps = new Map<string, number>();
	#live = new Map<string, RunProgress>();

	constructor(store: Store, ownRuns: () => readonly string[]) {
		this.#store = store;
		this.#ownRuns = ownRuns;
		this.#revision = store.revision();
		this.#refresh(store.listRuns({ include: 'all', keys: [] }).runs);
	}

	live(): ReadonlyMap<string, RunProgress> {
		return this.#live;
	}

	/** What happened since the last look. */
	look(): ForeignChanges {
		const changes = this.#store.changesSince(this.#revision);
		this.#revision = changes.revision;
		const own = new Set(this.#ownRuns());
		const runIds = changes.runIds.filter((id) => !own.has(id));
		if (runIds.length === 0) return { ...changes, runIds, steps: [] };
		const { runs } = this.#store.listRuns({ include: 'all', keys: [], ids: runIds });
		this.#refresh(runs);
		const steps = runs.flatMap((run) => {
			const before = this.#steps.get(run.id) ?? 0;
			this.#steps.set(run.id, run.step);
			return run.status === 'running' && run.step > before ? [this.#stepOf(run)] : [];
		});
		return { revision: changes.revision, runIds, steps };
	}

	#refresh(runs: readonly RunRecord[]): void {
		const live = new Map(this.#live);
		for (const run of runs) {
			if (run.status === 'running') live.set(run.id, describeRunProgress(run));
			else live.delete(run.id);
		}
		this.#live = live;
	}

	/** The values of the run's last step. */
	#stepOf(run: RunRecord): Pushes['run.step'] {
		const { keys } = this.#store.metricKeys([run.id]);
		const values = keys.flatMap(({ key, summaries }) => {
			const summary = summaries[run.id];
			if (summary?.lastStep !== run.step) return [];
			return [{ key, value: summary.last ?? NaN }];
		});
		const first = values[0];
		const points = first === undefined ? null : this.#store.metricPoints(run.id, first.key);
		return {
			runId: run.id,
			step: run.step,
			envStep: run.envStep,
			epoch: points?.epoch.at(-1) ?? 0,
			wallTimeMs: points?.wallTimeMs.at(-1) ?? run.heartbeatAtMs ?? run.createdAtMs,
			purpose: 'train',
			values,
		};
	}
}
