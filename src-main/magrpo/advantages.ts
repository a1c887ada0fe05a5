/**
 * Advantages of one group (magrpo.md 2.8): a baseline is subtracted from the returns, then the result
 * may be divided by its population standard deviation. Unknown returns stay null and take no part in
 * mean, maximum, deviation or count. Computed in doubles.
 */
import { extremes, isKnown, mean, populationStd } from './statistics.ts';

export interface AdvantageRule {
	mode: 'mean' | 'raw' | 'max' | 'rloo';
	normalize: boolean;
	/** Smallest divisor, see Profile. */
	stdFloor: number;
}

/** Spreads below which returns count as equal: the same sum in another order must not make a difference. */
const absoluteTolerance = 1e-12;
const relativeTolerance = 1e-9;

/** Whether the known values of a group differ; false for a group of one or none. */
export function hasVariance(values: readonly (number | null)[]): boolean {
	const known = values.filter(isKnown);
	if (known.length < 2) return false;
	const { low, high } = extremes(known);
	const size = Math.max(Math.abs(low), Math.abs(high));
	return high - low > Math.max(absoluteTolerance, relativeTolerance * size);
}

/**
 * A group without variance gets exactly 0 from every rule that compares its members; only `raw` without
 * normalisation compares nothing and keeps the returns.
 */
export function advantagesOf(
	returns: readonly (number | null)[],
	rule: AdvantageRule,
): (number | null)[] {
	const known = returns.filter(isKnown);
	const compares = rule.normalize || rule.mode !== 'raw';
	if (compares && !hasVariance(known)) return returns.map((value) => (value === null ? null : 0));
	const plain = known.map(subtractBaseline(known, rule.mode));
	const used = rule.normalize ? normalized(plain, rule.stdFloor) : plain;
	let next = 0;
	return returns.map((value) => (value === null ? null : (used[next++] ?? null)));
}

function subtractBaseline(
	known: readonly number[],
	mode: AdvantageRule['mode'],
): (value: number) => number {
	const centre = mean(known);
	switch (mode) {
		case 'mean':
			return (value) => value - centre;
		case 'raw':
			return (value) => value;
		case 'max': {
			const best = extremes(known).high;
			return (value) => value - best;
		}
		case 'rloo': {
			// Mean of the others: (n·R − ΣR) / (n − 1).
			const factor = known.length / (known.length - 1);
			return (value) => factor * (value - centre);
		}
	}
}

function normalized(values: readonly number[], stdFloor: number): number[] {
	const centre = mean(values);
	const divisor = Math.max(populationStd(values), stdFloor);
	return values.map((value) => (value - centre) / divisor);
}
