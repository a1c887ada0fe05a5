/** The runs table: rows, summaries of the metrics asked for, and small curves. */
import type { RequestParams, RunRow } from '../contract/requests.ts';
import type { MetricSummary } from '../contract/run-record.ts';
import type { Connection } from './connection.ts';
import type { MetricKeys } from './metric-keys.ts';
import { toMetricSummary, unpackSummaries } from './metric-summaries.ts';
import type { LookAtProcess } from './process-identity.ts';
import { needRun, type RunConfigs, type RunData, toRunRecord } from './run-rows.ts';
import type { Sparklines } from './sparklines.ts';

export interface RunReading {
	connection: Connection;
	keys: MetricKeys;
	configs: RunConfigs;
	sparklines: Sparklines;
	look: LookAtProcess;
}

const conditions = {
	live: 'r.deleted_ms IS NULL AND r.archived = 0',
	archived: 'r.deleted_ms IS NULL AND r.archived = 1',
	trash: 'r.deleted_ms IS NOT NULL',
	all: '1',
} as const;

type WithSummaries = RunData & { summaries: Buffer | null };

/** Newest first. Within a read. */
export function listRuns(
	reading: RunReading,
	{ include, keys, ids }: RequestParams<'runs.list'>,
	nowMs: number,
): { runs: RunRow[]; metricKeys: string[] } {
	const { connection } = reading;
	const wanted = keyNumbers(reading.keys, keys);
	const summaries = wanted.size === 0 ? 'NULL' : 's.data';
	const sql = `SELECT r.*, d.notes, ${summaries} AS summaries FROM runs r JOIN run_details d ON d.run = r.run LEFT JOIN metric_summaries s ON s.run = r.run WHERE ${conditions[include]}`;
	const rows =
		ids === undefined
			? connection.prepare<[], WithSummaries>(`${sql} ORDER BY r.created_ms DESC, r.run DESC`).all()
			: [...new Set(ids)].flatMap((id) =>
					connection.prepare<[string], WithSummaries>(`${sql} AND r.run_id = ?`).all(id),
				);
	const runs = rows.map((data): RunRow => {
		const first = keys[0];
		const number = first === undefined ? undefined : reading.keys.find(first);
		return {
			...toRunRecord(data, reading.configs, nowMs, reading.look),
			summaries: summariesOf(data.summaries, wanted),
			sparkline: number === undefined ? [] : reading.sparklines.of(data, number),
			live: null,
		};
	});
	return { runs, metricKeys: [...reading.keys.names().values()].sort() };
}

function keyNumbers(keys: MetricKeys, names: readonly string[]): Map<number, string> {
	const numbers = new Map<number, string>();
	for (const name of names) {
		const number = keys.find(name);
		if (number !== undefined) numbers.set(number, name);
	}
	return numbers;
}

function summariesOf(
	data: Buffer | null,
	wanted: ReadonlyMap<number, string>,
): Record<string, MetricSummary> {
	if (data === null) return {};
	const found = unpackSummaries(data, new Set(wanted.keys()));
	// fromEntries defines keys, so that a metric named __proto__ stays one.
	return Object.fromEntries(
		[...found].map(([number, summary]) => {
			const key = wanted.get(number) ?? '';
			return [key, toMetricSummary(key, summary)];
		}),
	);
}

/** Throws 'not-found'. Within a read. */
export function getRun(
	reading: RunReading,
	id: string,
	nowMs: number,
): { run: RunRow; configText: string; children: string[] } {
	const { connection } = reading;
	const data = needRun(connection, id);
	const packed = connection
		.prepare<[number], { data: Buffer }>('SELECT data FROM metric_summaries WHERE run = ?')
		.get(data.run);
	const row: RunRow = {
		...toRunRecord(data, reading.configs, nowMs, reading.look),
		summaries: summariesOf(packed?.data ?? null, reading.keys.names()),
		sparkline: [],
		live: null,
	};
	const details = connection
		.prepare<[number], { config_text: string }>('SELECT config_text FROM run_details WHERE run = ?')
		.get(data.run);
	const children = connection
		.prepareRows<[string], [string]>('SELECT run_id FROM runs WHERE parent_run_id = ? ORDER BY run')
		.all(id);
	return {
		run: row,
		configText: details?.config_text ?? '',
		children: children.map(([runId]) => runId),
	};
}

/** Every metric of the runs, with its summary by run. Runs that are gone are left out. Within a read. */
export function metricKeysOf(
	{ connection, keys }: Pick<RunReading, 'connection' | 'keys'>,
	runIds: readonly string[],
): { keys: { key: string; runs: number; summaries: Record<string, MetricSummary> }[] } {
	const names = keys.names();
	const byKey = new Map<string, [string, MetricSummary][]>();
	const find = connection.prepare<[string], { data: Buffer }>(
		'SELECT s.data FROM metric_summaries s JOIN runs r ON r.run = s.run WHERE r.run_id = ?',
	);
	for (const runId of new Set(runIds)) {
		const packed = find.get(runId);
		if (packed === undefined) continue;
		for (const [number, summary] of unpackSummaries(packed.data)) {
			const key = names.get(number);
			if (key === undefined) continue;
			const own = byKey.get(key) ?? [];
			own.push([runId, toMetricSummary(key, summary)]);
			byKey.set(key, own);
		}
	}
	return {
		keys: [...byKey.keys()].sort().map((key) => {
			const summaries = byKey.get(key) ?? [];
			return { key, runs: summaries.length, summaries: Object.fromEntries(summaries) };
		}),
	};
}
