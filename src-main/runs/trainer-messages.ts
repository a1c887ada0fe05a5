/** What a trainer process and the manager that started it say to each other. Plain values, structured clone. */
import type { ErrorValue } from '../contract/errors.ts';
import type { CheckpointRecord, Phase } from '../contract/events.ts';
import type { BackendReport } from '../contract/requests.ts';

export type ToTrainer =
	| {
			kind: 'begin';
			runId: string;
			database: string;
			/** Go on from the newest whole checkpoint of this run (for a fork: of the parent, at a step). */
			resume: { runId: string; outputDir: string | null; step: number | null } | null;
	  }
	/** `now`: drop the current step; else finish it. Both keep all finished steps. */
	| { kind: 'stop'; now: boolean }
	| { kind: 'pause' }
	/** Instead of `begin`: say which devices work here. `measure`: a second on each. */
	| { kind: 'inspect'; measure: boolean };

/** Progress only: the rows themselves are in the database before a message tells of them. */
export type FromTrainer =
	| { kind: 'ready' }
	| { kind: 'started'; totalSteps: number; device: string }
	| { kind: 'phase'; phase: Phase; step: number; detail: string; done: number; total: number }
	| {
			kind: 'step';
			step: number;
			envStep: number;
			epoch: number;
			wallTimeMs: number;
			purpose: 'train' | 'eval';
			values: { key: string; value: number }[];
	  }
	| { kind: 'checkpoint'; record: CheckpointRecord }
	/** Answer to `inspect`; the process ends after it. */
	| { kind: 'devices'; backends: BackendReport[]; chosen: BackendReport['backend'] }
	| {
			kind: 'ended';
			status: 'finished' | 'stopped' | 'paused' | 'failed';
			error: ErrorValue | null;
	  };

export interface TrainerExit {
	code: number | null;
	signal: string | null;
	/** The last lines of its output, for a crash report. */
	lastOutput: string;
}

/** A running trainer process, whichever way it was started. */
export interface TrainerHandle {
	readonly pid: number | undefined;
	send(message: ToTrainer): void;
	onMessage(listener: (message: FromTrainer) => void): void;
	/** Called exactly once. */
	onExit(listener: (exit: TrainerExit) => void): void;
	kill(): void;
}

/** Starts a trainer: a Node child here, a utility process in the desktop shell. */
export type SpawnTrainer = () => TrainerHandle;
