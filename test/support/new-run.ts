/** The least that a run is created with, and its events. */
import type { MetricValue, StepRecord, TrainingEvent } from '../../src-main/contract/events.ts';
import type { NewRun } from '../../src-main/store/index.ts';

export function newRun(run: Partial<NewRun> = {}): NewRun {
	return {
		project: 'default',
		name: 'run',
		config: { seed: 42 },
		configText: 'seed: 42\n',
		task: { name: 'length-ratio', path: null, text: null, hash: null },
		model: 'bundled:grove-small',
		agents: [
			{ name: 'writer', model: 'bundled:grove-small' },
			{ name: 'critic', model: 'bundled:grove-small' },
		],
		device: 'cpu',
		seed: '42',
		groveVersion: '0.1.0',
		...run,
	};
}

export function started(resumedFromStep = 0): TrainingEvent {
	return { kind: 'started', totalSteps: 1000, device: 'cpu', deviceDetail: '', resumedFromStep };
}

/** A step without trees unless `more` has some. */
export function stepOf(
	step: number,
	metrics: readonly MetricValue[],
	more: Partial<StepRecord> = {},
): TrainingEvent {
	const record = {
		step,
		epoch: 0,
		epochProgress: step / 1000,
		envStep: 4 * step,
		wallTimeMs: 1_750_000_000_000 + 1000 * step,
		trees: [],
		metrics,
		...more,
	};
	return { kind: 'step', record };
}
