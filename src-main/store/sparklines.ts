import type { Connection } from './connection.ts';
import { unpackChunk, unpackMoment } from './moments.ts';
import type { RunData } from './run-rows.ts';

/** Values of a small curve. */
const length = 40;
const curvesKept = 20_000;

/** Small curves of one metric for the runs table: evenly chosen points in the order of arrival. */
export class Sparklines {
	readonly #connection: Connection;
	readonly #curves = new Map<string, { revision: number; values: number[] }>();

	constructor(connection: Connection) {
		this.#connection = connection;
	}

	/** Within a read. */
	of(run: RunData, key: number): number[] {
		const name = `${run.run_id}/${key}`;
		const held = this.#curves.get(name);
		if (held?.revision === run.points_revision) return held.values;
		const values = evenly(this.#values(run.run, key));
		if (this.#curves.size >= curvesKept) this.#curves.clear();
		this.#curves.set(name, { revision: run.points_revision, values });
		return values;
	}

	#values(run: number, key: number): number[] {
		const blocks = this.#connection
			.prepareRows<[number, number], [number]>(
				'SELECT block FROM metric_chunks WHERE run = ? AND key = ? ORDER BY block',
			)
			.all(run, key);
		// Of a long run a part of the blocks is enough.
		const chosen = blocks.length <= length ? blocks : evenly(blocks);
		const read = this.#connection.prepareRows<[number, number, number], [Buffer]>(
			'SELECT data FROM metric_chunks WHERE run = ? AND key = ? AND block = ?',
		);
		const each = Math.max(1, Math.ceil(length / Math.max(1, chosen.length)));
		const values: number[] = [];
		for (const [block] of chosen) {
			const row = read.get(run, key, block);
			if (row !== undefined) values.push(...evenly([...unpackChunk(row[0]).values], each));
		}
		const tail = this.#connection
			.prepareRows<[number], [Buffer]>('SELECT data FROM metric_tail WHERE run = ? ORDER BY seq')
			.all(run);
		for (const [data] of tail) {
			const moment = unpackMoment(data);
			const index = moment.keys.indexOf(key);
			if (index >= 0) values.push(moment.values[index] as number);
		}
		return values;
	}
}

/** At most `count` items, evenly chosen, first and last among them. */
function evenly<T>(items: readonly T[], count = length): T[] {
	if (items.length <= count) return [...items];
	if (count === 1) return items.slice(-1);
	return Array.from(
		{ length: count },
		(_, index) => items[Math.round((index * (items.length - 1)) / (count - 1))] as T,
	);
}
