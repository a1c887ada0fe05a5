/**
 * Smoothing of one line of a chart, on all of its stored points, before any thinning: a smoothed value
 * depends on the data alone, never on the zoom or the width of the window.
 *
 * Two rules hold for every kind. A constant line stays exactly constant. A value that is not finite
 * stays where it is and enters no average, so a NaN leaves one gap and does not spread.
 */
import type { Smoothing } from '../contract/requests.ts';
import { smoothGaussian } from './smooth-gaussian.ts';
import { smoothRunningMean } from './smooth-running-mean.ts';

/**
 * Exponential average with its bias at the start removed, as a decayed weighted mean:
 * weight of the past D ← D·decay + 1, mean ← mean + (y − mean) / D. With a constant decay w this is
 * TensorBoard's (Σ w^k (1 − w) y) / (1 − w^n); written as a difference, equal values change nothing.
 *
 * `decayOf(i, previous)` is the decay between finite point `previous` and point `i`.
 */
function decayedMean(
	y: Float64Array,
	decayOf: (index: number, previous: number) => number,
): Float64Array {
	const smooth = new Float64Array(y.length);
	let mean = 0;
	let weight = 0;
	let previous = -1;
	for (let i = 0; i < y.length; i++) {
		const value = y[i] as number;
		if (!Number.isFinite(value)) {
			smooth[i] = value;
			continue;
		}
		weight = previous < 0 ? 1 : weight * decayOf(i, previous) + 1;
		const change = value - mean;
		if (weight === 1) mean = value;
		// The difference of two values of opposite sign near the largest number is not finite.
		else if (Number.isFinite(change)) mean += change / weight;
		else mean = mean * ((weight - 1) / weight) + value / weight;
		previous = i;
		smooth[i] = mean;
	}
	return smooth;
}

/** Mean distance in x between neighbouring finite points; 0 where it cannot be told. */
function meanSpacing(x: Float64Array, y: Float64Array): number {
	let first = NaN;
	let last = NaN;
	let count = 0;
	for (let i = 0; i < y.length; i++) {
		if (!Number.isFinite(y[i])) continue;
		if (count === 0) first = x[i] as number;
		last = x[i] as number;
		count++;
	}
	return count > 1 ? (last - first) / (count - 1) : 0;
}

/** As `ema`, the decay being weight^(distance / mean distance), after the time-weighted average of W&B. */
function timeWeightedMean(x: Float64Array, y: Float64Array, weight: number): Float64Array {
	const spacing = meanSpacing(x, y);
	if (spacing <= 0) return decayedMean(y, () => weight);
	const logWeight = Math.log(weight);
	let lastDistance = NaN;
	let lastDecay = 0;
	return decayedMean(y, (index, previous) => {
		const distance = (x[index] as number) - (x[previous] as number);
		// Evenly spaced points, the usual case, need the exponential once.
		if (distance !== lastDistance) {
			lastDistance = distance;
			lastDecay = distance === 0 ? 1 : Math.exp(logWeight * (distance / spacing));
		}
		return lastDecay;
	});
}

/**
 * Smoothed values at the points `wanted` (ascending indices into `y`), in that order.
 * `x` ascending and `y` of one length.
 */
export function smoothAt(
	x: Float64Array,
	y: Float64Array,
	smoothing: Smoothing,
	wanted: Int32Array,
): Float64Array {
	switch (smoothing.kind) {
		case 'none':
			return pick(y, wanted);
		case 'ema':
			return pick(
				decayedMean(y, () => smoothing.weight),
				wanted,
			);
		case 'time-ema':
			return pick(timeWeightedMean(x, y, smoothing.weight), wanted);
		case 'gaussian':
			return smoothGaussian(y, smoothing.sigma, wanted);
		case 'mean':
			return smoothRunningMean(y, smoothing.window, wanted);
	}
}

/** The values at the given indices. */
export function pick(values: Float64Array, wanted: Int32Array): Float64Array {
	const picked = new Float64Array(wanted.length);
	for (let i = 0; i < wanted.length; i++) picked[i] = values[wanted[i] as number] as number;
	return picked;
}
