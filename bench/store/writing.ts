/** How fast steps are stored, one transaction each, and how much room they take. */
import { statSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { TrainingEvent } from '../../src-main/contract/events.ts';
import { Random } from '../../src-main/contract/random.ts';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { sampleKeys, sampleStep, smallFill } from '../../test/support/fill-store.ts';
import { newRun, stepOf } from '../../test/support/new-run.ts';
import { type Figure, median } from '../part.ts';

const rounds = 5;
export const keysOfRun = 100;

/** Steps of `keysOfRun` points each. */
export function pointSteps(steps: number): TrainingEvent[] {
	const random = Random.from('bench', 'points');
	const keys = sampleKeys(keysOfRun, 2, 2);
	return Array.from({ length: steps }, (_, index) =>
		stepOf(
			index + 1,
			keys.map((key) => ({ key, value: random.normal() })),
		),
	);
}

/** Records a new run; returns its seconds. */
export function recordRun(store: Store, id: string, events: readonly TrainingEvent[]): number {
	const recorder = store.recorder(store.createRun(newRun({ id, name: id })));
	const start = performance.now();
	for (const event of events) recorder.record(event);
	const seconds = (performance.now() - start) / 1000;
	recorder.record({ kind: 'finished', step: events.length });
	return seconds;
}

/** Bytes of the pages of tables and their indexes whose names begin so. */
export function tableBytes(path: string, beginning: string): number {
	const database = new Database(path, { readonly: true });
	const bytes: unknown = database
		.prepare(
			"SELECT sum(pgsize) FROM dbstat WHERE name LIKE ? || '%' OR name LIKE 'sqlite_autoindex_' || ? || '%'",
		)
		.pluck()
		.get(beginning, beginning);
	database.close();
	return Number(bytes);
}

export async function measurePoints(path: string): Promise<Figure[]> {
	const store = await openStore({ path });
	const steps = 2000;
	const events = pointSteps(steps);
	const points = steps * keysOfRun;
	const seconds = Array.from({ length: rounds }, (_, round) =>
		recordRun(store, `points-${round}`, events),
	);
	store.close();
	return [
		{
			name: 'metric points stored, 100 a step',
			value: points / median(seconds),
			unit: 'points/s',
			kind: 'absolute',
			goal: { atLeast: 200_000 },
		},
		{
			name: 'file per metric point (step, env step, epoch, time, value)',
			value: tableBytes(path, 'metric_') / (points * rounds),
			unit: 'bytes',
			kind: 'ratio',
			goal: { atMost: 40 },
		},
	];
}

/** Steps as a usual configuration makes them: four examples, two turns, two agents, four generations, 80 joint completions. */
function rolloutSteps(
	steps: number,
	round: number,
): { events: TrainingEvent[]; joints: number; texts: Set<string> } {
	const options = { ...smallFill, keys: 24, steps, treesPerStep: 4, items: 200 };
	const random = Random.from('bench', 'rollouts', round);
	const events: TrainingEvent[] = [];
	const texts = new Set<string>();
	let envStep = 0;
	for (let step = 1; step <= steps; step++) {
		const record = sampleStep(random, options, step, envStep);
		envStep = record.envStep;
		events.push({ kind: 'step', record });
		for (const tree of record.trees) {
			texts.add(tree.title);
			for (const turn of tree.nodes.flatMap((node) => node.agents)) {
				texts.add(turn.prompt).add(turn.rawPrompt);
				for (const { text } of turn.completions) texts.add(text);
			}
		}
	}
	return { events, joints: envStep, texts };
}

export async function measureJoints(path: string): Promise<Figure[]> {
	const store = await openStore({ path });
	const rates: number[] = [];
	const texts = new Set<string>();
	let stored = 0;
	for (let round = 0; round < rounds; round++) {
		const own = rolloutSteps(250, round);
		rates.push(own.joints / recordRun(store, `rollouts-${round}`, own.events));
		stored += own.joints;
		for (const text of own.texts) texts.add(text);
	}
	store.close();
	const compressed = zstdCompressSync([...texts].join('\n')).length;
	return [
		{
			name: 'joint completions stored, 80 a step, searchable at once',
			value: median(rates),
			unit: 'joints/s',
			kind: 'absolute',
			goal: { atLeast: 20_000 },
		},
		{
			name: 'texts in the file against all of them in one zstd stream',
			value: tableBytes(path, 'text_blocks') / compressed,
			unit: '×',
			kind: 'ratio',
			goal: { atMost: 1.2 },
		},
		{
			name: 'file per joint completion, tokens and search index included',
			value: statSync(path).size / stored,
			unit: 'bytes',
			kind: 'ratio',
		},
	];
}
