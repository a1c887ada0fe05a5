/** Metric points: stored columns and summaries equal what one computes by hand from everything that was logged. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MetricValue, StepRecord } from '../../src-main/contract/events.ts';
import type { MetricSummary } from '../../src-main/contract/run-record.ts';
import type { Store } from '../../src-main/store/index.ts';
import { newRun, started, stepOf } from '../support/new-run.ts';
import { openAt, temporaryStore } from '../support/temporary-store.ts';

interface Point {
	step: number;
	envStep: number;
	epoch: number;
	wallTimeMs: number;
	value: number;
}

/** What should be stored: by key, in the order of arrival. */
class Expected {
	#points = new Map<string, Point[]>();

	log({ step, epochProgress, wallTimeMs, metrics, ...record }: StepRecord): void {
		for (const { key, value, envStep = record.envStep } of metrics) {
			const own = this.#points.get(key) ?? [];
			const kept = own.filter((point) => point.step !== step || point.envStep !== envStep);
			this.#points.set(key, [...kept, { step, envStep, epoch: epochProgress, wallTimeMs, value }]);
		}
	}

	cutAfter(step: number): void {
		for (const [key, points] of this.#points) {
			const kept = points.filter((point) => point.step <= step);
			if (kept.length === 0) this.#points.delete(key);
			else this.#points.set(key, kept);
		}
	}

	get keys(): string[] {
		return [...this.#points.keys()].sort();
	}

	of(key: string): Point[] {
		return [...(this.#points.get(key) ?? [])].sort(
			(a, b) => a.step - b.step || a.envStep - b.envStep,
		);
	}

	summary(key: string): MetricSummary {
		const points = this.of(key);
		const finite = points.map((point) => point.value).filter(Number.isFinite);
		const last = points.at(-1);
		return {
			key,
			count: points.length,
			nonFinite: points.length - finite.length,
			last: last?.value ?? null,
			min: finite.length === 0 ? null : Math.min(...finite),
			max: finite.length === 0 ? null : Math.max(...finite),
			mean:
				finite.length === 0 ? null : finite.reduce((sum, value) => sum + value / finite.length, 0),
			lastStep: last?.step ?? 0,
		};
	}
}

function expectStored(store: Store, id: string, expected: Expected): void {
	const listed = store.metricKeys([id]).keys;
	expect(listed.map(({ key }) => key)).toEqual(expected.keys);
	const row = store.listRuns({ include: 'all', keys: expected.keys }).runs[0];
	for (const { key, summaries } of listed) {
		const points = expected.of(key);
		const stored = store.metricPoints(id, key);
		expect([...stored.step]).toEqual(points.map((point) => point.step));
		expect([...stored.envStep]).toEqual(points.map((point) => point.envStep));
		expect([...stored.epoch]).toEqual(points.map((point) => point.epoch));
		expect([...stored.wallTimeMs]).toEqual(points.map((point) => point.wallTimeMs));
		expect([...stored.value]).toEqual(points.map((point) => point.value));
		const { mean, ...exact } = expected.summary(key);
		expect(summaries[id]).toMatchObject(exact);
		expect(row?.summaries[key]).toEqual(summaries[id]);
		if (mean === null) expect(summaries[id]?.mean).toBeNull();
		else {
			const scale = Math.max(Math.abs(exact.min ?? 0), Math.abs(exact.max ?? 0), Number.MIN_VALUE);
			expect(Math.abs((summaries[id]?.mean ?? NaN) - mean) / scale).toBeLessThan(1e-12);
		}
	}
}

const value = fc.oneof(
	{ weight: 4, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }) },
	{ weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity, -0, 2 ** 53, 1e300, 5e-324) },
);
const metric = fc
	.record({
		key: fc.constantFrom('loss', 'turn_1/reward_mean', '__proto__', 'größe 森'),
		value,
		envStep: fc.option(fc.nat(20), { nil: undefined, freq: 3 }),
	})
	.map(({ envStep, ...rest }) => (envStep === undefined ? rest : { ...rest, envStep }));

