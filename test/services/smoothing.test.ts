import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Smoothing } from '../../src-main/contract/requests.ts';
import { smoothAt } from '../../src-main/services/smoothing.ts';

const kinds: Smoothing[] = [
	{ kind: 'none' },
	...[0, 0.222, 0.6, 0.99, 0.999].map((weight) => ({ kind: 'ema' as const, weight })),
	...[0, 0.222, 0.6, 0.99, 0.999].map((weight) => ({ kind: 'time-ema' as const, weight })),
	...[0.3, 2, 7.9, 8, 33, 400].map((sigma) => ({ kind: 'gaussian' as const, sigma })),
	...[1, 3, 10, 501].map((window) => ({ kind: 'mean' as const, window })),
];
const name = (smoothing: Smoothing): string => JSON.stringify(smoothing);

const everyPoint = (length: number): Int32Array => Int32Array.from({ length }, (_, i) => i);
const steps = (length: number): Float64Array => Float64Array.from({ length }, (_, i) => i);

function smoothAll(y: readonly number[], smoothing: Smoothing, x = steps(y.length)): number[] {
	return [...smoothAt(x, Float64Array.from(y), smoothing, everyPoint(y.length))];
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
const line = fc.array(
	fc.oneof(
		{ weight: 9, arbitrary: finite },
		{ weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity) },
	),
	{ minLength: 1, maxLength: 120 },
);

describe.each(kinds.map((kind) => [name(kind), kind] as const))('smoothing %s', (_, smoothing) => {
	it.each([1e-4, 0.1, -3, 1 / 3, 1e308, 5e-324, 0])(
		'leaves a constant line of %d exactly as it is',
		(value) => {
			const y = Array.from({ length: 2000 }, () => value);
			expect(smoothAll(y, smoothing)).toEqual(y);
		},
	);

	it('keeps values that are not finite where they are and lets them spread nowhere', () => {
		fc.assert(
			fc.property(line, (y) => {
				const smooth = smoothAll(y, smoothing);
				y.forEach((value, i) => {
					if (Number.isFinite(value)) expect(Number.isFinite(smooth[i])).toBe(true);
					else expect(smooth[i]).toBe(value);
				});
			}),
		);
	});

	it('stays between the lowest and the highest value', () => {
		fc.assert(
			fc.property(fc.array(finite, { minLength: 1, maxLength: 120 }), (y) => {
				const slack = 1e-9 * Math.max(...y.map(Math.abs), 1);
				for (const value of smoothAll(y, smoothing)) {
					expect(value).toBeGreaterThanOrEqual(Math.min(...y) - slack);
					expect(value).toBeLessThanOrEqual(Math.max(...y) + slack);
				}
			}),
		);
	});

	it('gives a point the same value whichever points are asked for', () => {
		const y = Float64Array.from({ length: 3000 }, (_, i) => Math.sin(i / 40) + (i % 7));
		const whole = smoothAt(steps(3000), y, smoothing, everyPoint(3000));
		const some = Int32Array.from([0, 1, 700, 1499, 1500, 2998, 2999]);
		const picked = smoothAt(steps(3000), y, smoothing, some);
		some.forEach((index, i) => expect(picked[i]).toBe(whole[index]));
	});

	it('survives values near the largest number', () => {
		const y = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? 1.7e308 : -1.7e308));
		for (const value of smoothAll(y, smoothing)) expect(Number.isFinite(value)).toBe(true);
	});
});

describe('the exponential average', () => {
	it("equals TensorBoard's debiased formula", () => {
		fc.assert(
			fc.property(
				fc.array(finite, { minLength: 1, maxLength: 60 }),
				fc.double({ min: 0.01, max: 0.99, noNaN: true }),
				(y, weight) => {
					let last = 0;
					const expected = y.map((value, i) => {
						last = last * weight + (1 - weight) * value;
						return last / (1 - weight ** (i + 1));
					});
					const scale = Math.max(...y.map(Math.abs), 1);
					smoothAll(y, { kind: 'ema', weight }).forEach((value, i) =>
						expect(Math.abs(value - (expected[i] ?? NaN))).toBeLessThan(1e-9 * scale),
					);
				},
			),
		);
	});

	it('weighted by time equals it on evenly spaced points', () => {
		const y = Array.from({ length: 200 }, (_, i) => Math.cos(i) * i);
		const even = smoothAll(y, { kind: 'ema', weight: 0.9 });
		const timed = smoothAt(
			steps(200).map((x) => 50 + 3 * x),
			Float64Array.from(y),
			{ kind: 'time-ema', weight: 0.9 },
			everyPoint(200),
		);
		even.forEach((value, i) => expect(timed[i]).toBeCloseTo(value, 9));
	});

	it('weighted by time forgets more over a longer pause', () => {
		const y = [0, 0, 0, 1];
		const near = smoothAll(y, { kind: 'time-ema', weight: 0.9 }, Float64Array.from([0, 1, 2, 3]));
		const far = smoothAll(y, { kind: 'time-ema', weight: 0.9 }, Float64Array.from([0, 1, 2, 30]));
		expect(far[3]).toBeGreaterThan(near[3] ?? NaN);
	});
});

describe('the Gaussian', () => {
	/** The definition: every point of the line, weight e^(−d²/2σ²). */
	function plain(y: readonly number[], sigma: number): number[] {
		return y.map((_, i) => {
			let sum = 0;
			let weight = 0;
			y.forEach((value, j) => {
				if (!Number.isFinite(value)) return;
				const factor = Math.exp(-0.5 * ((i - j) / sigma) ** 2);
				sum += factor * value;
				weight += factor;
			});
			return sum / weight;
		});
	}

	it.each([0.5, 3, 7.9, 8, 12.5, 50, 1000])(
		'of deviation %d equals its definition to 1e-9',
		(sigma) => {
			const y = Array.from({ length: 700 }, (_, i) =>
				i % 90 === 7 ? NaN : Math.sin(i * i) * 5 + i / 100,
			);
			const expected = plain(y, sigma);
			smoothAll(y, { kind: 'gaussian', sigma }).forEach((value, i) => {
				if (Number.isFinite(y[i]))
					expect(Math.abs(value - (expected[i] ?? NaN))).toBeLessThan(1e-9);
			});
		},
	);

	it('keeps the precision of small values beyond the reach of a huge one', () => {
		const y = Array.from({ length: 4000 }, (_, i) => (i === 0 ? 1e300 : 1e-6 * (1 + (i % 3))));
		const smooth = smoothAll(y, { kind: 'gaussian', sigma: 20 });
		const expected = plain(y.slice(3000), 20);
		expect(Math.abs((smooth[3500] ?? NaN) - (expected[500] ?? NaN))).toBeLessThan(1e-15);
	});
});

describe('the running mean', () => {
	it('equals its definition, windows cut at the ends', () => {
		fc.assert(
			fc.property(line, fc.integer({ min: 1, max: 41 }), (y, window) => {
				const half = Math.floor(window / 2);
				smoothAll(y, { kind: 'mean', window }).forEach((value, i) => {
					if (!Number.isFinite(y[i])) return;
					const near = y.slice(Math.max(0, i - half), i + half + 1).filter(Number.isFinite);
					const mean = near.reduce((sum, part) => sum + part, 0) / near.length;
					expect(Math.abs(value - mean)).toBeLessThan(1e-6);
				});
			}),
		);
	});

	it('keeps the precision of small values outside the window of a huge one', () => {
		const y = [1e300, ...Array.from({ length: 100 }, () => 0.25), 0.5];
		expect(smoothAll(y, { kind: 'mean', window: 3 })[50]).toBe(0.25);
	});
});
