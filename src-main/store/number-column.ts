import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

const asDoubles = 0;
const asDifferences = 1;

/** A change of differences is at most four times as large, and is doubled for its sign: 2^52 still fits. */
const limit = 2 ** 49;

/**
 * One column of numbers that mostly rise evenly (steps, times): whole numbers as the change of their
 * differences, anything else as doubles. NaN, infinities and −0 survive.
 */
export function writeColumn(writer: ByteWriter, values: ArrayLike<number>): void {
	let whole = true;
	for (let i = 0; i < values.length && whole; i++) {
		const value = values[i] as number;
		whole = Number.isInteger(value) && Math.abs(value) < limit && !Object.is(value, -0);
	}
	writer.byte(whole ? asDifferences : asDoubles);
	let previous = 0;
	let difference = 0;
	for (let i = 0; i < values.length; i++) {
		const value = values[i] as number;
		if (!whole) {
			writer.float64(value);
			continue;
		}
		const next = value - previous;
		writer.signed(next - difference);
		difference = next;
		previous = value;
	}
}

export function readColumn(reader: ByteReader, length: number): Float64Array {
	const values = new Float64Array(length);
	const kind = reader.byte();
	let previous = 0;
	let difference = 0;
	for (let i = 0; i < length; i++) {
		if (kind === asDoubles) {
			values[i] = reader.float64();
			continue;
		}
		difference += reader.signed();
		previous += difference;
		values[i] = previous;
	}
	return values;
}
