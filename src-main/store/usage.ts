import { statSync } from 'node:fs';
import type { WorkspaceUsage } from '../contract/requests.ts';
import type { Connection } from './connection.ts';

interface UsageRow {
	run_id: string;
	name: string;
	is_trash: number;
	text_bytes: number;
	metric_bytes: number;
	tree_bytes: number;
	checkpoint_bytes: number;
}

/** What takes how much space, largest runs first. Indexes are in the size of the database only. Within a read. */
export function usage(connection: Connection): WorkspaceUsage {
	const pageSize = Number(connection.pragma('page_size'));
	const rows = connection
		.prepare<[], UsageRow>(
			`SELECT r.run_id, r.name, r.deleted_ms IS NOT NULL AS is_trash, r.text_bytes, r.metric_bytes, r.tree_bytes,
				coalesce((SELECT sum(bytes) FROM checkpoints c WHERE c.run = r.run), 0) AS checkpoint_bytes
			FROM runs r ORDER BY r.text_bytes + r.metric_bytes + r.tree_bytes DESC`,
		)
		.all();
	const total = (of: (row: UsageRow) => number): number =>
		rows.reduce((sum, row) => sum + of(row), 0);
	return {
		databaseBytes: Number(connection.pragma('page_count')) * pageSize,
		walBytes: statSync(`${connection.path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
		freeBytes: Number(connection.pragma('freelist_count')) * pageSize,
		texts: total((row) => row.text_bytes),
		metrics: total((row) => row.metric_bytes),
		trees: total((row) => row.tree_bytes),
		checkpoints: total((row) => row.checkpoint_bytes),
		trash: total((row) =>
			row.is_trash === 1
				? row.text_bytes + row.metric_bytes + row.tree_bytes + row.checkpoint_bytes
				: 0,
		),
		byRun: rows.map((row) => ({
			runId: row.run_id,
			name: row.name,
			textBytes: row.text_bytes,
			metricBytes: row.metric_bytes,
			checkpointBytes: row.checkpoint_bytes,
		})),
	};
}
