/** Deleting: first into a trash that gives everything back, then for good, with the space returned to the disk. */
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { identify, type Store } from '../../src-main/store/index.ts';
import { fillStore, smallFill } from '../support/fill-store.ts';
import { newRun, started, stepOf } from '../support/new-run.ts';
import { temporaryStore } from '../support/temporary-store.ts';

const fill = { ...smallFill, runs: 3, steps: 12, keys: 6 };

const idsOf = (store: Store, include: 'live' | 'archived' | 'trash' | 'all'): string[] =>
	store
		.listRuns({ include, keys: [] })
		.runs.map((run) => run.id)
		.sort();

/** Rows of every table that holds something of runs. */
function rowsIn(store: Store): Record<string, number> {
	const database = new Database(store.path);
	const tables = database
		.prepare<[], { name: string }>(
			"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'text_search%' AND name NOT LIKE 'sqlite_%'",
		)
		.all();
	const counts = Object.fromEntries(
		tables.map(({ name }) => [
			name,
			Number(database.prepare(`SELECT count(*) FROM ${name}`).pluck().get()),
		]),
	);
	database.close();
	return counts;
}

describe('the trash', () => {
	it('hides runs and gives them back unchanged', async () => {
		const store = await temporaryStore();
		const ids = fillStore(store, fill);
		const [first = ''] = ids;
		const before = store.getRun(first).run;
		expect(store.trashRuns([first, first, 'nobody'])).toEqual({
			done: [first],
			unchanged: ['nobody'],
			refused: [],
		});
		expect(idsOf(store, 'live')).toEqual(ids.slice(1));
		expect(idsOf(store, 'trash')).toEqual([first]);
		expect(store.getRun(first).run.deletedAtMs).not.toBeNull();
		const hits = store.search({ query: '', order: 'newest', offset: 0, limit: 500 }).hits;
		expect(new Set(hits.map((hit) => hit.runId))).toEqual(new Set(ids.slice(1)));
		expect(store.trashRuns([first]).unchanged).toEqual([first]);
		expect(store.restoreRuns([first, ids[1] ?? ''])).toMatchObject({
			done: [first],
			unchanged: [ids[1]],
		});
		expect(store.getRun(first).run).toEqual({ ...before });
		expect(idsOf(store, 'live')).toEqual(ids);
	});

	it('does not take a run that trains, nor give up one that is not in it', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun({ process: identify() }));
		store.recorder(id).record(started());
		expect(store.trashRuns([id]).refused).toMatchObject([{ id, error: { kind: 'conflict' } }]);
		expect(store.purgeRuns([id]).refused).toMatchObject([{ id, error: { kind: 'conflict' } }]);
		store.recorder(id).record({ kind: 'stopped', step: 0 });
		expect(store.purgeRuns([id]).refused).toHaveLength(1);
		expect(idsOf(store, 'live')).toEqual([id]);
		expect(store.purgeRuns(['nobody'])).toMatchObject({ unchanged: ['nobody'], freedBytes: 0 });
	});

	it('says how much space it takes and gives it back when it is emptied', async () => {
		const store = await temporaryStore();
		const kept = fillStore(store, { ...fill, runs: 1, seed: 1 });
		const empty = store.usage();
		const treesBefore = kept.map((runId) => store.listTrees({ runId, limit: 100 }).trees);
		const gone = fillStore(store, { ...fill, runs: 2, seed: 2, steps: 60, words: 80 });
		const folder = join(dirname(store.path), 'checkpoints', gone[0] ?? '', 'step-1');
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, 'weights'), Buffer.alloc(10_000));
		const full = store.usage();
		expect(full.trash).toBe(0);
		store.trashRuns(gone);
		const inTrash = store.usage();
		const own = inTrash.byRun.filter(({ runId }) => gone.includes(runId));
		expect(inTrash.trash).toBeGreaterThan(
			own.reduce((sum, run) => sum + run.textBytes + run.metricBytes + run.checkpointBytes, 0),
		);
		const { runs, freedBytes } = store.emptyTrash();
		expect(runs).toBe(2);
		const after = store.usage();
		expect(after.databaseBytes).toBeLessThan(empty.databaseBytes * 1.2);
		expect(after.freeBytes).toBe(0);
		expect(freedBytes).toBe(full.databaseBytes - after.databaseBytes + 10_000);
		expect(statSync(store.path).size).toBe(after.databaseBytes);
		expect(after).toMatchObject({ texts: empty.texts, metrics: empty.metrics, trash: 0 });
		expect(existsSync(folder)).toBe(false);
		expect(idsOf(store, 'all')).toEqual(kept);
		expect(kept.map((runId) => store.listTrees({ runId, limit: 100 }).trees)).toEqual(treesBefore);
	});

	it('leaves no row behind', async () => {
		const store = await temporaryStore();
		const before = rowsIn(store);
		const ids = fillStore(store, fill);
		store.recorder(ids[0] ?? '').record(stepOf(1, [{ key: 'only here', value: 1 }]));
		const hash = 'abc';
		const id = store.createRun(newRun({ task: { name: 't', path: 'a.ts', text: 'x', hash } }));
		store.putAnnotation({
			runId: id,
			step: 1,
			itemIndex: 0,
			purpose: 'train',
			node: 0,
			joint: null,
			bookmark: false,
			score: null,
			text: '',
		});
		store.trashRuns([...ids, id]);
		const revision = store.revision();
		store.emptyTrash();
		expect(rowsIn(store)).toEqual({ ...before, removed_runs: ids.length + 1 });
		expect(store.changesSince(revision).runIds.sort()).toEqual([...ids, id].sort());
		expect(store.metricKeys(ids).keys).toEqual([]);
	});
});

