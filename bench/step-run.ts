/** Steps of a run as `grove train` makes them, database and task process included, with where their time goes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunConfig, parseConfig } from '../src-main/contract/config.ts';
import type { StepRecord } from '../src-main/contract/events.ts';
import { CpuEngine } from '../src-main/policy/cpu/cpu-engine.ts';
import { driveRun } from '../src-main/runs/drive-run.ts';
import { describeNewRun } from '../src-main/runs/new-run.ts';
import { prepareRun } from '../src-main/runs/prepare-run.ts';
import { RunControl } from '../src-main/runs/run-training.ts';
import { openStore } from '../src-main/store/index.ts';
import { Recorder } from '../src-main/store/recorder.ts';
import { Watch } from './watch.ts';

/** Seconds of one step. */
export interface StepTimes {
	total: number;
	generation: number;
	reward: number;
	/** Forward and backward passes. */
	gradient: number;
	optimizer: number;
	logging: number;
	/** Completion tokens sampled, all agents. */
	sampledTokens: number;
	record: StepRecord;
}

export function configOf(settings: Partial<RunConfig>): RunConfig {
	const result = parseConfig({ ...settings, checkpoint_steps: 0, logging_steps: 1, device: 'cpu' });
	if (!result.ok) throw new Error(result.complaints.map(({ what }) => what).join('; '));
	return result.config;
}

/** The first step warms up and is not among them. */
export async function runSteps(settings: Partial<RunConfig>, steps: number): Promise<StepTimes[]> {
	const folder = await mkdtemp(join(tmpdir(), 'grove-bench-'));
	const watch = new Watch();
	watch.method(CpuEngine.prototype, 'score');
	for (const name of ['gradientNorm', 'applyAdamW', 'clearGradient'])
		watch.method(CpuEngine.prototype, name, 'optimizer');
	watch.method(Recorder.prototype, 'record');
	const times: StepTimes[] = [];
	try {
		const config = configOf({ ...settings, max_steps: steps + 1, num_train_epochs: steps + 1 });
		const prepared = await prepareRun({ config, onEvent: () => undefined });
		const store = await openStore({ path: join(folder, 'grove.db') });
		const origin = { configText: '', parentRunId: null, forkStep: null };
		const outcome = await driveRun({
			store,
			runId: store.createRun(await describeNewRun(prepared, origin)),
			prepared,
			resume: null,
			control: new RunControl(),
			clock: () => performance.timeOrigin + performance.now(),
			onEvent: (event) => {
				if (event.kind !== 'step') return;
				times.push(timesOf(event.record, watch));
				watch.reset();
			},
		});
		store.close();
		await prepared.dispose();
		if (outcome.error !== null) throw new Error(`the run failed: ${outcome.error.message}`);
	} finally {
		watch.stop();
		await rm(folder, { recursive: true, force: true });
	}
	return times.slice(1);
}

function timesOf(record: StepRecord, watch: Watch): StepTimes {
	const metric = (key: string): number =>
		record.metrics.find((metric) => metric.key === key)?.value ?? NaN;
	const logging = watch.get('record') / 1000;
	return {
		// The step's own clock ends before it is stored.
		total: metric('time/step') + logging,
		generation: metric('time/generate'),
		reward: metric('time/reward'),
		gradient: watch.get('score') / 1000,
		optimizer: watch.get('optimizer') / 1000,
		logging,
		sampledTokens: record.trees
			.flatMap(({ nodes }) => nodes.flatMap(({ agents }) => agents))
			.flatMap(({ completions }) => completions)
			.reduce((sum, { tokenIds }) => sum + tokenIds.length, 0),
		record,
	};
}
