/**
 * Which points of a long line are drawn: per bucket of x the lowest, the highest and the last finite
 * value, so that a spike of one point is never lost, and wherever a value that is not finite lies between
 * two of these, that one too, so that no gap is bridged.
 */

/** The part of a line that was asked for, as indices. */
export interface Range {
	/** First index inside. */
	start: number;
	/** One past the last index inside. */
	end: number;
}

/** First index whose x is at least `bound`; `x` ascending. */
function lowerBound(x: Float64Array, bound: number): number {
	let low = 0;
	let high = x.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((x[middle] as number) < bound) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** First index whose x exceeds `bound`; `x` ascending. */
function upperBound(x: Float64Array, bound: number): number {
	let low = 0;
	let high = x.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((x[middle] as number) <= bound) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** The points with from ≤ x ≤ to; a bound left out is open. */
export function rangeOf(x: Float64Array, from: number | undefined, to: number | undefined): Range {
	const start = from === undefined ? 0 : lowerBound(x, from);
	const end = to === undefined ? x.length : upperBound(x, to);
	return { start, end: Math.max(start, end) };
}

/** Indices of one bucket's finite extremes and last, as found so far; −1 for none. */
interface Bucket {
	low: number;
	high: number;
	last: number;
}

/** Keeps chosen indices in ascending order, adding what marks a gap between two of them. */
class Keeper {
	readonly #y: Float64Array;
	readonly #kept: number[] = [];
	#seen: number;

	constructor(y: Float64Array, start: number) {
		this.#y = y;
		this.#seen = start;
	}

	/** Of the skipped points before `index`, the first NaN, +∞ and −∞: each is drawn differently. */
	#keepMarks(index: number): void {
		let nan = false;
		let above = false;
		let below = false;
		for (let i = this.#seen; i < index; i++) {
			const value = this.#y[i] as number;
			if (Number.isFinite(value)) continue;
			if (Number.isNaN(value)) {
				if (nan) continue;
				nan = true;
			} else if (value > 0) {
				if (above) continue;
				above = true;
			} else {
				if (below) continue;
				below = true;
			}
			this.#kept.push(i);
		}
	}

	keep(index: number): void {
		if (index < this.#seen) return;
		this.#keepMarks(index);
		this.#kept.push(index);
		this.#seen = index + 1;
	}

	keepBucket({ low, high, last }: Bucket): void {
		if (last < 0) return;
		this.keep(Math.min(low, high));
		this.keep(Math.max(low, high));
		this.keep(last);
	}

	finish(end: number): Int32Array {
		this.#keepMarks(end);
		return Int32Array.from(this.#kept);
	}
}

/**
 * Ascending indices to draw of the points in `range`. All of them where they are at most three a bucket
 * (what thinning would leave); else at most three finite points a bucket, the first one, and the gaps.
 */
export function thin(
	x: Float64Array,
	y: Float64Array,
	range: Range,
	buckets: number,
): { indices: Int32Array; exact: boolean } {
	const { start, end } = range;
	const count = end - start;
	if (count <= 3 * buckets) {
		return { indices: Int32Array.from({ length: count }, (_, i) => start + i), exact: true };
	}
	const left = x[start] as number;
	const width = (x[end - 1] as number) - left;
	// Points at one place are told apart by their order alone.
	const bucketOf = (index: number): number =>
		Math.min(
			buckets - 1,
			width > 0
				? Math.floor((((x[index] as number) - left) / width) * buckets)
				: Math.floor(((index - start) / count) * buckets),
		);

	const keeper = new Keeper(y, start);
	keeper.keep(start);
	const bucket: Bucket = { low: -1, high: -1, last: -1 };
	let current = 0;
	for (let i = start; i < end; i++) {
		const value = y[i] as number;
		if (!Number.isFinite(value)) continue;
		const place = bucketOf(i);
		if (place !== current) {
			keeper.keepBucket(bucket);
			current = place;
			bucket.last = -1;
		}
		if (bucket.last < 0) {
			bucket.low = i;
			bucket.high = i;
		} else if (value < (y[bucket.low] as number)) bucket.low = i;
		else if (value > (y[bucket.high] as number)) bucket.high = i;
		bucket.last = i;
	}
	keeper.keepBucket(bucket);
	return { indices: keeper.finish(end), exact: false };
}

/** The kept indices with the neighbour on each side of the range, so that lines reach the edge of a zoomed chart. */
export function withNeighbours(indices: Int32Array, range: Range, length: number): Int32Array {
	const before = range.start > 0 ? [range.start - 1] : [];
	const after = range.end < length ? [range.end] : [];
	return before.length + after.length === 0
		? indices
		: Int32Array.from([...before, ...indices, ...after]);
}
