/** Lines that are made on the main side: expressions, metrics against metrics, and the nodes behind points. */
import { describe, expect, it } from 'vitest';
import { xAxes, type RequestParams, type Series } from '../../src-main/contract/requests.ts';
import type { MetricPoints } from '../../src-main/services/context.ts';
import { metricSeries } from '../../src-main/services/metrics.ts';
import { SeriesCache } from '../../src-main/services/series-cache.ts';
import { standInRecords } from '../support/stand-in-context.ts';

function points(step: readonly number[], value: readonly number[]): MetricPoints {
	const column = Float64Array.from(step);
	return {
		step: column,
		envStep: column.map((at) => at * 10),
		epoch: column.map((at) => at / 10),
		// The clock went back once.
		wallTimeMs: column.map((at) => (at === 5 ? 1 : at * 1000)),
		value: Float64Array.from(value),
	};
}

const stored: Record<string, MetricPoints> = {
	'turn_1/reward_mean': points([1, 2, 3, 4, 5, 6], [0.1, 0.2, 0.3, NaN, 0.5, 0.6]),
	// Two points at step 3: the later one counts.
	'turn_2/reward_mean': points([2, 3, 3, 5, 6], [0.4, 9, 0.7, 0.6, Infinity]),
	'turn_1/nodes': points([1, 2, 3, 5, 6], [1, 2, 3, 5, 6]),
	tokens: points([2, 3, 4, 5], [30, 20, NaN, 10]),
};
const nothing = points([], []);

function ask(params: Partial<RequestParams<'metrics.series'>>): Series[] {
	const records = {
		...standInRecords(),
		metricPoints: (_: string, key: string) => stored[key] ?? nothing,
	};
	return metricSeries(
		{ runIds: ['a'], keys: [], x: 'step', smoothing: { kind: 'none' }, buckets: 1000, ...params },
		{ records, series: new SeriesCache() },
	).series;
}

describe('an expression', () => {
	const gain = 'turn_2/reward_mean - turn_1/reward_mean';

	it('has a point where all of its metrics have one', () => {
		const [line] = ask({ expressions: [gain] });
		expect(line?.key).toBe(gain);
		expect([...(line?.x ?? [])]).toEqual([2, 3, 5, 6]);
		[0.2, 0.4, 0.1, Infinity].forEach((value, i) => expect(line?.y[i]).toBeCloseTo(value, 12));
		expect(line?.nonFinite).toBe(1);
	});

	it.each(xAxes)('lies at the places of its first metric against %s', (x) => {
		const [line] = ask({ expressions: [gain], x });
		const [plain] = ask({ keys: ['turn_2/reward_mean'], x });
		for (const at of line?.x ?? []) expect([...(plain?.x ?? [])]).toContain(at);
		expect(line?.step === null).toBe(x === 'step');
	});

	it('is smoothed on all of its points, whatever the zoom', () => {
		const smoothing = { kind: 'ema', weight: 0.9 } as const;
		const [whole] = ask({ expressions: ['cumsum(turn_1/reward_mean)'], smoothing });
		const [zoomed] = ask({
			expressions: ['cumsum(turn_1/reward_mean)'],
			smoothing,
			from: 5,
			to: 5,
			buckets: 1,
		});
		expect(zoomed?.smooth[zoomed.x.indexOf(5)]).toBe(whole?.smooth[4]);
	});

	it('that cannot be read is refused with the place of the problem', () => {
		expect(() => ask({ expressions: ['1 +'] })).toThrow(/expressions\.0, character 4/u);
	});

	it('gives no line where a metric is missing, or where it names none', () => {
		expect(ask({ expressions: ['turn_1/reward_mean + missing', '1 + 1'] })).toEqual([]);
	});
});

describe('a line against another metric', () => {
	it('is in the order of that metric, where it is finite', () => {
		const [line] = ask({ keys: ['turn_1/reward_mean'], xKey: 'tokens' });
		expect([...(line?.x ?? [])]).toEqual([10, 20, 30]);
		expect([...(line?.y ?? [])]).toEqual([0.5, 0.3, 0.2]);
		expect([...(line?.step ?? [])]).toEqual([5, 3, 2]);
	});

	it('is none where the runs have not logged that metric', () => {
		expect(ask({ keys: ['turn_1/reward_mean'], xKey: 'missing' })).toEqual([]);
	});
});

describe('the nodes behind points', () => {
	it('come with the metrics of a turn, by step, against any axis', () => {
		const keys = ['turn_1/reward_mean', 'tokens', 'turn_2/reward_mean'];
		const [first, second, third] = ask({ keys, nodes: true, x: 'wall' });
		expect([...(first?.step ?? [])]).toEqual([5, 1, 2, 3, 4, 6]);
		expect([...(first?.nodes ?? [])]).toEqual([5, 1, 2, 3, NaN, 6]);
		expect(second?.nodes).toBeNull();
		expect(third?.nodes).toBeNull();
		expect(ask({ keys })[0]?.nodes).toBeNull();
	});
});
