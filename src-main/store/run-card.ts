/** All that is known of a run besides its points and trees: what travels in bundles and JSON lines. */
import type { ErrorValue } from '../contract/errors.ts';
import type { RunStatus } from '../contract/run-record.ts';
import { objectFromJson } from './canonical-json.ts';
import type { Connection } from './connection.ts';
import type { NewRun } from './create-run.ts';
import { type RunData, selectRuns, tagsOf } from './run-rows.ts';
import { taskSource } from './task-sources.ts';
import { agentsOf } from './tree-queries.ts';

export interface RunCard extends Omit<NewRun, 'process' | 'status' | 'id'> {
	id: string;
	status: RunStatus;
	startedAtMs: number | null;
	endedAtMs: number | null;
	step: number;
	envStep: number;
	firstPointMs: number | null;
	error: ErrorValue | null;
	host: string;
}

/** Within a read. */
export function readRunCard(connection: Connection, run: number): RunCard {
	const data = connection.prepare<[number], RunData>(`${selectRuns} WHERE r.run = ?`).get(run);
	const details = connection
		.prepare<[number], { config: string; config_text: string }>(
			'SELECT config, config_text FROM run_details WHERE run = ?',
		)
		.get(run);
	if (data === undefined || details === undefined) throw new Error(`run ${run} is missing`);
	const task = taskSource(connection, data);
	return {
		id: data.run_id,
		project: data.project,
		name: data.name,
		// A copy drives nothing: where the run goes on, it goes on elsewhere.
		status: data.status === 'running' || data.status === 'queued' ? 'stopped' : data.status,
		createdAtMs: data.created_ms,
		startedAtMs: data.started_ms,
		endedAtMs: data.ended_ms,
		step: data.step,
		totalSteps: data.total_steps,
		envStep: data.env_step,
		firstPointMs: data.first_point_ms,
		config: objectFromJson(details.config),
		configText: details.config_text,
		task: {
			name: task.name,
			path: task.path,
			text: task.text === '' ? null : task.text,
			hash: data.task_hash,
		},
		model: data.model,
		agents: agentsOf(connection, run),
		device: data.device,
		seed: data.seed,
		groveVersion: data.grove_version,
		git: data.git,
		parentRunId: data.parent_run_id,
		forkStep: data.fork_step,
		notes: data.notes,
		tags: tagsOf(data),
		archived: data.archived === 1,
		error: data.error === null ? null : (JSON.parse(data.error) as ErrorValue),
		host: data.host,
	};
}
