/**
 * What a training run says while it goes on: one union, yielded by the trainer and consumed alike by
 * the recorder (rows), the command line (progress), the window (live views) and the tests.
 */
import type { ErrorValue } from './errors.ts';
import type { RolloutTree } from './tree.ts';

/** One metric value. Step, env_step, epoch and time of a point are those of the event that carries it. */
export interface MetricValue {
	key: string;
	/** NaN and infinities are legal and survive storage. */
	value: number;
	/** Set where a point belongs to another env step than the event (compat logging). */
	envStep?: number;
}

export type Phase = 'loading' | 'generating' | 'rewarding' | 'updating' | 'evaluating' | 'saving';

/** Everything of one finished training step; the recorder writes it in one transaction. */
export interface StepRecord {
	/** 1-based, counts processed batches of examples. */
	step: number;
	/** 0-based. */
	epoch: number;
	/** Fraction of the run in epochs after this step, e.g. 0.25. */
	epochProgress: number;
	/** Joint completions scored so far by training. */
	envStep: number;
	/** Milliseconds since 1970. */
	wallTimeMs: number;
	trees: readonly RolloutTree[];
	metrics: readonly MetricValue[];
}

export interface CheckpointRecord {
	step: number;
	envStep: number;
	/** Absolute folder. */
	path: string;
	bytes: number;
	wallTimeMs: number;
	/** Value of the metric by which the best is kept, if known at that step. */
	score: number | null;
	isBest: boolean;
	isFinal: boolean;
}

export type TrainingEvent =
	| {
			kind: 'started';
			totalSteps: number;
			device: string;
			deviceDetail: string;
			resumedFromStep: number;
	  }
	| { kind: 'phase'; phase: Phase; step: number; detail: string; done: number; total: number }
	| { kind: 'step'; record: StepRecord }
	| { kind: 'evaluation'; record: StepRecord }
	| { kind: 'checkpoint'; record: CheckpointRecord; removed: readonly string[] }
	| {
			kind: 'log';
			level: 'info' | 'warning' | 'error';
			source: 'grove' | 'task' | 'model';
			text: string;
			step: number;
	  }
	| { kind: 'paused'; step: number }
	| { kind: 'finished'; step: number }
	| { kind: 'stopped'; step: number }
	| { kind: 'failed'; step: number; error: ErrorValue };
