/** From training events to rows: a step is wholly stored or not at all, whatever interrupts it. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckpointRecord, StepRecord } from '../../src-main/contract/events.ts';
import { Random } from '../../src-main/contract/random.ts';
import type { RolloutTree } from '../../src-main/contract/tree.ts';
import { Connection } from '../../src-main/store/connection.ts';
import { identify, type Store } from '../../src-main/store/index.ts';
import { MetricKeys } from '../../src-main/store/metric-keys.ts';
import { Recorder } from '../../src-main/store/recorder.ts';
import { Texts } from '../../src-main/store/texts.ts';
import { sampleStep, smallFill } from '../support/fill-store.ts';
import { newRun, started, stepOf } from '../support/new-run.ts';
import { openAt, temporaryFolder, temporaryStore } from '../support/temporary-store.ts';

const fill = { ...smallFill, steps: 20, keys: 6, treesPerStep: 2 };

function steps(count: number): StepRecord[] {
	const random = Random.from('recorder');
	const records: StepRecord[] = [];
	for (let step = 1; step <= count; step++) {
		records.push(sampleStep(random, fill, step, records.at(-1)?.envStep ?? 0));
	}
	return records;
}

/** Everything that a step changes. */
function stateOf(store: Store, id: string): unknown {
	const { run } = store.getRun(id);
	const trees = store.listTrees({ runId: id, limit: 1000 }).trees;
	return {
		run,
		keys: store.metricKeys([id]),
		trees,
		points: store.metricPoints(id, 'turn_1/reward_mean'),
		usage: store.usage().byRun,
		nodes: trees.map((tree) => store.treeNode({ ...tree, node: 0 }).node),
		revision: store.revision(),
	};
}

function expectTree(store: Store, runId: string, tree: RolloutTree): void {
	const place = { runId, step: tree.step, itemIndex: tree.itemIndex, purpose: tree.purpose };
	const nodes = tree.nodes.map((_, node) => store.treeNode({ ...place, node }).node);
	expect(nodes).toEqual(tree.nodes);
}

