/** Processes killed at random moments: the database is whole, steps are there wholly or not at all, and the next process goes on. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Random } from '../../src-main/contract/random.ts';
import { encode } from '../../src-main/contract/wire.ts';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { removedText } from '../../src-main/store/texts.ts';
import { fillStore, sampleStep, smallFill } from '../support/fill-store.ts';
import { newRun } from '../support/new-run.ts';

const trainer = fileURLToPath(new URL('./processes/trainer.ts', import.meta.url));
const shell = fileURLToPath(new URL('./processes/shell.ts', import.meta.url));

const kills = 200;
const runs = ['first', 'second'];
/** Small steps: many of them fall into the time that a process lives. */
const fill = { ...smallFill, generations: 2, turns: 2, treesPerStep: 2, keys: 3, words: 12 };

const folder = mkdtempSync(join(tmpdir(), 'grove-killed-'));
const path = join(folder, 'grove.db');
const recordFile = join(folder, 'record.json');
let bundle = '';

beforeAll(async () => {
	writeFileSync(recordFile, encode(sampleStep(Random.from('killed'), fill, 1, 0)));
	const store = await openStore({ path });
	for (const id of runs) store.createRun(newRun({ id }));
	const other = await openStore({ path: join(folder, 'other.db') });
	const [runId = ''] = fillStore(other, { ...fill, runs: 1, steps: 2 });
	const params = { runIds: [runId], format: 'bundle' as const, what: 'metrics' as const };
	bundle = (await other.exportRuns({ ...params, checkpoints: false }, folder)).path;
	other.close();
	store.close();
	// Fills Node's cache of compiled sources: a killed process does not, and starts take most of the time.
	await once(start(trainer, [path, 'first', recordFile, '0']), 'exit');
	await once(start(shell, [path, bundle, '0']), 'exit');
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

function start(script: string, args: readonly string[]): ChildProcess {
	return fork(script, args, {
		stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
		env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
	});
}

/** Starts a process, lets it get to work, and kills it a moment later. */
async function startAndKill(
	random: Random,
	script: string,
	args: readonly string[],
): Promise<void> {
	const child = start(script, args);
	let complaint = '';
	child.stderr?.on('data', (chunk: Buffer) => {
		complaint += chunk.toString();
	});
	const gone = once(child, 'exit');
	await Promise.race([once(child, 'message'), gone]);
	await sleep(40 * random.uniform());
	child.kill('SIGKILL');
	const [, signal] = (await gone) as [number | null, string | null];
	expect(complaint).toBe('');
	expect(signal).toBe('SIGKILL');
}

/** Every stored step is whole, and none is missing. Returns the last. */
function expectWholeSteps(store: Store, runId: string): number {
	const { step, summaries } = store.getRun(runId).run;
	const all = Array.from({ length: step }, (_, index) => index + 1);
	const keys = store.metricKeys([runId]).keys.map(({ key }) => key);
	if (step > 0) expect(keys).toHaveLength(fill.keys);
	for (const key of keys) {
		const points = store.metricPoints(runId, key);
		expect([...points.step]).toEqual(all);
		expect([...points.value]).toEqual(all);
		expect(summaries[key]).toMatchObject({ count: step, last: step, max: step });
	}
	const trees = store.listTrees({ runId, limit: 1_000_000 }).trees;
	const steps = trees.map((tree) => tree.step).reverse();
	expect(steps).toEqual(all.flatMap((own) => [own, own]));
	return step;
}

function expectWholeTrees(store: Store, runId: string): void {
	const trees = store.listTrees({ runId, limit: 1_000_000 }).trees;
	for (const tree of trees) {
		expect(tree.title).not.toBe(removedText);
		for (let node = 0; node < tree.nodes; node++) {
			const { agents } = store.treeNode({ ...tree, node }).node;
			const texts = agents.flatMap((agent) => [
				agent.prompt,
				...agent.completions.map((completion) => completion.text),
			]);
			expect(texts).not.toContain(removedText);
			expect(texts.at(-1)).toContain(`${runId} ${tree.step}`);
		}
	}
}

function integrity(): unknown {
	const database = new Database(path);
	try {
		return database.pragma('integrity_check', { simple: true });
	} finally {
		database.close();
	}
}

it(`survives ${kills} kills of trainers and of the application`, async () => {
	const store = await openStore({ path });
	let left = kills;
	const last = new Map(runs.map((id) => [id, 0]));
	const work = async (name: string, script: string, args: readonly string[]): Promise<void> => {
		const random = Random.from('killed', name);
		while (left > 0) {
			left--;
			await startAndKill(random, script, args);
			if (!last.has(name)) continue;
			const step = expectWholeSteps(store, name);
			// One step is taken back at every start, as after a checkpoint, and three are made at least.
			expect(step).toBeGreaterThanOrEqual((last.get(name) ?? 0) + 2);
			last.set(name, step);
			if (left % 20 === 0) expect(integrity()).toBe('ok');
		}
	};
	await Promise.all([
		...runs.map((id) => work(id, trainer, [path, id, recordFile])),
		work('shell', shell, [path, bundle]),
	]);
	expect(integrity()).toBe('ok');
	for (const id of runs) expectWholeTrees(store, id);
	// What was begun and left behind is in the way of nothing.
	const again = await store.importFile(bundle);
	expect(again.runs).toHaveLength(1);
	store.emptyTrash();
	expect(store.listRuns({ include: 'trash', keys: [] }).runs).toEqual([]);
	const child = start(trainer, [path, 'first', recordFile, String((last.get('first') ?? 0) + 5)]);
	expect(await once(child, 'exit')).toEqual([0, null]);
	expect(expectWholeSteps(store, 'first')).toBe((last.get('first') ?? 0) + 5);
	expect(store.getRun('first').run.status).toBe('finished');
	store.close();
}, 180_000);
