/** Which checkpoints a run has on disk. The folders themselves belong to whoever writes them. */
import type { CheckpointRecord } from '../contract/events.ts';
import type { Connection } from './connection.ts';
import { fromSqlNumber, type SqlNumber, toSqlNumber } from './sql-number.ts';

interface CheckpointRow {
	step: number;
	env_step: number;
	path: string;
	bytes: number;
	wall_ms: number;
	score: SqlNumber;
	is_best: number;
	is_final: number;
}

/** Within a write. A checkpoint of the same step is replaced; there is one best. */
export function writeCheckpoint(
	connection: Connection,
	run: number,
	record: CheckpointRecord,
): void {
	if (record.isBest) {
		connection
			.prepare<[number], never>('UPDATE checkpoints SET is_best = 0 WHERE run = ?')
			.run(run);
	}
	connection
		.prepare<[number, number, number, string, number, number, SqlNumber, number, number], never>(
			'INSERT OR REPLACE INTO checkpoints (run, step, env_step, path, bytes, wall_ms, score, is_best, is_final) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
		)
		.run(
			run,
			record.step,
			record.envStep,
			record.path,
			record.bytes,
			record.wallTimeMs,
			toSqlNumber(record.score),
			record.isBest ? 1 : 0,
			record.isFinal ? 1 : 0,
		);
}

/** Forgets the checkpoints of these folders. Within a write. */
export function removeCheckpoints(
	connection: Connection,
	run: number,
	paths: readonly string[],
): void {
	const remove = connection.prepare<[number, string], never>(
		'DELETE FROM checkpoints WHERE run = ? AND path = ?',
	);
	for (const path of paths) remove.run(run, path);
}

/** Oldest first. Within a read. */
export function listCheckpoints(connection: Connection, run: number): CheckpointRecord[] {
	return connection
		.prepare<[number], CheckpointRow>('SELECT * FROM checkpoints WHERE run = ? ORDER BY step')
		.all(run)
		.map((row) => ({
			step: row.step,
			envStep: row.env_step,
			path: row.path,
			bytes: row.bytes,
			wallTimeMs: row.wall_ms,
			score: fromSqlNumber(row.score),
			isBest: row.is_best === 1,
			isFinal: row.is_final === 1,
		}));
}