describe('texts', () => {
	it('can go alone: rewards, shapes and metrics stay', async () => {
		const store = await temporaryStore();
		const [first = '', second = ''] = fillStore(store, { ...fill, runs: 2 });
		const outline = (runId: string): unknown =>
			store
				.listTrees({ runId, limit: 100 })
				.trees.map((tree) => ({ ...store.treeOutline(tree), title: '' }));
		const before = [outline(first), outline(second)];
		const points = store.metricPoints(first, 'turn_1/reward_mean');
		const { freedBytes } = store.dropTexts([first, 'nobody']);
		expect(freedBytes).toBeGreaterThan(0);
		expect([outline(first), outline(second)]).toEqual(before);
		expect(store.metricPoints(first, 'turn_1/reward_mean')).toEqual(points);
		const [gone] = store.listTrees({ runId: first, limit: 1 }).trees;
		const [there] = store.listTrees({ runId: second, limit: 1 }).trees;
		if (gone === undefined || there === undefined) throw new Error();
		expect(store.treeNode({ ...gone, node: 0 }).node.agents[0]?.completions[0]?.text).toMatch(
			/removed/,
		);
		expect(store.treeNode({ ...there, node: 0 }).node.agents[0]?.completions[0]?.text).not.toMatch(
			/removed/,
		);
		// The prompts that both runs had are still those of the other one.
		expect(there.title).not.toMatch(/removed/);
		expect(store.usage().byRun.find(({ runId }) => runId === first)?.textBytes).toBe(0);
	});
});

describe('changes of runs', () => {
	it('are kept, and each is told to others once', async () => {
		const store = await temporaryStore();
		const ids = fillStore(store, fill);
		const [first = '', second = ''] = ids;
		const revision = store.revision();
		const patch = { name: '<b>x</b>', notes: 'a\nb', project: 'other', archived: true };
		expect(
			store.updateRuns({ ids: [first], patch, addTags: ['new', 'paper'], removeTags: ['try'] }),
		).toMatchObject({ done: [first] });
		expect(store.getRun(first).run).toMatchObject({ ...patch, tags: ['paper', 'new'] });
		expect(store.updateRuns({ ids: [first], patch }).unchanged).toEqual([first]);
		expect(idsOf(store, 'archived')).toEqual([first]);
		expect(idsOf(store, 'live')).not.toContain(first);
		expect(store.changesSince(revision).runIds).toEqual([first]);
		store.updateRuns({ ids: [second], patch: { tags: [] } });
		expect(store.getRun(second).run.tags).toEqual([]);
		expect(store.changesSince(revision).runIds).toEqual([first, second]);
		expect(store.changesSince(store.revision()).runIds).toEqual([]);
	});

	it('to a new run with an id that is taken are refused', async () => {
		const store = await temporaryStore();
		store.createRun(newRun({ id: 'taken' }));
		expect(() => store.createRun(newRun({ id: 'taken' }))).toThrow(/this id already/);
	});

	it('give every run a colour of its own and know its children', async () => {
		const store = await temporaryStore();
		const parent = store.createRun(newRun({ seed: '18446744073709551615' }));
		const children = [1, 2].map((forkStep) =>
			store.createRun(newRun({ parentRunId: parent, forkStep })),
		);
		const { runs } = store.listRuns({ include: 'all', keys: [] });
		expect(new Set(runs.map((run) => run.colorIndex)).size).toBe(3);
		expect(store.getRun(parent)).toMatchObject({ children, run: { seed: '18446744073709551615' } });
		expect(store.getRun(children[1] ?? '').run).toMatchObject({ parentRunId: parent, forkStep: 2 });
	});
});

describe('notes and saved views', () => {
	it('are kept, replaced and removed', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const note = {
			runId: id,
			step: 1,
			itemIndex: 0,
			purpose: 'eval' as const,
			node: 2,
			joint: null,
			bookmark: true,
			score: 0.5,
			text: 'see',
		};
		const { id: noteId } = store.putAnnotation(note);
		store.putAnnotation({ ...note, id: noteId, text: 'seen', score: null });
		expect(store.listAnnotations(id).annotations).toMatchObject([
			{ ...note, id: noteId, text: 'seen', score: null },
		]);
		expect(store.listAnnotations('other').annotations).toEqual([]);
		expect(store.listAnnotations(undefined).annotations).toHaveLength(1);
		expect(store.removeAnnotation(noteId)).toEqual({ removed: true });
		expect(store.removeAnnotation(noteId)).toEqual({ removed: false });
		store.putSaved({ kind: 'view', name: 'b', value: '1' });
		store.putSaved({ kind: 'view', name: 'a', value: '{}' });
		store.putSaved({ kind: 'view', name: 'b', value: '2' });
		expect(store.listSaved('view').entries).toMatchObject([
			{ name: 'a', value: '{}' },
			{ name: 'b', value: '2' },
		]);
		expect(store.listSaved('filter').entries).toEqual([]);
		expect(store.removeSaved({ kind: 'view', name: 'a' })).toEqual({ removed: true });
	});
});
