/** One line of a chart, ready to draw, in data units. */
export interface ChartLine {
	/** Unique within the chart: names may repeat. */
	id: string;
	label: string;
	/** Set where the line belongs to one run. */
	runId: string | null;
	/** Metric key the values belong to. */
	key: string;
	color: string;
	dash: readonly number[];
	/** Ascending. */
	x: Float64Array;
	/** What the line shows: smoothed where smoothing is on. NaN and infinities are gaps with a mark. */
	y: Float64Array;
	/** Unsmoothed values at the same x, drawn faintly behind; null where equal to `y`. */
	raw: Float64Array | null;
	/** Spread around a group's mean at the same x; null for a single run. */
	band: { low: Float64Array; high: Float64Array } | null;
	/** Non-finite values in the range, also those that thinning left out. */
	nonFinite: number;
	/** Points stored in the range. */
	total: number;
}

export interface XYPoint {
	x: number;
	y: number;
}

export interface ValueMark {
	x: number;
	kind: 'nan' | '+inf' | '-inf';
}

/** What a canvas draws of one row of values. */
export interface DrawnValues {
	/** Gaps are points with a NaN y. */
	points: XYPoint[];
	marks: ValueMark[];
	/** Finite values that a log axis has no place for (0 or less). */
	undrawable: number;
	/** Indices into `points` with no neighbour: a line would not show them. */
	lonely: number[];
}

/**
 * Points, gaps and marks of a row of values. On a log axis values of 0 or less are gaps and are
 * counted; non-finite values are gaps with a mark.
 */
export function drawnValues(
	x: ArrayLike<number>,
	y: ArrayLike<number>,
	axes: { logX: boolean; logY: boolean },
): DrawnValues {
	const points: XYPoint[] = [];
	const marks: ValueMark[] = [];
	let undrawable = 0;
	for (let index = 0; index < x.length; index++) {
		const at = x[index] ?? Number.NaN;
		const value = y[index] ?? Number.NaN;
		if (!Number.isFinite(at)) continue;
		if (axes.logX && at <= 0) {
			if (Number.isFinite(value)) undrawable++;
			continue;
		}
		if (!Number.isFinite(value)) {
			const kind = Number.isNaN(value) ? 'nan' : value > 0 ? '+inf' : '-inf';
			marks.push({ x: at, kind });
			points.push({ x: at, y: Number.NaN });
		} else if (axes.logY && value <= 0) {
			undrawable++;
			points.push({ x: at, y: Number.NaN });
		} else points.push({ x: at, y: value });
	}
	const isGap = (index: number): boolean => Number.isNaN(points[index]?.y ?? Number.NaN);
	const lonely = points
		.map((_, index) => index)
		.filter((index) => !isGap(index) && isGap(index - 1) && isGap(index + 1));
	return { points, marks, undrawable, lonely };
}

/** Index of the entry of ascending `x` nearest to `at`; −1 for an empty row. */
export function nearestIndex(x: ArrayLike<number>, at: number): number {
	let low = 0;
	let high = x.length - 1;
	if (high < 0) return -1;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((x[middle] ?? 0) < at) low = middle + 1;
		else high = middle;
	}
	const before = low - 1;
	if (before < 0) return low;
	return Math.abs((x[before] ?? 0) - at) <= Math.abs((x[low] ?? 0) - at) ? before : low;
}
