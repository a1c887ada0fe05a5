/** A run as it is stored and shown. */
import type { ErrorValue } from './errors.ts';

/**
 * `crashed` is never written by the run itself: it is what a reader concludes when a run says
 * `running` while its process (host, pid and process start time) is gone.
 */
export type RunStatus =
	'queued' | 'running' | 'paused' | 'finished' | 'stopped' | 'failed' | 'crashed';

export interface RunRecord {
	id: string;
	project: string;
	/** Names may repeat and may be empty; the id is the identity. */
	name: string;
	status: RunStatus;
	/** Colour slot, assigned once at creation so that a run looks the same everywhere. */
	colorIndex: number;
	createdAtMs: number;
	startedAtMs: number | null;
	endedAtMs: number | null;
	heartbeatAtMs: number | null;
	/** Last stored step and env step; 0 before the first. */
	step: number;
	totalSteps: number;
	envStep: number;
	/** Effective configuration, complete with defaults. */
	config: Readonly<Record<string, unknown>>;
	/** Hash of the task source stored with the run; null for a built-in of the same version. */
	taskHash: string | null;
	taskName: string;
	model: string;
	device: string;
	/** Decimal text: a seed may exceed 2^53. */
	seed: string;
	groveVersion: string;
	/** Commit and dirtiness of the folder of the task file, if it is under git. */
	git: string | null;
	parentRunId: string | null;
	forkStep: number | null;
	notes: string;
	tags: readonly string[];
	archived: boolean;
	/** Set while the run is in the trash. */
	deletedAtMs: number | null;
	error: ErrorValue | null;
	host: string;
	pid: number | null;
}

/** Last, extremes and mean of one metric of one run. */
export interface MetricSummary {
	key: string;
	count: number;
	nonFinite: number;
	last: number | null;
	min: number | null;
	max: number | null;
	mean: number | null;
	lastStep: number;
}
