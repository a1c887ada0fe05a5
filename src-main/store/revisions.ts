/**
 * How programs learn of each other's changes: one number that grows with every change to runs or points,
 * and with each run the number of its last change.
 */
import type { Connection } from './connection.ts';

export interface Changes {
	revision: number;
	/** Runs that changed or went, most recent last. */
	runIds: string[];
}

export function currentRevision(connection: Connection): number {
	return (
		connection.prepare<[], { revision: number }>('SELECT revision FROM workspace').get()
			?.revision ?? 0
	);
}

/** The number of a new change. Within a write. */
export function nextRevision(connection: Connection): number {
	return (
		connection
			.prepare<[], { revision: number }>(
				'UPDATE workspace SET revision = revision + 1 RETURNING revision',
			)
			.get()?.revision ?? 0
	);
}

/** Marks runs as changed. Within a write. */
export function touchRuns(connection: Connection, runs: readonly number[]): void {
	const revision = nextRevision(connection);
	const touch = connection.prepare<[number, number], never>(
		'UPDATE runs SET revision = ? WHERE run = ?',
	);
	for (const run of runs) touch.run(revision, run);
}

export function changesSince(connection: Connection, revision: number): Changes {
	const now = currentRevision(connection);
	if (now === revision) return { revision, runIds: [] };
	const runIds = connection
		.prepareRows<[number, number], [string]>(
			'SELECT run_id FROM (SELECT run_id, revision FROM runs WHERE revision > ? UNION ALL SELECT run_id, revision FROM removed_runs WHERE revision > ?) ORDER BY revision',
		)
		.all(revision, revision)
		.map(([runId]) => runId);
	return { revision: now, runIds: [...new Set(runIds)] };
}
