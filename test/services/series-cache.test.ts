import { describe, expect, it } from 'vitest';
import type { MetricPoints } from '../../src-main/services/context.ts';
import { SeriesCache } from '../../src-main/services/series-cache.ts';

function source(length: number): {
	reads: number;
	revision: number;
	pointsRevision(): number;
	metricPoints(): MetricPoints;
	firstPointMs(): number;
} {
	return {
		reads: 0,
		revision: 1,
		pointsRevision() {
			return this.revision;
		},
		metricPoints() {
			this.reads++;
			const column = Float64Array.from({ length }, (_, i) => i);
			return { step: column, envStep: column, epoch: column, wallTimeMs: column, value: column };
		},
		firstPointMs: () => 0,
	};
}

describe('the cache of lines', () => {
	it('reads a line again only when its run has new points', () => {
		const cache = new SeriesCache();
		const points = source(10);
		const first = cache.line(points, 'a', 'loss', 'step');
		expect(cache.line(points, 'a', 'loss', 'step')).toBe(first);
		expect(points.reads).toBe(1);
		points.revision++;
		expect(cache.line(points, 'a', 'loss', 'step')).not.toBe(first);
		cache.line(points, 'a', 'loss', 'relative');
		expect(points.reads).toBe(3);
	});

	it('holds no more than it may, letting go of what was not used', () => {
		const cache = new SeriesCache(5 * 1600);
		const points = source(100);
		for (let i = 0; i < 20; i++) {
			cache.line(points, 'kept', 'loss', 'step');
			cache.line(points, `run-${i}`, 'loss', 'step');
		}
		expect(points.reads).toBe(21);
		expect(cache.bytes).toBe(5 * 1600);
		cache.clear();
		expect(cache.bytes).toBe(0);
	});

	it('serves a line larger than the whole cache', () => {
		const cache = new SeriesCache(10);
		expect(cache.line(source(100), 'a', 'loss', 'step').x).toHaveLength(100);
	});
});
