/** What people change about runs: names, tags, archive, trash. Each run by itself; what is already so is no error. */
import type { BulkOutcome, RequestParams } from '../contract/requests.ts';
import { toErrorValue, GroveError } from '../contract/errors.ts';
import type { Connection } from './connection.ts';
import { touchRuns } from './revisions.ts';
import { findRun, type RunData, tagsOf } from './run-rows.ts';

/** `change` says whether it changed anything; its GroveError refuses this run only. Within a write. */
export function forEachRun(
	connection: Connection,
	ids: readonly string[],
	change: (run: RunData) => boolean,
): BulkOutcome {
	const outcome: BulkOutcome = { done: [], unchanged: [], refused: [] };
	const touched: number[] = [];
	for (const id of new Set(ids)) {
		const run = findRun(connection, id);
		try {
			if (run !== undefined && change(run)) {
				outcome.done.push(id);
				touched.push(run.run);
			} else outcome.unchanged.push(id);
		} catch (error) {
			if (!(error instanceof GroveError)) throw error;
			outcome.refused.push({ id, error: toErrorValue(error) });
		}
	}
	if (touched.length > 0) touchRuns(connection, touched);
	return outcome;
}

/** Within a write. */
export function updateRuns(
	connection: Connection,
	{ ids, patch, addTags = [], removeTags = [] }: RequestParams<'runs.update'>,
): BulkOutcome {
	return forEachRun(connection, ids, (run) => {
		const old = tagsOf(run);
		const tags = [...new Set([...(patch.tags ?? old), ...addTags])].filter(
			(tag) => !removeTags.includes(tag),
		);
		const next = {
			name: patch.name ?? run.name,
			project: patch.project ?? run.project,
			archived: patch.archived === undefined ? run.archived : patch.archived ? 1 : 0,
			tags: JSON.stringify(tags),
			notes: patch.notes ?? run.notes,
		};
		const isSame =
			next.name === run.name &&
			next.project === run.project &&
			next.archived === run.archived &&
			next.tags === run.tags &&
			next.notes === run.notes;
		if (isSame) return false;
		connection
			.prepare<[string, string, number, string, number], never>(
				'UPDATE runs SET name = ?, project = ?, archived = ?, tags = ? WHERE run = ?',
			)
			.run(next.name, next.project, next.archived, next.tags, run.run);
		connection
			.prepare<[string, number], never>('UPDATE run_details SET notes = ? WHERE run = ?')
			.run(next.notes, run.run);
		return true;
	});
}

/** Puts runs in the trash. A run that trains is refused. Within a write. */
export function trashRuns(
	connection: Connection,
	ids: readonly string[],
	isRunning: (run: RunData) => boolean,
	nowMs: number,
): BulkOutcome {
	return forEachRun(connection, ids, (run) => {
		if (run.deleted_ms !== null) return false;
		if (isRunning(run)) {
			throw new GroveError('conflict', {
				what: 'the run trains at present and cannot be put in the trash',
				where: run.run_id,
				fix: 'stop it first',
			});
		}
		connection
			.prepare<[number, number], never>('UPDATE runs SET deleted_ms = ? WHERE run = ?')
			.run(nowMs, run.run);
		return true;
	});
}

/** Within a write. */
export function restoreRuns(connection: Connection, ids: readonly string[]): BulkOutcome {
	return forEachRun(connection, ids, (run) => {
		if (run.deleted_ms === null) return false;
		connection
			.prepare<[number], never>('UPDATE runs SET deleted_ms = NULL WHERE run = ?')
			.run(run.run);
		return true;
	});
}
