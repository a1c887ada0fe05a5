/** Batches without shared prefixes, for an engine that computes every row whole. */
import type { TokenBatch } from '../engine.ts';

export interface PlainRows {
	rows: number;
	length: number;
	/** `[rows, length]` */
	ids: Int32Array;
	scored: Int32Array;
	targets: Int32Array;
}

/** Puts each group's prefix in front of its rows. */
export function plainRows(batch: TokenBatch): PlainRows {
	const { prefix, targets } = batch;
	const rows = batch.groups * batch.rowsPerGroup;
	if (prefix === null) {
		const { length, ids, scored } = batch;
		return { rows, length, ids, scored, targets };
	}
	const length = prefix.length + batch.length;
	const ids = new Int32Array(rows * length);
	const startOf = (row: number): number =>
		prefix.lengths[Math.floor(row / batch.rowsPerGroup)] ?? 0;
	for (let row = 0; row < rows; row++) {
		const group = Math.floor(row / batch.rowsPerGroup) * prefix.length;
		ids.set(prefix.ids.subarray(group, group + startOf(row)), row * length);
		ids.set(
			batch.ids.subarray(row * batch.length, (row + 1) * batch.length),
			row * length + startOf(row),
		);
	}
	const scored = batch.scored.map((at) => {
		const row = Math.floor(at / batch.length);
		return row * length + startOf(row) + (at % batch.length);
	});
	return { rows, length, ids, scored, targets };
}
