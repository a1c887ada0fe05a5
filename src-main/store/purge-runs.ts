/** Removing runs for good, and giving their space back to the disk. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GroveError, toErrorValue } from '../contract/errors.ts';
import type { BulkOutcome } from '../contract/requests.ts';
import { checkpointFolder, isPlainName } from './checkpoint-folders.ts';
import type { Connection } from './connection.ts';
import { unpackSummaries } from './metric-summaries.ts';
import { dropTextsOfRun, removeTreesOfRun } from './remove-trees.ts';
import { nextRevision, touchRuns } from './revisions.ts';
import { findRun, type RunData } from './run-rows.ts';
import { tidySearchIndex } from './text-index.ts';

/** Bytes that the database takes, its log not counted. */
function databaseBytes(connection: Connection): number {
	return Number(connection.pragma('page_count')) * Number(connection.pragma('page_size'));
}

/** Gives unused pages back; returns how many bytes. Not within a transaction. */
function shrink(connection: Connection): number {
	const before = databaseBytes(connection);
	tidySearchIndex(connection);
	connection.exec('PRAGMA incremental_vacuum');
	connection.checkpoint();
	return Math.max(0, before - databaseBytes(connection));
}

/** Removes everything of the runs that are in the trash. The others are refused. Each run is one transaction. */
export function purgeRuns(
	connection: Connection,
	ids: readonly string[],
): BulkOutcome & { freedBytes: number } {
	const outcome: BulkOutcome = { done: [], unchanged: [], refused: [] };
	let freedBytes = 0;
	for (const id of new Set(ids)) {
		const removed = connection.write(() => {
			const run = findRun(connection, id);
			if (run === undefined) return 'unchanged';
			if (run.deleted_ms === null) return 'refused';
			removeRun(connection, run);
			return 'done';
		});
		if (removed === 'refused') {
			const error = new GroveError('conflict', {
				what: 'only runs in the trash can be removed for good',
				where: id,
				fix: 'put it in the trash first',
			});
			outcome.refused.push({ id, error: toErrorValue(error) });
			continue;
		}
		outcome[removed].push(id);
		if (removed === 'done') freedBytes += removeCheckpointFolder(connection.path, id);
	}
	if (outcome.done.length > 0) {
		connection.write(() => removeUnusedKeys(connection));
		freedBytes += shrink(connection);
	}
	return { ...outcome, freedBytes };
}

/** Everything of a run. Within a write. */
export function removeRun(connection: Connection, { run, run_id, task_hash }: RunData): void {
	removeTreesOfRun(connection, run);
	// Its other rows go with it (foreign keys).
	connection.prepare<[number], never>('DELETE FROM runs WHERE run = ?').run(run);
	connection
		.prepare<[string | null], never>(
			'DELETE FROM task_sources WHERE hash = ? AND hash NOT IN (SELECT task_hash FROM runs WHERE task_hash IS NOT NULL)',
		)
		.run(task_hash);
	connection
		.prepare<[string, number], never>(
			'INSERT OR REPLACE INTO removed_runs (run_id, revision) VALUES (?, ?)',
		)
		.run(run_id, nextRevision(connection));
}

/** Names of metrics that no run has any more. */
function removeUnusedKeys(connection: Connection): void {
	const used = new Set<number>();
	const summaries = connection.prepareRows<[], [Buffer]>('SELECT data FROM metric_summaries').all();
	for (const [data] of summaries) for (const key of unpackSummaries(data).keys()) used.add(key);
	const keys = connection.prepareRows<[], [number]>('SELECT id FROM metric_keys').all();
	const remove = connection.prepare<[number], never>('DELETE FROM metric_keys WHERE id = ?');
	for (const [key] of keys) if (!used.has(key)) remove.run(key);
}

/**
 * The folder that a run's checkpoints have unless told otherwise; folders of a person's own choice stay.
 */
function removeCheckpointFolder(database: string, id: string): number {
	if (!isPlainName(id)) return 0;
	const folder = checkpointFolder(database, id);
	const bytes = bytesBelow(folder);
	rmSync(folder, { recursive: true, force: true });
	return bytes;
}

function bytesBelow(folder: string): number {
	let bytes = 0;
	const entries = (() => {
		try {
			return readdirSync(folder, { recursive: true, withFileTypes: true });
		} catch {
			return [];
		}
	})();
	for (const entry of entries) {
		if (!entry.isFile()) continue;
		bytes += lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
	}
	return bytes;
}

/** Removes everything that is in the trash. */
export function emptyTrash(connection: Connection): { freedBytes: number; runs: number } {
	const ids = connection.read(() =>
		connection
			.prepareRows<[], [string]>('SELECT run_id FROM runs WHERE deleted_ms IS NOT NULL')
			.all(),
	);
	const { done, freedBytes } = purgeRuns(
		connection,
		ids.map(([id]) => id),
	);
	return { freedBytes, runs: done.length };
}

/** Removes prompts and completions of the runs; metrics, rewards and tree shapes stay. Runs that are gone are passed over. */
export function dropTexts(connection: Connection, ids: readonly string[]): { freedBytes: number } {
	for (const id of new Set(ids)) {
		connection.write(() => {
			const run = findRun(connection, id);
			if (run === undefined) return;
			dropTextsOfRun(connection, run.run);
			connection
				.prepare<[number], never>('UPDATE runs SET text_bytes = 0 WHERE run = ?')
				.run(run.run);
			touchRuns(connection, [run.run]);
		});
	}
	return { freedBytes: shrink(connection) };
}
