/** The services on a real database with made-up runs, and on what other processes do to it. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply, RequestName, RequestParams } from '../../src-main/contract/requests.ts';
import type { CreatedContext } from '../../src-main/services/create-context.ts';
import { createContext } from '../../src-main/services/create-context.ts';
import { handle } from '../../src-main/services/handle.ts';
import type { Push } from '../../src-main/services/publisher.ts';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { until } from '../support/browser-shell-client.ts';
import { fillStore, smallFill } from '../support/fill-store.ts';

let folder: string;
let store: Store;
let opened: CreatedContext;
let ids: string[];
const faults: string[] = [];

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'grove services ä '));
	store = await openStore({ path: join(folder, 'grove.db') });
	ids = fillStore(store, { ...smallFill, runs: 3, steps: 20 });
	opened = createContext({
		shell: 'browser',
		store,
		spawnTrainer: () => {
			throw new Error('nothing is trained here');
		},
		devices: () => Promise.resolve({ backends: [], chosen: 'cpu' }),
		exportsFolder: join(folder, 'exports'),
		log: (_, text) => void faults.push(text),
	});
});

afterAll(() => {
	opened.close();
	store.close();
	rmSync(folder, { recursive: true, force: true });
});

async function ask<N extends RequestName>(
	name: N,
	params: RequestParams<N>,
): Promise<Extract<Reply<N>, { ok: true }>['result']> {
	// A request is answered with the result of its name.
	const reply = (await handle(name, params, opened.context)) as Reply<N>;
	if (!reply.ok) throw new Error(reply.error.message);
	return reply.result;
}

const first = (): string => ids[0] ?? '';

describe('a filled database', () => {
	it('is listed, run by run', async () => {
		const list = await ask('runs.list', { include: 'live', keys: ['turn_1/reward_mean'] });
		expect(list.runs.map((run) => run.id).sort()).toEqual([...ids].sort());
		expect(list.revision).toBe(store.revision());
		expect(list.runs[0]?.sparkline.length).toBeGreaterThan(10);
		expect((await ask('runs.get', { id: first() })).configText).toContain('task:');
	});

	it('gives lines whose every point is a stored one', async () => {
		const stored = store.metricPoints(first(), 'turn_1/reward_mean');
		const { series } = await ask('metrics.series', {
			runIds: ids,
			keys: ['turn_1/reward_mean', 'no such key'],
			x: 'envStep',
			smoothing: { kind: 'none' },
			buckets: 100,
		});
		expect(series.map(({ runId }) => runId)).toEqual(ids);
		expect(series[0]?.x).toEqual(stored.envStep);
		expect(series[0]?.y).toEqual(stored.value);
		expect(series[0]?.exact).toBe(true);
	});

	it('gives a zoomed line with the neighbours of its range', async () => {
		const { series } = await ask('metrics.series', {
			runIds: [first()],
			keys: ['turn_1/reward_mean'],
			x: 'step',
			smoothing: { kind: 'ema', weight: 0.8 },
			from: 5,
			to: 8,
			buckets: 100,
		});
		expect([...(series[0]?.x ?? [])]).toEqual([4, 5, 6, 7, 8, 9]);
		expect(series[0]?.total).toBe(4);
	});

	it('smooths the same whatever the zoom and the number of buckets', async () => {
		const at = async (from: number | undefined, buckets: number): Promise<number | undefined> => {
			const { series } = await ask('metrics.series', {
				runIds: [first()],
				keys: ['turn_1/reward_mean'],
				x: 'step',
				smoothing: { kind: 'gaussian', sigma: 3 },
				...(from === undefined ? {} : { from, to: 12 }),
				buckets,
			});
			const [line] = series;
			return line?.smooth[line.x.indexOf(12)];
		};
		const whole = await at(undefined, 1000);
		expect(whole).toBeTypeOf('number');
		expect(await at(10, 1000)).toBe(whole);
		expect(await at(12, 1)).toBe(whole);
	});

	it('shows trees, nodes and where a text occurs', async () => {
		const { trees } = await ask('trees.list', { runId: first(), limit: 100 });
		const [tree] = trees;
		if (tree === undefined) throw new Error('no tree');
		const place = {
			runId: tree.runId,
			step: tree.step,
			itemIndex: tree.itemIndex,
			purpose: tree.purpose,
		};
		const outline = await ask('trees.outline', place);
		expect(outline.turn).toHaveLength(tree.nodes);
		const { node } = await ask('trees.node', { ...place, node: 0 });
		expect(node.index).toBe(0);
		const word = node.agents[0]?.completions[0]?.text.split(' ')[0] ?? '';
		const found = await ask('rollouts.search', {
			query: word,
			order: 'relevance',
			limit: 5,
			offset: 0,
		});
		expect(found.hits.length).toBeGreaterThan(0);
	});

	it('keeps what a person changes', async () => {
		await ask('runs.update', { ids: [first()], patch: { name: 'renamed' }, addTags: ['kept'] });
		const { run } = await ask('runs.get', { id: first() });
		expect([run.name, run.tags.includes('kept')]).toEqual(['renamed', true]);
		await ask('saved.put', { kind: 'view', name: 'mine', value: '{}' });
		expect((await ask('saved.list', { kind: 'view' })).entries).toHaveLength(1);
		await ask('runs.trash', { ids: [first()] });
		expect((await ask('runs.list', { include: 'trash', keys: [] })).runs).toHaveLength(1);
		await ask('runs.restore', { ids: [first()] });
	});

	it('removes checkpoints together with a purged run, and nothing else', async () => {
		const id = ids[1] ?? '';
		const own = join(folder, 'checkpoints', id, 'step-00000020');
		const foreign = join(folder, 'elsewhere', 'step-00000019');
		for (const path of [own, foreign]) {
			mkdirSync(path, { recursive: true });
			writeFileSync(join(path, 'weights'), Buffer.alloc(5000));
		}
		for (const [step, path] of [own, foreign].entries()) {
			const record = {
				step: 100 + step,
				envStep: 0,
				path,
				bytes: 5000,
				wallTimeMs: 0,
				score: null,
				isBest: false,
				isFinal: false,
			};
			store.recorder(id).record({ kind: 'checkpoint', record, removed: [] });
		}
		expect(await ask('runs.purge', { ids: [id] })).toMatchObject({ done: [] });
		expect(existsSync(own)).toBe(true);
		await ask('runs.trash', { ids: [id] });
		const { done, freedBytes } = await ask('runs.purge', { ids: [id] });
		expect(done).toEqual([id]);
		expect(freedBytes).toBeGreaterThanOrEqual(5000);
		expect(existsSync(join(folder, 'checkpoints', id))).toBe(false);
		expect(existsSync(foreign)).toBe(true);
	});

	it('has nothing to log', () => {
		expect(faults).toEqual([]);
	});
});

describe('another process', () => {
	it('is noticed when it writes', async () => {
		const told: Push[] = [];
		const off = opened.context.publisher.listen((push) => told.push(push));
		const other = await openStore({ path: store.path, mustExist: true });
		const [added = ''] = fillStore(other, { ...smallFill, seed: 8, runs: 1, steps: 2 });
		other.close();
		const hears = (push: Push): boolean =>
			push.name === 'runs.changed' && push.payload.ids.includes(added);
		await until(() => told.some(hears), 'word of the new run');
		off();
		const { runs } = await ask('runs.list', { include: 'live', keys: [] });
		expect(runs.some(({ id }) => id === added)).toBe(true);
	});
});

describe('the task of a run', () => {
	const create = (path: string | null, text: string): string =>
		store.createRun({
			project: 'default',
			name: '',
			config: {},
			configText: '',
			task: { name: 'mine', path, text, hash: `hash of ${text}` },
			model: 'm',
			agents: [],
			device: 'cpu',
			seed: '1',
			groveVersion: '0',
		});

	it('is compared with its file', async () => {
		const path = join(folder, 'task.ts');
		writeFileSync(path, 'one\n');
		const id = create(path, 'one\n');
		expect(await ask('task.source', { runId: id })).toMatchObject({ changedSince: false });
		writeFileSync(path, 'two\n');
		expect(await ask('task.source', { runId: id })).toMatchObject({
			changedSince: true,
			currentText: 'two\n',
		});
		rmSync(path);
		expect(await ask('task.source', { runId: id })).toMatchObject({ changedSince: null });
	});

	it('of several files is compared with all of them', async () => {
		const path = join(folder, 'main.ts');
		writeFileSync(path, 'main\n');
		writeFileSync(join(folder, 'part.ts'), 'part\n');
		const id = create(path, '// ===== main.ts =====\nmain\n\n// ===== part.ts =====\npart\n');
		expect(await ask('task.source', { runId: id })).toMatchObject({ changedSince: false });
		writeFileSync(join(folder, 'part.ts'), 'other\n');
		expect(await ask('task.source', { runId: id })).toMatchObject({ changedSince: true });
	});
});
