/** What a run said: lines kept in the order in which they came. */
import type { LogLine } from '../contract/requests.ts';
import type { Connection } from './connection.ts';

export type LogLevel = LogLine['level'];

/** Within a write. */
export function writeLog(
	connection: Connection,
	run: number,
	line: { level: LogLevel; source: string; text: string; step: number },
	timeMs: number,
): void {
	connection
		.prepare<[number, number, string, string, number, string], never>(
			'INSERT INTO logs (run, time_ms, level, source, step, text) VALUES (?, ?, ?, ?, ?, ?)',
		)
		.run(run, timeMs, line.level, line.source, line.step, line.text);
}

/** Lines after `afterId`, oldest first. `afterId` 0: the newest `limit` lines. Within a read. */
export function listLogs(
	connection: Connection,
	run: number,
	afterId: number,
	limit: number,
): LogLine[] {
	const columns = 'id, time_ms AS timeMs, level, source, step, text';
	if (afterId > 0) {
		return connection
			.prepare<[number, number, number], LogLine>(
				`SELECT ${columns} FROM logs WHERE run = ? AND id > ? ORDER BY id LIMIT ?`,
			)
			.all(run, afterId, limit);
	}
	return connection
		.prepare<[number, number], LogLine>(
			`SELECT ${columns} FROM logs WHERE run = ? ORDER BY id DESC LIMIT ?`,
		)
		.all(run, limit)
		.reverse();
}
