import { finiteRange } from './finite-range.ts';

/**
 * Sums of 2^level neighbours, level by level. A sum over any window is then made of O(log n) parts that
 * hold no value from outside it: running totals would carry one huge value's rounding error along.
 */
class BlockSums {
	readonly #sums: Float64Array[];
	readonly #counts: Int32Array[];

	constructor(y: Float64Array) {
		const sums = new Float64Array(y.length);
		const counts = new Int32Array(y.length);
		for (let i = 0; i < y.length; i++) {
			const value = y[i] as number;
			if (!Number.isFinite(value)) continue;
			sums[i] = value;
			counts[i] = 1;
		}
		this.#sums = [sums];
		this.#counts = [counts];
		for (let size = y.length; size > 1; size = Math.ceil(size / 2)) this.#addLevel();
	}

	#addLevel(): void {
		const sums = this.#sums.at(-1) ?? new Float64Array(0);
		const counts = this.#counts.at(-1) ?? new Int32Array(0);
		const half = Math.ceil(sums.length / 2);
		const nextSums = new Float64Array(half);
		const nextCounts = new Int32Array(half);
		for (let i = 0; i < half; i++) {
			nextSums[i] = (sums[2 * i] as number) + (sums[2 * i + 1] ?? 0);
			nextCounts[i] = (counts[2 * i] as number) + (counts[2 * i + 1] ?? 0);
		}
		this.#sums.push(nextSums);
		this.#counts.push(nextCounts);
	}

	/** Mean of the finite values of [from, to). */
	mean(from: number, to: number): number {
		let sum = 0;
		let count = 0;
		for (let level = 0, a = from, b = to; a < b; level++, a >>= 1, b >>= 1) {
			const sums = this.#sums[level] as Float64Array;
			const counts = this.#counts[level] as Int32Array;
			if (a & 1) {
				sum += sums[a] as number;
				count += counts[a] as number;
				a++;
			}
			if (b & 1) {
				b--;
				sum += sums[b] as number;
				count += counts[b] as number;
			}
		}
		return Number.isFinite(sum) ? sum / count : this.#meanOfHuge(from, to);
	}

	/** For values whose plain sum exceeds the largest number. */
	#meanOfHuge(from: number, to: number): number {
		const sums = this.#sums[0] as Float64Array;
		const counts = this.#counts[0] as Int32Array;
		let mean = 0;
		let count = 0;
		for (let i = from; i < to; i++) {
			if (counts[i] === 0) continue;
			count++;
			mean += (sums[i] as number) / count - mean / count;
		}
		return mean;
	}
}

/** Centred running mean at the points `wanted`; windows are cut at the ends of the line. `window` in points; an even one counts as the next odd. */
export function smoothRunningMean(
	y: Float64Array,
	window: number,
	wanted: Int32Array,
): Float64Array {
	const [low, high] = finiteRange(y);
	const half = Math.floor(window / 2);
	const blocks = new BlockSums(y);
	const result = new Float64Array(wanted.length);
	for (let i = 0; i < wanted.length; i++) {
		const center = wanted[i] as number;
		const raw = y[center] as number;
		if (!Number.isFinite(raw)) {
			result[i] = raw;
			continue;
		}
		const mean = blocks.mean(Math.max(0, center - half), Math.min(y.length, center + half + 1));
		result[i] = Math.min(high, Math.max(low, mean));
	}
	return result;
}
