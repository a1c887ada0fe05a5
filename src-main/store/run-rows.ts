/** Rows of the runs table as the rest of Grove sees them. */
import type { ErrorValue } from '../contract/errors.ts';
import { GroveError } from '../contract/errors.ts';
import type { RunRecord, RunStatus } from '../contract/run-record.ts';
import { objectFromJson } from './canonical-json.ts';
import type { Connection } from './connection.ts';
import { isStillThere, type LookAtProcess } from './process-identity.ts';

export interface RunData {
	run: number;
	run_id: string;
	project: string;
	name: string;
	status: RunStatus;
	color_index: number;
	created_ms: number;
	started_ms: number | null;
	ended_ms: number | null;
	heartbeat_ms: number | null;
	step: number;
	total_steps: number;
	env_step: number;
	task_hash: string | null;
	task_name: string;
	task_path: string | null;
	model: string;
	device: string;
	seed: string;
	grove_version: string;
	git: string | null;
	parent_run_id: string | null;
	fork_step: number | null;
	tags: string;
	archived: number;
	deleted_ms: number | null;
	error: string | null;
	host: string;
	pid: number | null;
	process_start: string | null;
	revision: number;
	points_revision: number;
	first_point_ms: number | null;
	metric_bytes: number;
	tree_bytes: number;
	text_bytes: number;
	notes: string;
}

export const selectRuns = 'SELECT r.*, d.notes FROM runs r JOIN run_details d ON d.run = r.run';

/** A run never changes its configuration, so that it is parsed once. */
export class RunConfigs {
	readonly #connection: Connection;
	readonly #configs = new Map<string, Readonly<Record<string, unknown>>>();

	constructor(connection: Connection) {
		this.#connection = connection;
	}

	of(data: RunData): Readonly<Record<string, unknown>> {
		const name = `${data.run}/${data.run_id}`;
		const held = this.#configs.get(name);
		if (held !== undefined) return held;
		const row = this.#connection
			.prepare<[number], { config: string }>('SELECT config FROM run_details WHERE run = ?')
			.get(data.run);
		const config = objectFromJson(row?.config ?? '{}');
		this.#configs.set(name, config);
		return config;
	}
}

/** What a reader concludes: a run that says it runs while its process is gone has crashed. */
function statusOf(data: RunData, nowMs: number, look: LookAtProcess): RunStatus {
	const claimsToRun = data.status === 'running' || (data.status === 'queued' && data.pid !== null);
	if (!claimsToRun) return data.status;
	const driver = {
		host: data.host,
		pid: data.pid,
		start: data.process_start,
		heartbeatAtMs: data.heartbeat_ms,
	};
	return isStillThere(driver, nowMs, look) ? data.status : 'crashed';
}

export function toRunRecord(
	data: RunData,
	configs: RunConfigs,
	nowMs: number,
	look: LookAtProcess,
): RunRecord {
	return {
		id: data.run_id,
		project: data.project,
		name: data.name,
		status: statusOf(data, nowMs, look),
		colorIndex: data.color_index,
		createdAtMs: data.created_ms,
		startedAtMs: data.started_ms,
		endedAtMs: data.ended_ms,
		heartbeatAtMs: data.heartbeat_ms,
		step: data.step,
		totalSteps: data.total_steps,
		envStep: data.env_step,
		config: configs.of(data),
		taskHash: data.task_hash,
		taskName: data.task_name,
		model: data.model,
		device: data.device,
		seed: data.seed,
		groveVersion: data.grove_version,
		git: data.git,
		parentRunId: data.parent_run_id,
		forkStep: data.fork_step,
		notes: data.notes,
		tags: tagsOf(data),
		archived: data.archived === 1,
		deletedAtMs: data.deleted_ms,
		// Written by us as exactly this.
		error: data.error === null ? null : (JSON.parse(data.error) as ErrorValue),
		host: data.host,
		pid: data.pid,
	};
}

export function tagsOf(data: Pick<RunData, 'tags'>): string[] {
	return JSON.parse(data.tags) as string[];
}

export function findRun(connection: Connection, runId: string): RunData | undefined {
	return connection.prepare<[string], RunData>(`${selectRuns} WHERE r.run_id = ?`).get(runId);
}

/** Throws 'not-found'. */
export function needRun(connection: Connection, runId: string): RunData {
	const found = findRun(connection, runId);
	if (found === undefined) {
		throw new GroveError('not-found', {
			what: 'there is no such run in this database',
			given: runId,
			fix: 'list the runs with `grove runs list`; it may have been removed',
		});
	}
	return found;
}

/** The internal number of a run. Throws 'not-found'. */
export function needRunNumber(connection: Connection, runId: string): number {
	const row = connection
		.prepare<[string], { run: number }>('SELECT run FROM runs WHERE run_id = ?')
		.get(runId);
	return row?.run ?? needRun(connection, runId).run;
}
