/** Bundles: what goes out comes in again, once, and nothing of a stranger's file is believed. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src-main/store/index.ts';
import { fillStore, smallFill } from '../support/fill-store.ts';
import { temporaryStore } from '../support/temporary-store.ts';

const fill = { ...smallFill, runs: 2, steps: 11, keys: 8 };

/** Everything that can be asked of a run, without what belongs to the database that it is in. */
function everythingOf(store: Store, id: string): unknown {
	const { run, configText } = store.getRun(id);
	const { colorIndex, heartbeatAtMs, pid, ...record } = run;
	const keys = store.metricKeys([id]).keys;
	const trees = store.listTrees({ runId: id, limit: 10_000 }).trees;
	return {
		record,
		configText,
		keys,
		points: keys.map(({ key }) => store.metricPoints(id, key)),
		trees,
		nodes: trees.map((tree) => [
			store.treeOutline(tree),
			store.treeNode({ ...tree, node: 0 }),
			store.treeNode({ ...tree, node: tree.nodes - 1 }),
		]),
		logs: store
			.listLogs({ runId: id, afterId: 0, limit: 1000 })
			.lines.map(({ id: _, ...line }) => line),
		annotations: store.listAnnotations(id).annotations,
		source: store.taskSource(id),
		first: store.firstPointMs(id),
		known: [colorIndex, heartbeatAtMs, pid].length,
	};
}

/** What stands beside the database although nothing is going on. */
function leftBehind(store: Store): string[] {
	return readdirSync(dirname(store.path)).filter((name) => !name.startsWith('grove.db'));
}

async function exported(store: Store, runIds: string[], checkpoints = false): Promise<string> {
	const params = { runIds, format: 'bundle', what: 'metrics', checkpoints } as const;
	return (await store.exportRuns(params, join(dirname(store.path), 'out'))).path;
}

describe('a bundle', () => {
	it('brings everything of its runs into another database', async () => {
		const [from, to] = [await temporaryStore(), await temporaryStore()];
		const ids = fillStore(from, fill);
		const [first = ''] = ids;
		from.putAnnotation({
			runId: first,
			step: 3,
			itemIndex: 2,
			purpose: 'train',
			node: 0,
			joint: 1,
			bookmark: true,
			score: -0.5,
			text: 'good 🌳',
		});
		from.updateRuns({ ids: [first], patch: { notes: 'line 1\nline 2', archived: true } });
		const path = await exported(from, ids);
		const report = await to.importFile(path);
		expect(report.runs.map(({ id, isNew }) => [id, isNew])).toEqual(ids.map((id) => [id, true]));
		expect(report.problems).toEqual([]);
		for (const id of ids) expect(everythingOf(to, id)).toEqual(everythingOf(from, id));
		expect(leftBehind(to)).toEqual([]);
	});

	it('is recognised when it comes twice, and its runs are not doubled', async () => {
		const [from, to] = [await temporaryStore(), await temporaryStore()];
		const ids = fillStore(from, fill);
		const path = await exported(from, ids);
		await to.importFile(path);
		const before = ids.map((id) => everythingOf(to, id));
		const again = await to.importFile(path);
		expect(again).toMatchObject({ points: 0, trees: 0 });
		expect(again.runs.map((run) => run.isNew)).toEqual([false, false]);
		expect(ids.map((id) => everythingOf(to, id))).toEqual(before);
		expect((await from.importFile(path)).runs.map((run) => run.isNew)).toEqual([false, false]);
		expect(to.listRuns({ include: 'all', keys: [] }).runs).toHaveLength(2);
	});

	it('brings back a run that was removed for good, and says so to others', async () => {
		const store = await temporaryStore();
		const [id = ''] = fillStore(store, { ...fill, runs: 1 });
		const path = await exported(store, [id]);
		const before = everythingOf(store, id);
		store.trashRuns([id]);
		expect(store.emptyTrash().runs).toBe(1);
		const revision = store.revision();
		await store.importFile(path);
		expect(everythingOf(store, id)).toEqual(before);
		expect(store.changesSince(revision).runIds).toContain(id);
	});

	it('carries a run that goes on as stopped, and does not touch the original', async () => {
		const [from, to] = [await temporaryStore(), await temporaryStore()];
		const [id = ''] = fillStore(from, { ...fill, runs: 1 });
		const started = { totalSteps: 20, device: 'cpu', deviceDetail: '', resumedFromStep: 11 };
		from.recorder(id).record({ kind: 'started', ...started });
		await to.importFile(await exported(from, [id]));
		expect(to.getRun(id).run.status).toBe('stopped');
		expect(from.getRun(id).run.status).not.toBe('stopped');
	});

	it('takes checkpoints along only when asked to', async () => {
		const [from, to, third] = [
			await temporaryStore(),
			await temporaryStore(),
			await temporaryStore(),
		];
		const [id = ''] = fillStore(from, { ...fill, runs: 1 });
		const folder = join(dirname(from.path), 'my checkpoints', 'step-00000009');
		mkdirSync(join(folder, 'agent_1'), { recursive: true });
		const weights = Buffer.from(Float32Array.from({ length: 5000 }, Math.random).buffer);
		writeFileSync(join(folder, 'agent_1', 'model.safetensors'), weights);
		writeFileSync(join(folder, 'manifest.json'), '{}');
		from.recorder(id).record({
			kind: 'checkpoint',
			record: {
				step: 9,
				envStep: 99,
				path: folder,
				bytes: 20_002,
				wallTimeMs: 5,
				score: NaN,
				isBest: false,
				isFinal: false,
			},
			removed: [`/checkpoints/${id}/step-11`],
		});
		await to.importFile(await exported(from, [id], true));
		const [checkpoint] = to.listCheckpoints(id).checkpoints;
		const place = join(dirname(to.path), 'checkpoints', id, 'step-00000009');
		expect(checkpoint).toEqual({ ...from.listCheckpoints(id).checkpoints[0], path: place });
		expect(readFileSync(join(place, 'agent_1', 'model.safetensors'))).toEqual(weights);
		expect(readdirSync(dirname(place))).toEqual(['step-00000009']);
		await third.importFile(await exported(from, [id], false));
		expect(third.listCheckpoints(id).checkpoints).toEqual([]);
		expect(readdirSync(dirname(third.path))).not.toContain('checkpoints');
	});

	it('of unknown runs is refused before anything is written', async () => {
		const store = await temporaryStore();
		await expect(exported(store, ['nobody'])).rejects.toMatchObject({ kind: 'not-found' });
		await expect(exported(store, [])).rejects.toMatchObject({ kind: 'bad-input' });
		expect(readdirSync(dirname(store.path))).not.toContain('out');
	});
});
