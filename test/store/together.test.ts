/** Several processes on one database: all get on, nobody is told that it is busy, and each sees what the others did. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src-main/contract/random.ts';
import { encode } from '../../src-main/contract/wire.ts';
import { fillStore, sampleStep, smallFill } from '../support/fill-store.ts';
import { newRun, stepOf } from '../support/new-run.ts';
import { openAt, temporaryFolder, temporaryStore } from '../support/temporary-store.ts';

const fill = { ...smallFill, generations: 2, turns: 1, treesPerStep: 2, keys: 3, words: 12 };

function start(name: string, args: readonly string[]): { child: ChildProcess; said: () => string } {
	const script = fileURLToPath(new URL(`./processes/${name}.ts`, import.meta.url));
	const child = fork(script, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
	let said = '';
	child.stderr?.on('data', (chunk: Buffer) => {
		said += chunk.toString();
	});
	return { child, said: () => said };
}

describe('processes', () => {
	it('that train, tidy up and read at once all get on', async () => {
		const store = await temporaryStore();
		const folder = dirname(store.path);
		const recordFile = join(folder, 'record.json');
		writeFileSync(recordFile, encode(sampleStep(Random.from('together'), fill, 1, 0)));
		const other = await temporaryStore();
		const runIds = fillStore(other, { ...fill, runs: 1, steps: 3 });
		const params = { runIds, format: 'bundle' as const, what: 'metrics' as const };
		const bundle = (await other.exportRuns({ ...params, checkpoints: false }, folder)).path;
		const ids = ['a', 'b', 'c'].map((id) => store.createRun(newRun({ id })));
		const steps = 150;
		const processes = [
			...ids.map((id) => start('trainer', [store.path, id, recordFile, String(steps)])),
			start('shell', [store.path, bundle, '12']),
		];
		let running = processes.length;
		const ends = processes.map(async ({ child }) => {
			const end: unknown = await once(child, 'exit');
			running--;
			return end;
		});
		let seen = 0;
		let revision = 0;
		const changed = new Set<string>();
		while (running > 0) {
			const changes = store.changesSince(revision);
			expect(changes.revision).toBeGreaterThanOrEqual(revision);
			revision = changes.revision;
			for (const id of changes.runIds) changed.add(id);
			for (const { id, step, summaries } of store.listRuns({
				include: 'live',
				keys: ['turn_1/reward_mean'],
			}).runs) {
				if (!ids.includes(id) || step === 0) continue;
				// One state of the database: summary, points and trees belong together.
				expect(summaries['turn_1/reward_mean']?.last).toBe(step);
				seen = Math.max(seen, step);
			}
			store.search({ query: 'fox', order: 'newest', offset: 0, limit: 5 });
			await turn();
		}
		expect(await Promise.all(ends)).toEqual(processes.map(() => [0, null]));
		expect(processes.map(({ said }) => said()).join('')).toBe('');
		// The application saw the runs while they went on.
		expect(seen).toBeGreaterThan(0);
		expect([...changed]).toEqual(expect.arrayContaining(ids));
		for (const runId of ids) {
			expect(store.getRun(runId).run).toMatchObject({ step: steps, status: 'finished' });
			expect(store.metricPoints(runId, 'turn_1/reward_mean').value).toHaveLength(steps);
			expect(store.listTrees({ runId, limit: 10_000 }).trees).toHaveLength(2 * steps);
		}
		const database = new Database(store.path);
		expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
		database.close();
	});
});

describe('a lock of another program', () => {
	it('is waited for, telling so, and then named', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const waited: number[] = [];
		const writer = await openAt(store.path, {
			patienceMs: 2500,
			onWaiting: (ms) => waited.push(ms),
		});
		const holder = new Database(store.path);
		holder.exec('BEGIN IMMEDIATE');
		expect(() => writer.updateRuns({ ids: [id], patch: { name: 'new' } })).toThrow(
			/another program keeps the database locked/,
		);
		expect(waited.length).toBeGreaterThan(0);
		// Reading goes on all the while.
		expect(writer.getRun(id).run.name).toBe('run');
		holder.exec('ROLLBACK');
		holder.close();
		expect(writer.updateRuns({ ids: [id], patch: { name: 'new' } }).done).toEqual([id]);
	});

	it('by a long reader does not stop a writer, and its log is cut afterwards', async () => {
		const store = await openAt(join(temporaryFolder(), 'grove.db'));
		const id = store.createRun(newRun());
		const reader = new Database(store.path, { readonly: true });
		reader.exec('BEGIN');
		reader.prepare('SELECT count(*) FROM runs').get();
		const recorder = store.recorder(id);
		const metrics = Array.from({ length: 400 }, (_, i) => ({ key: `key ${i}`, value: i }));
		const logBytes = (): number => statSync(`${store.path}-wal`).size;
		let step = 0;
		while (logBytes() < 26 * 1024 * 1024) recorder.record(stepOf(++step, metrics));
		reader.exec('COMMIT');
		reader.close();
		for (let i = 0; i < 257; i++) recorder.record(stepOf(++step, []));
		expect(logBytes()).toBeLessThan(26 * 1024 * 1024);
		expect(store.metricPoints(id, 'key 7').value.length).toBe(step - 257);
	});
});