function shifted(metrics: readonly MetricValue[], by: number): MetricValue[] {
	return metrics.map((own) => ({ ...own, value: own.value + by }));
}

const action = fc.oneof(
	{
		weight: 20,
		arbitrary: fc.record({
			kind: fc.constant('steps' as const),
			count: fc.integer({ min: 1, max: 40 }),
			metrics: fc.array(metric, { maxLength: 6 }),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('late' as const),
			back: fc.nat(30),
			metrics: fc.array(metric, { maxLength: 4 }),
		}),
	},
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('resume' as const), back: fc.nat(60) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const) }) },
);

describe('points of a run', () => {
	it('are all there, in order and with their summaries, after any history of steps, late values and resumes', async () => {
		const store = await temporaryStore();
		fc.assert(
			fc.property(fc.array(action, { minLength: 1, maxLength: 24 }), (actions) => {
				const id = store.createRun(newRun());
				const expected = new Expected();
				let recorder = store.recorder(id);
				recorder.record(started());
				let step = 0;
				let cut: number | null = null;
				const log = (at: number, metrics: StepRecord['metrics']): void => {
					const event = stepOf(at, metrics, { envStep: 7 * at });
					if (event.kind !== 'step') return;
					if (cut !== null) expected.cutAfter(cut);
					cut = null;
					expected.log(event.record);
					recorder.record(event);
				};
				for (const own of actions) {
					if (own.kind === 'steps') {
						for (let i = 0; i < own.count; i++) log(++step, shifted(own.metrics, i));
					} else if (own.kind === 'late') {
						const at = Math.max(1, step - own.back);
						log(at, shifted(own.metrics, 0));
						// Before any step it is the first one itself, which a resume from 0 cuts.
						step = Math.max(step, at);
					} else if (own.kind === 'resume') {
						const from = Math.max(0, step - own.back);
						recorder = store.recorder(id);
						recorder.record(started(from));
						if (from < step) cut = from;
						step = from;
					} else recorder.record({ kind: 'stopped', step });
				}
				// A resume cuts when there is something to put in place.
				expectStored(store, id, expected);
				store.trashRuns([id]);
				store.purgeRuns([id]);
			}),
			{
				numRuns: 40,
				examples: [
					[
						[
							{ kind: 'late', back: 0, metrics: [{ key: 'loss', value: 0 }] },
							{ kind: 'resume', back: 0 },
							{ kind: 'steps', count: 1, metrics: [] },
						],
					],
				],
			},
		);
	});

	it('are the same for another process that reads', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const recorder = store.recorder(id);
		const reader = await openAt(store.path, { readOnly: true });
		for (let step = 1; step <= 500; step++) {
			recorder.record(stepOf(step, [{ key: 'loss', value: 1 / step }]));
			if (step % 50 !== 0) continue;
			expect(reader.metricPoints(id, 'loss')).toEqual(store.metricPoints(id, 'loss'));
			expect(reader.metricPoints(id, 'loss').value).toHaveLength(step);
		}
	});

	it('of a metric or run that is not there are none', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		expect(store.metricPoints(id, 'loss').value).toHaveLength(0);
		expect(store.metricPoints('nobody', 'loss').step).toHaveLength(0);
		expect(store.pointsRevision('nobody')).toBe(-1);
		expect(store.firstPointMs(id)).toBeNull();
		expect(store.metricKeys([id, 'nobody']).keys).toEqual([]);
	});

	it('tell by a number whether they changed', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const before = store.pointsRevision(id);
		const recorder = store.recorder(id);
		recorder.heartbeat();
		recorder.record({ kind: 'log', level: 'info', source: 'grove', text: 'hello', step: 0 });
		expect(store.pointsRevision(id)).toBe(before);
		recorder.record(stepOf(1, [{ key: 'loss', value: 1 }]));
		expect(store.pointsRevision(id)).toBeGreaterThan(before);
		expect(store.firstPointMs(id)).toBe(1_750_000_001_000);
	});
});
