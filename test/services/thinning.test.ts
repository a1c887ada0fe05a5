import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeOf, thin, withNeighbours } from '../../src-main/services/thinning.ts';

const steps = (length: number): Float64Array => Float64Array.from({ length }, (_, i) => i);
const whole = (y: Float64Array) => ({ start: 0, end: y.length });

const value = fc.oneof(
	{ weight: 8, arbitrary: fc.double({ noNaN: true, min: -100, max: 100 }) },
	{ weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity) },
);
const line = fc.array(value, { minLength: 1, maxLength: 400 }).map((y) => Float64Array.from(y));

describe('a range', () => {
	it('holds the points with from ≤ x ≤ to', () => {
		fc.assert(
			fc.property(
				fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 40 }),
				fc.option(fc.integer({ min: -3, max: 33 }), { nil: undefined }),
				fc.option(fc.integer({ min: -3, max: 33 }), { nil: undefined }),
				(unsorted, from, to) => {
					const x = Float64Array.from(unsorted.sort((a, b) => a - b));
					const { start, end } = rangeOf(x, from, to);
					const inside = [...x].filter((at) => at >= (from ?? -9) && at <= (to ?? 99));
					expect([...x.slice(start, end)]).toEqual(inside);
				},
			),
		);
	});
});

describe('thinning', () => {
	it('keeps everything where that is little', () => {
		const y = Float64Array.from([1, NaN, 2]);
		const { indices, exact } = thin(steps(3), y, whole(y), 1);
		expect([...indices]).toEqual([0, 1, 2]);
		expect(exact).toBe(true);
	});

	it('keeps ascending indices, the first and last value, and the extremes of every bucket', () => {
		fc.assert(
			fc.property(line, fc.integer({ min: 1, max: 20 }), (y, buckets) => {
				const x = steps(y.length);
				const { indices, exact } = thin(x, y, whole(y), buckets);
				const kept = [...indices];
				expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
				if (exact) {
					expect(kept).toHaveLength(y.length);
					return;
				}
				const finite = [...y].filter(Number.isFinite);
				const shown = kept.map((i) => y[i] ?? NaN).filter(Number.isFinite);
				if (finite.length === 0) return;
				expect(Math.min(...shown)).toBe(Math.min(...finite));
				expect(Math.max(...shown)).toBe(Math.max(...finite));
				expect(shown.at(-1)).toBe(finite.at(-1));
				expect(kept[0]).toBe(0);
				expect(shown.length).toBeLessThanOrEqual(3 * buckets + 1);
			}),
		);
	});

	it('never draws a line over a value that is not finite', () => {
		fc.assert(
			fc.property(line, fc.integer({ min: 1, max: 20 }), (y, buckets) => {
				const { indices } = thin(steps(y.length), y, whole(y), buckets);
				for (let i = 1; i < indices.length; i++) {
					const from = indices[i - 1] ?? 0;
					const to = indices[i] ?? 0;
					if (!Number.isFinite(y[from]) || !Number.isFinite(y[to])) continue;
					expect([...y.slice(from, to + 1)].every(Number.isFinite)).toBe(true);
				}
			}),
		);
	});

	it('shows both gaps of a thousand points thinned to a hundred, and a spike of one point', () => {
		const y = Float64Array.from({ length: 1000 }, (_, i) =>
			i >= 200 && i < 300 ? NaN : i === 733 ? 1e6 : Math.sin(i / 50),
		);
		const x = steps(1000).filter((at) => at < 500 || at >= 600);
		const logged = x.map((at) => y[at] ?? NaN);
		const { indices } = thin(x, logged, { start: 0, end: x.length }, 30);
		const points = [...indices].map((i) => [x[i], logged[i]]);
		expect(points.some(([, at]) => Number.isNaN(at))).toBe(true);
		expect(points.some(([, at]) => at === 1e6)).toBe(true);
		expect(points.filter(([at]) => (at ?? 0) >= 500 && (at ?? 0) < 600)).toEqual([]);
		expect(points.length).toBeLessThan(100);
	});

	it('copes with all points at one place', () => {
		const y = steps(100);
		const { indices } = thin(new Float64Array(100), y, whole(y), 4);
		expect(indices.length).toBeLessThanOrEqual(13);
		expect(indices.at(-1)).toBe(99);
	});

	it('adds the neighbours of a zoomed range', () => {
		const indices = Int32Array.from([3, 4]);
		expect([...withNeighbours(indices, { start: 3, end: 5 }, 10)]).toEqual([2, 3, 4, 5]);
		expect([...withNeighbours(indices, { start: 0, end: 10 }, 10)]).toEqual([3, 4]);
	});
});
