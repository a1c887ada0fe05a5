/**
 * Gaussian smoothing at chosen points, in time that does not grow with the width of the kernel.
 *
 * A Gaussian of deviation σ is one of σ/√2 applied twice. Between the two the line is smooth enough to
 * be kept at every h-th point only: the error of that sum is that of the trapezoidal rule on a Gaussian,
 * e^(−2π²s²) with s = σ/(2h), 4e-13 at the spacing chosen here. Every term is a positive weight times a
 * near value (no transform over the whole line), so one huge value disturbs only what its kernel reaches.
 */

import { finiteRange } from './finite-range.ts';

/** Kernels are cut where they have fallen to e^(−24.5) = 2e-11 of their peak. */
const reach = 7;
/** Below this deviation the direct sum is as cheap. */
const directBelow = 8;

/** Half of a symmetric kernel: weight at distance 0, 1, 2, … in points. Sums to about 1. */
function halfKernel(sigma: number, spacing: number, length: number): Float64Array {
	const weights = new Float64Array(length);
	const peak = spacing / (sigma * Math.sqrt(2 * Math.PI));
	for (let k = 0; k < length; k++)
		weights[k] = peak * Math.exp(-0.5 * ((k * spacing) / sigma) ** 2);
	return weights;
}

interface Weighted {
	/** Σ kernel × value and Σ kernel over finite values. */
	sum: number;
	weight: number;
}

function convolveAt(
	values: Float64Array,
	kernel: Float64Array,
	center: number,
	out: Weighted,
): void {
	let sum = 0;
	let weight = 0;
	const from = Math.max(0, center - kernel.length + 1);
	const to = Math.min(values.length - 1, center + kernel.length - 1);
	for (let j = from; j <= to; j++) {
		const value = values[j] as number;
		if (!Number.isFinite(value)) continue;
		const factor = kernel[Math.abs(j - center)] as number;
		sum += factor * value;
		weight += factor;
	}
	out.sum = sum;
	out.weight = weight;
}

/** Smoothed values at the points `wanted`; weights are renormalised at the ends and around gaps. `sigma` in points. */
export function smoothGaussian(y: Float64Array, sigma: number, wanted: Int32Array): Float64Array {
	const [low, high] = finiteRange(y);
	const result = new Float64Array(wanted.length);
	const at: Weighted = { sum: 0, weight: 0 };
	const finish = (index: number, raw: number): void => {
		const mean = at.sum / at.weight;
		result[index] = Number.isFinite(raw) ? Math.min(high, Math.max(low, mean)) : raw;
	};

	if (sigma < directBelow) {
		const kernel = halfKernel(sigma, 1, Math.ceil(reach * sigma) + 1);
		for (let i = 0; i < wanted.length; i++) {
			const center = wanted[i] as number;
			convolveAt(y, kernel, center, at);
			finish(i, y[center] as number);
		}
		return result;
	}

	const part = sigma / Math.SQRT2;
	const spacing = Math.floor(sigma / 2.4);
	// The coarse line reaches beyond both ends, as the two-step sum does.
	const margin = Math.ceil((reach * part) / spacing);
	const length = Math.ceil(y.length / spacing) + 2 * margin + 1;
	const sums = new Float64Array(length);
	const weights = new Float64Array(length);
	const kernel = halfKernel(part, 1, Math.ceil(reach * part) + 1);
	for (let k = 0; k < length; k++) {
		convolveAt(y, kernel, (k - margin) * spacing, at);
		sums[k] = at.sum;
		weights[k] = at.weight;
	}

	const peak = spacing / (part * Math.sqrt(2 * Math.PI));
	for (let i = 0; i < wanted.length; i++) {
		const center = wanted[i] as number;
		const position = center / spacing + margin;
		const first = Math.max(0, Math.ceil(position - margin));
		const last = Math.min(length - 1, Math.floor(position + margin));
		at.sum = 0;
		at.weight = 0;
		for (let k = first; k <= last; k++) {
			const factor = peak * Math.exp(-0.5 * (((k - position) * spacing) / part) ** 2);
			at.sum += factor * (sums[k] as number);
			at.weight += factor * (weights[k] as number);
		}
		finish(i, y[center] as number);
	}
	return result;
}
