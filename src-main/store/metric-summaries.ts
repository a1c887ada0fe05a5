/** Count, extremes, mean and last value of every key of a run, kept up to date with every point. */
import type { MetricSummary } from '../contract/run-record.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import type { Connection } from './connection.ts';
import type { PointColumns } from './read-points.ts';

/** Extremes and mean are over finite values only; they mean nothing while there are none. */
export interface Summary {
	count: number;
	nonFinite: number;
	last: number;
	min: number;
	max: number;
	mean: number;
	lastStep: number;
	lastEnvStep: number;
}

export type RunSummaries = Map<number, Summary>;

export function packSummaries(summaries: RunSummaries): Buffer {
	const writer = new ByteWriter(64 * summaries.size + 16);
	for (const [key, summary] of summaries) {
		writer.count(key);
		writer.count(summary.count);
		writer.count(summary.nonFinite);
		writer.number(summary.lastStep);
		writer.number(summary.lastEnvStep);
		writer.float64(summary.last);
		writer.float64(summary.min);
		writer.float64(summary.max);
		writer.float64(summary.mean);
	}
	return writer.finish();
}

/** `only`: numbers of the keys wanted; undefined: all. */
export function unpackSummaries(data: Buffer, only?: ReadonlySet<number>): RunSummaries {
	const summaries: RunSummaries = new Map();
	const reader = new ByteReader(data);
	while (!reader.atEnd) {
		const key = reader.count();
		const count = reader.count();
		const nonFinite = reader.count();
		const lastStep = reader.number();
		const lastEnvStep = reader.number();
		if (only !== undefined && !only.has(key)) {
			reader.bytes(32);
			continue;
		}
		summaries.set(key, {
			count,
			nonFinite,
			lastStep,
			lastEnvStep,
			last: reader.float64(),
			min: reader.float64(),
			max: reader.float64(),
			mean: reader.float64(),
		});
	}
	return summaries;
}

export function readSummaries(connection: Connection, run: number): RunSummaries {
	const row = connection
		.prepare<[number], { data: Buffer }>('SELECT data FROM metric_summaries WHERE run = ?')
		.get(run);
	return row === undefined ? new Map<number, Summary>() : unpackSummaries(row.data);
}

export function writeSummaries(connection: Connection, run: number, summaries: RunSummaries): void {
	connection
		.prepare<[number, Buffer], never>(
			'INSERT INTO metric_summaries (run, data) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET data = excluded.data',
		)
		.run(run, packSummaries(summaries));
}

/** Adds a point that comes after all others of its key. */
export function extend(
	summary: Summary | undefined,
	value: number,
	step: number,
	envStep: number,
): Summary {
	const old = summary ?? {
		count: 0,
		nonFinite: 0,
		last: 0,
		min: Infinity,
		max: -Infinity,
		mean: 0,
		lastStep: 0,
		lastEnvStep: 0,
	};
	const isFinite = Number.isFinite(value);
	const finite = old.count - old.nonFinite;
	return {
		count: old.count + 1,
		nonFinite: old.nonFinite + (isFinite ? 0 : 1),
		last: value,
		min: isFinite ? Math.min(old.min, value) : old.min,
		max: isFinite ? Math.max(old.max, value) : old.max,
		// A running mean does not overflow where a sum would.
		mean: isFinite ? old.mean + (value - old.mean) / (finite + 1) : old.mean,
		lastStep: step,
		lastEnvStep: envStep,
	};
}

/** From all points of a key, in order; undefined where there are none. */
export function summarise(points: PointColumns): Summary | undefined {
	let summary: Summary | undefined;
	for (const [index, value] of points.value.entries()) {
		summary = extend(summary, value, points.step[index] ?? 0, points.envStep[index] ?? 0);
	}
	return summary;
}

export function toMetricSummary(key: string, summary: Summary): MetricSummary {
	const hasFinite = summary.count > summary.nonFinite;
	return {
		key,
		count: summary.count,
		nonFinite: summary.nonFinite,
		last: summary.last,
		min: hasFinite ? summary.min : null,
		max: hasFinite ? summary.max : null,
		mean: hasFinite ? summary.mean : null,
		lastStep: summary.lastStep,
	};
}
