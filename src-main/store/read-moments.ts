/** Stored points as moments again, block by block: for copying and exporting whole runs. Within a read or write. */
import type { Connection } from './connection.ts';
import { type Moment, unpackAxes, unpackChunk, unpackMoment } from './moments.ts';

interface GrowingMoment extends Moment {
	keys: number[];
	values: number[];
}

/** Number of the first block after `after`. */
export function blockAfter(connection: Connection, run: number, after: number): number | undefined {
	return connection
		.prepareRows<[number, number], [number]>(
			'SELECT block FROM metric_blocks WHERE run = ? AND block > ? ORDER BY block LIMIT 1',
		)
		.get(run, after)?.[0];
}

/** Empty for a block that is not there. */
export function readBlock(connection: Connection, run: number, block: number): Moment[] {
	const row = connection
		.prepare<[number, number], { moments: number; axes: Buffer }>(
			'SELECT moments, axes FROM metric_blocks WHERE run = ? AND block = ?',
		)
		.get(run, block);
	if (row === undefined) return [];
	const axes = unpackAxes(row.axes, row.moments);
	const moments = Array.from({ length: row.moments }, (_, place): GrowingMoment => ({
		step: axes.step[place] ?? NaN,
		envStep: axes.envStep[place] ?? NaN,
		epoch: axes.epoch[place] ?? NaN,
		wallTimeMs: axes.wallTimeMs[place] ?? NaN,
		keys: [],
		values: [],
	}));
	const chunks = connection
		.prepareRows<[number, number], [number, Buffer]>(
			'SELECT key, data FROM metric_chunks WHERE run = ? AND block = ?',
		)
		.all(run, block);
	for (const [key, data] of chunks) {
		const { places, values } = unpackChunk(data);
		for (const [index, value] of values.entries()) {
			const moment = moments[places === null ? index : (places[index] ?? 0)];
			moment?.keys.push(key);
			moment?.values.push(value);
		}
	}
	return moments;
}

/** The newest moments, which are in no block yet. */
export function readTail(connection: Connection, run: number): Moment[] {
	return connection
		.prepareRows<[number], [Buffer]>('SELECT data FROM metric_tail WHERE run = ? ORDER BY seq')
		.all(run)
		.map(([data]) => unpackMoment(data));
}