describe('a step', () => {
	it('brings its trees, points, summaries and the run forward together', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const recorder = store.recorder(id);
		recorder.record(started());
		for (const record of steps(5)) {
			recorder.record({ kind: 'step', record });
			expect(store.getRun(id).run).toMatchObject({ step: record.step, envStep: record.envStep });
			for (const tree of record.trees) expectTree(store, id, tree);
			for (const { key, value } of record.metrics) {
				expect(store.metricPoints(id, key).value.at(-1)).toBe(value);
				expect(store.getRun(id).run.summaries[key]?.count).toBe(record.step);
			}
		}
	});

	it('leaves nothing behind where it fails halfway, and can be stored again', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const recorder = store.recorder(id);
		const [first, second, third] = steps(3);
		if (first === undefined || second === undefined || third === undefined) throw new Error();
		recorder.record({ kind: 'step', record: first });
		const before = stateOf(store, id);
		const failing = {
			...second,
			get metrics(): StepRecord['metrics'] {
				throw new Error('in the middle');
			},
		};
		for (let i = 0; i < 2; i++) {
			expect(() => {
				recorder.record({ kind: 'step', record: failing });
			}).toThrow('in the middle');
			expect(stateOf(store, id)).toEqual(before);
		}
		for (const record of [second, third]) recorder.record({ kind: 'step', record });
		for (const tree of [first, second, third].flatMap((own) => own.trees)) {
			expectTree(store, id, tree);
		}
		expect(store.getRun(id).run.step).toBe(3);
	});

	it('that the disk has no room for is refused wholly, with what to do, and goes on when there is room', async () => {
		const path = join(temporaryFolder(), 'grove.db');
		const store = await openAt(path);
		const id = store.createRun(newRun());
		const connection = new Connection({
			path,
			readOnly: false,
			durability: 'normal',
			patienceMs: 1000,
		});
		const recorder = new Recorder({
			connection,
			texts: new Texts(connection),
			keys: new MetricKeys(connection),
			run: 1,
			clock: Date.now,
		});
		connection.pragma(`max_page_count = ${Number(connection.pragma('page_count')) + 40}`);
		const records = steps(20);
		let stored = 0;
		const tryAll = (): unknown => {
			try {
				for (const record of records.slice(stored)) {
					recorder.record({ kind: 'step', record });
					stored++;
				}
				return null;
			} catch (error) {
				return error;
			}
		};
		expect(tryAll()).toMatchObject({
			kind: 'store',
			message: expect.stringMatching(/grove\.db: the disk is full[^]*free space/) as string,
		});
		expect(stored).toBeGreaterThan(2);
		expect(store.getRun(id).run.step).toBe(stored);
		expect(store.listTrees({ runId: id, limit: 1000 }).trees).toHaveLength(2 * stored);
		expect(tryAll()).toMatchObject({ kind: 'store' });
		connection.pragma('max_page_count = 1000000');
		expect(tryAll()).toBeNull();
		connection.close();
		for (const tree of records.flatMap((record) => record.trees)) expectTree(store, id, tree);
	});

	it('of a tree that is there already replaces it and keeps the texts that both have', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const [record] = steps(1);
		if (record === undefined) throw new Error();
		for (let i = 0; i < 3; i++) store.recorder(id).record({ kind: 'step', record });
		const twice = { ...record, trees: [...record.trees, ...record.trees] };
		store.recorder(id).record({ kind: 'step', record: twice });
		for (const tree of record.trees) expectTree(store, id, tree);
		expect(store.listTrees({ runId: id, limit: 10 }).trees).toHaveLength(record.trees.length);
	});

	it('keeps texts that come back after another program removed them', async () => {
		const store = await temporaryStore();
		const other = await openAt(store.path);
		const [record] = steps(1);
		if (record === undefined) throw new Error();
		const ids = ['one', 'two', 'three'].map((id) => store.createRun(newRun({ id })));
		const [one = '', two = '', three = ''] = ids;
		store.recorder(one).record({ kind: 'step', record });
		other.trashRuns([one]);
		other.purgeRuns([one]);
		store.recorder(two).record({ kind: 'step', record });
		for (const tree of record.trees) expectTree(store, two, tree);
		other.dropTexts([two]);
		store.recorder(three).record({ kind: 'step', record });
		for (const tree of record.trees) expectTree(store, three, tree);
		for (const tree of record.trees) expectTree(other, three, tree);
	});
});

describe('a resumed run', () => {
	it('takes back what came after its checkpoint, once there is something in its place', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const records = steps(8);
		const first = store.recorder(id);
		first.record(started());
		for (const record of records) first.record({ kind: 'step', record });
		const again = store.recorder(id);
		again.claim(identify());
		again.record(started(5));
		expect(store.getRun(id).run).toMatchObject({ step: 8, status: 'running' });
		const [sixth] = records.slice(5);
		if (sixth === undefined) throw new Error();
		const metrics = [{ key: 'turn_1/reward_mean', value: 7 }];
		again.record({ kind: 'step', record: { ...sixth, metrics } });
		expect(store.getRun(id).run).toMatchObject({ step: 6, envStep: sixth.envStep });
		expect(store.listTrees({ runId: id, limit: 100 }).trees.map((tree) => tree.step)).toEqual([
			6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1,
		]);
		expect([...store.metricPoints(id, 'turn_1/reward_mean').step]).toEqual([1, 2, 3, 4, 5, 6]);
		expect(store.metricPoints(id, 'turn_1/reward_mean').value[5]).toBe(7);
		expect(store.metricPoints(id, 'turn_2/reward_mean').value).toHaveLength(5);
		for (const tree of records.slice(0, 6).flatMap((record) => record.trees)) {
			expectTree(store, id, tree);
		}
	});
});

