/**
 * Metrics and rollouts of runs as JSON lines: strict JSON, all rows. What JSON has no number for (NaN,
 * infinities, −0) is written as the text of its name in `value`, and as `{"$number": name}` in trees.
 * Each run begins with a line of kind `run`.
 */
import { encode } from '../contract/wire.ts';
import type { ExportSource } from './export-source.ts';
import { treesOfRun, validMomentsOfRun } from './export-rows.ts';
import type { FileWriter } from './file-writer.ts';
import { readRunCard } from './run-card.ts';

export function jsonNumber(value: number): number | string {
	if (Number.isFinite(value) && !Object.is(value, -0)) return value;
	return Object.is(value, -0) ? '-0' : String(value);
}

async function writeHead(source: ExportSource, run: number, file: FileWriter): Promise<void> {
	const card = source.connection.read(() => readRunCard(source.connection, run));
	await file.write(`${encode({ kind: 'run', ...card })}\n`);
}

/** Returns the number of points. */
export async function writeMetricsJsonl(source: ExportSource, file: FileWriter): Promise<number> {
	const names = source.keys.names();
	let rows = 0;
	for (const { run, id } of source.runs) {
		await writeHead(source, run, file);
		for (const moments of validMomentsOfRun(source.connection, run)) {
			for (const { step, envStep, epoch, wallTimeMs, keys, values } of moments) {
				for (const [index, key] of keys.entries()) {
					const point = {
						kind: 'point',
						run: id,
						key: names.get(key) ?? '',
						step: jsonNumber(step),
						env_step: jsonNumber(envStep),
						epoch: jsonNumber(epoch),
						time_ms: jsonNumber(wallTimeMs),
						value: jsonNumber(values[index] ?? NaN),
					};
					await file.write(`${JSON.stringify(point)}\n`);
					rows++;
				}
			}
		}
	}
	return rows;
}

/** One line a tree. Returns the number of trees. */
export async function writeRolloutsJsonl(source: ExportSource, file: FileWriter): Promise<number> {
	let rows = 0;
	for (const { run, id } of source.runs) {
		await writeHead(source, run, file);
		for (const tree of treesOfRun(source.connection, source.texts, run)) {
			await file.write(`${encode({ kind: 'tree', run: id, tree })}\n`);
			rows++;
		}
	}
	return rows;
}
