import { describe, expect, it } from 'vitest';
import type { MetricPoints } from '../../src-main/services/context.ts';
import { type LineWish, SeriesCache } from '../../src-main/services/series-cache.ts';

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

const wish = (runId: string, axis: 'step' | 'relative' = 'step'): LineWish => ({
	runId,
	of: { kind: 'metric', key: 'loss' },
	x: { kind: 'axis', axis },
});

describe('the cache of lines', () => {
	it('reads a line again only when its run has new points', () => {
		const cache = new SeriesCache();
		const points = source(10);
		const first = cache.line(points, wish('a'));
		expect(cache.line(points, wish('a'))).toBe(first);
		expect(points.reads).toBe(1);
		points.revision++;
		expect(cache.line(points, wish('a'))).not.toBe(first);
		cache.line(points, wish('a', 'relative'));
		expect(points.reads).toBe(3);
	});

	it('holds no more than it may, letting go of what was not used', () => {
		const cache = new SeriesCache(5 * 1600);
		const points = source(100);
		for (let i = 0; i < 20; i++) {
			cache.line(points, wish('kept'));
			cache.line(points, wish(`run-${i}`));
		}
		expect(points.reads).toBe(21);
		expect(cache.bytes).toBe(5 * 1600);
		cache.clear();
		expect(cache.bytes).toBe(0);
	});

	it('serves a line larger than the whole cache', () => {
		const cache = new SeriesCache(10);
		expect(cache.line(source(100), wish('a')).x).toHaveLength(100);
	});
});