describe('other events', () => {
	const checkpoint = (step: number, more: Partial<CheckpointRecord> = {}): CheckpointRecord => ({
		step,
		envStep: 4 * step,
		path: `/runs/x/step-${step}`,
		bytes: 100 * step,
		wallTimeMs: step,
		score: null,
		isBest: false,
		isFinal: false,
		...more,
	});

	it('tell how a run stands', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const recorder = store.recorder(id);
		const status = (): unknown => store.getRun(id).run.status;
		expect(status()).toBe('queued');
		recorder.claim({ host: 'elsewhere', pid: 1, start: null });
		recorder.record(started());
		expect(store.getRun(id).run).toMatchObject({
			status: 'running',
			totalSteps: 1000,
			device: 'cpu',
		});
		recorder.record({ kind: 'phase', phase: 'generating', step: 1, detail: '', done: 0, total: 1 });
		for (const kind of ['paused', 'stopped', 'finished'] as const) {
			recorder.record({ kind, step: 1 });
			expect(status()).toBe(kind);
		}
		expect(store.getRun(id).run.endedAtMs).not.toBeNull();
		const error = { kind: 'diverged' as const, message: 'no', complaints: [{ what: 'no' }] };
		recorder.record({ kind: 'failed', step: 2, error });
		expect(store.getRun(id).run).toMatchObject({ status: 'failed', error });
		recorder.record(started());
		expect(store.getRun(id).run).toMatchObject({ error: null, endedAtMs: null });
	});

	it('keep one checkpoint a step and one best, and forget those that were removed', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const recorder = store.recorder(id);
		const record = (own: CheckpointRecord, removed: string[] = []): void => {
			recorder.record({ kind: 'checkpoint', record: own, removed });
		};
		record(checkpoint(1, { score: NaN, isBest: true }));
		record(checkpoint(2, { score: -Infinity, isBest: true }));
		record(checkpoint(2, { score: -0, isBest: true }));
		record(checkpoint(3, { score: 0.1, isFinal: true }), ['/runs/x/step-1']);
		expect(store.listCheckpoints(id).checkpoints).toEqual([
			checkpoint(2, { score: -0, isBest: true }),
			checkpoint(3, { score: 0.1, isFinal: true }),
		]);
		record(checkpoint(4, { score: NaN }));
		record(checkpoint(5, { score: Infinity }));
		expect(store.listCheckpoints(id).checkpoints.map((own) => own.score)).toEqual([
			-0,
			0.1,
			NaN,
			Infinity,
		]);
		expect(store.usage().checkpoints).toBe(1400);
	});

	it('keep the log in order, page by page', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const recorder = store.recorder(id);
		for (let step = 0; step < 25; step++) {
			const text = `line ${step} \u0000 <b>\u001b[31m`;
			recorder.record({ kind: 'log', level: 'warning', source: 'task', text, step });
		}
		const newest = store.listLogs({ runId: id, afterId: 0, limit: 10 }).lines;
		expect(newest.map((line) => line.step)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
		expect(newest[0]).toMatchObject({
			level: 'warning',
			source: 'task',
			text: 'line 15 \u0000 <b>\u001b[31m',
		});
		const after = store.listLogs({ runId: id, afterId: newest[4]?.id ?? 0, limit: 3 }).lines;
		expect(after.map((line) => line.step)).toEqual([20, 21, 22]);
	});

	it('of a run that was removed meanwhile fail with that as the reason', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const recorder = store.recorder(id);
		recorder.record(stepOf(1, [{ key: 'a', value: 1 }]));
		store.trashRuns([id]);
		store.purgeRuns([id]);
		expect(() => {
			recorder.record(stepOf(2, [{ key: 'a', value: 1 }]));
		}).toThrow(/removed/);
		expect(store.metricKeys([id]).keys).toEqual([]);
		expect(() => store.recorder(id)).toThrow(/no such run/);
	});

	it('cannot be stored through a database that was opened for reading', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const reader = await openAt(store.path, { readOnly: true });
		expect(() => {
			reader.recorder(id).record(stepOf(1, []));
		}).toThrow(/reading only/);
	});
});
