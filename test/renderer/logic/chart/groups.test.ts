import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	bandOf,
	groupRows,
	spreadOf,
	valueAt,
} from '../../../../src-renderer/logic/chart/bands.ts';
import { groupLines } from '../../../../src-renderer/logic/chart/group-lines.ts';
import type { ChartLine } from '../../../../src-renderer/logic/chart/line.ts';

const line = (runId: string, y: number[], more: Partial<ChartLine> = {}): ChartLine => ({
	id: runId,
	label: runId,
	runId,
	key: 'k',
	color: runId,
	dash: [],
	x: Float64Array.from(y, (_, at) => at + 1),
	y: Float64Array.from(y),
	raw: null,
	band: null,
	nonFinite: 0,
	total: y.length,
	...more,
});

describe('the spread of values', () => {
	test('is by hand what it should be', () => {
		expect(spreadOf([1, 2, 3, 4])).toEqual({
			count: 4,
			mean: 2.5,
			std: Math.sqrt(5 / 3),
			min: 1,
			max: 4,
		});
		expect(spreadOf([NaN, 5])).toEqual({ count: 1, mean: 5, std: 0, min: 5, max: 5 });
		expect(spreadOf([Infinity, NaN])).toBeNull();
	});

	test('gives bands of every kind', () => {
		const spread = { count: 4, mean: 10, std: 2, min: 7, max: 12 };
		expect(bandOf(spread, 'std')).toEqual({ low: 8, high: 12 });
		expect(bandOf(spread, 'sem')).toEqual({ low: 9, high: 11 });
		// Student's t of 3 degrees of freedom: 3.182.
		expect(bandOf(spread, 'ci95').high).toBeCloseTo(10 + 3.182, 3);
		expect(bandOf(spread, 'range')).toEqual({ low: 7, high: 12 });
		expect(bandOf(spread, 'none')).toEqual({ low: 10, high: 10 });
	});
});

describe('rows of several runs', () => {
	test('are read between their points, and nowhere outside', () => {
		const row = { x: Float64Array.of(1, 3), y: Float64Array.of(10, 30) };
		expect(valueAt(row, 2)).toBe(20);
		expect(valueAt(row, 3)).toBe(30);
		expect(valueAt(row, 0.5)).toBeNaN();
		expect(valueAt(row, 4)).toBeNaN();
	});

	test('have the mean of those that are there at each place', () => {
		const { x, mean, low, high } = groupRows(
			[
				{ x: Float64Array.of(1, 2), y: Float64Array.of(1, 3) },
				{ x: Float64Array.of(1, 2, 3), y: Float64Array.of(3, 5, 7) },
			],
			'range',
		);
		expect([...x]).toEqual([1, 2, 3]);
		expect([...mean]).toEqual([2, 4, 7]);
		expect([...low]).toEqual([1, 3, 7]);
		expect([...high]).toEqual([3, 5, 7]);
	});

	test('lie within their band, whatever they are', () => {
		const row = fc
			.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 20 })
			.map((y) => ({ x: Float64Array.from(y, (_, at) => at), y: Float64Array.from(y) }));
		fc.assert(
			fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
				const { mean, low, high } = groupRows(rows, 'range');
				for (const [at, value] of mean.entries()) {
					expect(value).toBeGreaterThanOrEqual((low[at] ?? NaN) - 1e-6);
					expect(value).toBeLessThanOrEqual((high[at] ?? NaN) + 1e-6);
				}
			}),
		);
	});
});

test('groups have one line each, named with their number of runs', () => {
	const groups = groupLines(
		[line('a', [1, 2]), line('b', [3, 4]), line('c', [9, 9])],
		(runId) => (runId === 'c' ? { id: '2', label: 'lr 2' } : { id: '1', label: 'lr 1' }),
		'std',
	);
	expect(groups.map(({ label, color, runId }) => [label, color, runId])).toEqual([
		['lr 1 (2)', 'a', null],
		['lr 2 (1)', 'c', null],
	]);
	expect([...(groups[0]?.y ?? [])]).toEqual([2, 3]);
	expect(groups[0]?.band?.high[0]).toBeCloseTo(2 + Math.SQRT2, 12);
});
