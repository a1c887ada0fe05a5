/** What the band around a group's mean spans. */
export const bandKinds = ['std', 'sem', 'ci95', 'range', 'none'] as const;
export type BandKind = (typeof bandKinds)[number];

export const bandLabels: Record<BandKind, string> = {
	std: '± standard deviation',
	sem: '± standard error',
	ci95: '95 % interval of the mean',
	range: 'lowest to highest',
	none: 'no band',
};

/** Two-sided 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom; 1.96 beyond. */
const studentT = [
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
	2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048,
	2.045, 2.042,
];

export interface Spread {
	count: number;
	mean: number;
	/** Sample standard deviation (n − 1); 0 for one value. */
	std: number;
	min: number;
	max: number;
}

/** Mean and spread of the finite values; null without one. */
export function spreadOf(values: readonly number[]): Spread | null {
	const finite = values.filter((value) => Number.isFinite(value));
	const count = finite.length;
	if (count === 0) return null;
	const mean = finite.reduce((sum, value) => sum + value, 0) / count;
	const squares = finite.reduce((sum, value) => sum + (value - mean) ** 2, 0);
	return {
		count,
		mean,
		std: count < 2 ? 0 : Math.sqrt(squares / (count - 1)),
		min: Math.min(...finite),
		max: Math.max(...finite),
	};
}

/** Low and high end of a band. */
export function bandOf(spread: Spread, kind: BandKind): { low: number; high: number } {
	const { count, mean, std, min, max } = spread;
	if (kind === 'range') return { low: min, high: max };
	const error = std / Math.sqrt(count);
	const half =
		kind === 'std'
			? std
			: kind === 'sem'
				? error
				: kind === 'ci95' && count > 1
					? error * (studentT[count - 2] ?? 1.96)
					: 0;
	return { low: mean - half, high: mean + half };
}

interface Row {
	x: Float64Array;
	y: Float64Array;
}

/** Value of a row at `at`, straight between its neighbours; NaN outside of the row and next to a gap. */
export function valueAt(row: Row, at: number): number {
	const { x, y } = row;
	let low = 0;
	let high = x.length - 1;
	if (high < 0 || at < (x[0] ?? 0) || at > (x[high] ?? 0)) return Number.NaN;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if ((x[middle] ?? 0) <= at) low = middle;
		else high = middle;
	}
	const x0 = x[low] ?? 0;
	const x1 = x[high] ?? 0;
	if (at === x1) return y[high] ?? Number.NaN;
	if (at === x0 || x1 === x0) return y[low] ?? Number.NaN;
	const share = (at - x0) / (x1 - x0);
	return (y[low] ?? Number.NaN) * (1 - share) + (y[high] ?? Number.NaN) * share;
}

/** Mean and band of several rows on the union of their places, thinned to at most `most`. */
export function groupRows(
	rows: readonly Row[],
	kind: BandKind,
	most = 800,
): { x: Float64Array; mean: Float64Array; low: Float64Array; high: Float64Array } {
	const union = [...new Set(rows.flatMap((row) => [...row.x]))]
		.filter((place) => Number.isFinite(place))
		.sort((a, b) => a - b);
	const stride = Math.max(1, Math.ceil(union.length / most));
	const places = union.filter((_, index) => index % stride === 0 || index === union.length - 1);
	const x = Float64Array.from(places);
	const mean = new Float64Array(places.length).fill(Number.NaN);
	const low = mean.slice();
	const high = mean.slice();
	places.forEach((place, index) => {
		const spread = spreadOf(rows.map((row) => valueAt(row, place)));
		if (spread === null) return;
		const band = bandOf(spread, kind);
		mean[index] = spread.mean;
		low[index] = band.low;
		high[index] = band.high;
	});
	return { x, mean, low, high };
}
