import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearTicks, logTicks, tickLabel } from '../../../../src-renderer/logic/chart/ticks.ts';

describe('ticks', () => {
	test.each([
		[{ min: 1, max: 8 }, 5, [2, 4, 6, 8]],
		[{ min: 1, max: 3 }, 5, [1, 2, 3]],
		[{ min: 0, max: 120 }, 4, [0, 50, 100]],
		[{ min: 1000, max: 90_000 }, 5, [20_000, 40_000, 60_000, 80_000]],
	])('of counts in %j are whole', (range, wanted, expected) => {
		expect(linearTicks(range, wanted, 'count')).toEqual(expected);
	});

	test('lie in the range and are few, whatever it is', () => {
		const ends = fc.tuple(
			fc.double({ min: -1e12, max: 1e12, noNaN: true }),
			fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
		);
		fc.assert(
			fc.property(ends, fc.constantFrom('number', 'count', 'seconds'), ([min, span], kind) => {
				const range = { min, max: min + span };
				const ticks = linearTicks(range, 5, kind);
				expect(ticks.length).toBeLessThanOrEqual(60);
				for (const tick of ticks) {
					expect(tick).toBeGreaterThanOrEqual(min - span * 1e-6 - Math.abs(min) * 1e-9);
					expect(tick).toBeLessThanOrEqual(range.max + span * 1e-6 + Math.abs(min) * 1e-9);
				}
			}),
		);
	});

	test('of a log axis are powers of ten, with more between where there is room', () => {
		expect(logTicks({ min: 0.01, max: 100 }, 5)).toEqual([0.01, 0.1, 1, 10, 100]);
		expect(logTicks({ min: 1, max: 10 }, 6)).toEqual([1, 2, 5, 10]);
	});

	test('of times say what is news', () => {
		expect(tickLabel(90, 'seconds', 600)).toBe('1:30 min');
		expect(tickLabel(7200, 'seconds', 20_000)).toBe('2 h');
		expect(tickLabel(12_480, 'count', 1)).toBe('12,480');
	});
});
