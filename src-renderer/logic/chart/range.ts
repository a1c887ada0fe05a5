export interface AxisRange {
	min: number;
	max: number;
}

/** Largest magnitude an axis is drawn to: beyond it, differences of two ends overflow. */
const largest = 1e300;

/** Smallest and largest finite value; null where there is none. `positive` leaves out 0 and less. */
export function extent(rows: readonly ArrayLike<number>[], positive = false): AxisRange | null {
	let min = Number.POSITIVE_INFINITY;
	let max = Number.NEGATIVE_INFINITY;
	for (const row of rows) {
		for (let index = 0; index < row.length; index++) {
			const value = row[index] ?? Number.NaN;
			if (!Number.isFinite(value) || (positive && value <= 0)) continue;
			if (value < min) min = value;
			if (value > max) max = value;
		}
	}
	return min > max ? null : { min: Math.max(min, -largest), max: Math.min(max, largest) };
}

/** The range that holds all but the outermost `share` of the values at each end; null without a finite one. */
export function rangeWithoutOutliers(
	rows: readonly ArrayLike<number>[],
	share = 0.02,
	positive = false,
): AxisRange | null {
	const values: number[] = [];
	for (const row of rows) {
		for (let index = 0; index < row.length; index++) {
			const value = row[index] ?? Number.NaN;
			if (Number.isFinite(value) && !(positive && value <= 0)) values.push(value);
		}
	}
	if (values.length === 0) return null;
	values.sort((a, b) => a - b);
	const last = values.length - 1;
	const cut = Math.floor(share * last);
	return extent([[values[cut] ?? 0, values[last - cut] ?? 0]]);
}

/** The range with some air, never empty: a constant line sits in the middle. */
export function paddedRange(range: AxisRange | null, log: boolean): AxisRange {
	if (range === null) return log ? { min: 0.1, max: 1 } : { min: 0, max: 1 };
	const { min, max } = range;
	if (log) {
		if (min === max) return { min: min / 3, max: max * 3 };
		const air = Math.pow(max / min, 0.05);
		return { min: min / air, max: max * air };
	}
	if (min === max) {
		const air = Math.abs(min) * 0.1 || 0.5;
		return { min: min - air, max: max + air };
	}
	const air = (max - min) * 0.06;
	return { min: min - air, max: max + air };
}
