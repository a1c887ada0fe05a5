/** The few statistics that the algorithm and its metrics share, in double precision. */

/** NaN for an empty list: callers leave empty groups out before they ask. */
export function mean(values: readonly number[]): number {
	let sum = 0;
	for (const value of values) sum += value;
	return sum / values.length;
}

/** Population standard deviation (divides by the count), as the reference normalises. */
export function populationStd(values: readonly number[]): number {
	const centre = mean(values);
	return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}

/** A loop, since a spread of a long list exceeds the limit of arguments. */
export function extremes(values: readonly number[]): { low: number; high: number } {
	let low = Infinity;
	let high = -Infinity;
	for (const value of values) {
		if (value < low) low = value;
		if (value > high) high = value;
	}
	return { low, high };
}

/** Linear interpolation between the order statistics of an ascending list. */
export function quantile(ascending: readonly number[], share: number): number {
	const position = (ascending.length - 1) * share;
	const low = ascending[Math.floor(position)] ?? NaN;
	const high = ascending[Math.ceil(position)] ?? NaN;
	return low + (high - low) * (position - Math.floor(position));
}

export function isKnown(value: number | null): value is number {
	return value !== null;
}

/** Mean of the values that are known; null if none is. */
export function meanOfKnown(values: readonly (number | null)[]): number | null {
	const known = values.filter(isKnown);
	return known.length === 0 ? null : mean(known);
}
