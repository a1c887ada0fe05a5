import type { Connection } from './connection.ts';
import type { RunData } from './run-rows.ts';

/** The source of a run's task as it was stored with the run. */
export interface TaskSource {
	name: string;
	/** Null for a built-in task. */
	path: string | null;
	/** Empty where none was stored. */
	text: string;
	hash: string;
}

/** Within a read. */
export function taskSource(connection: Connection, run: RunData): TaskSource {
	const row = connection
		.prepare<[string | null], { text: string }>('SELECT text FROM task_sources WHERE hash = ?')
		.get(run.task_hash);
	return {
		name: run.task_name,
		path: run.task_path,
		text: row?.text ?? '',
		hash: run.task_hash ?? '',
	};
}
