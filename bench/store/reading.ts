/** How long the views wait: the runs table, a chart, a large tree, a search. Each in a newly opened store, then again. */
import { Random } from '../../src-main/contract/random.ts';
import type { RequestParams } from '../../src-main/contract/requests.ts';
import { metricSeries } from '../../src-main/services/metrics.ts';
import { SeriesCache } from '../../src-main/services/series-cache.ts';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { sampleKeys, sampleText, sampleTree, smallFill } from '../../test/support/fill-store.ts';
import { newRun, stepOf } from '../../test/support/new-run.ts';
import { type Figure, median, timed } from '../part.ts';
import { keysOfRun, pointSteps, recordRun } from './writing.ts';

const chartRuns = 20;
const chartSteps = 1000;
const keys = sampleKeys(keysOfRun, 2, 2);

/** Median of several first looks, each by a store that was just opened. */
async function firstLook(path: string, look: (store: Store) => unknown): Promise<number> {
	const times: number[] = [];
	for (let i = 0; i < 7; i++) {
		const store = await openStore({ path, readOnly: true });
		times.push(await timed(() => look(store)));
		store.close();
	}
	return median(times);
}

async function again(path: string, look: (store: Store) => unknown): Promise<number> {
	const store = await openStore({ path, readOnly: true });
	look(store);
	const times: number[] = [];
	for (let i = 0; i < 9; i++) times.push(await timed(() => look(store)));
	store.close();
	return median(times);
}

function looks(
	name: string,
	values: { first: number; again: number },
	atMost: number,
	note?: string,
): Figure[] {
	const common = {
		unit: 'ms',
		kind: 'absolute',
		goal: { atMost },
		...(note === undefined ? {} : { note }),
	} as const;
	return [
		{ name: `${name}, first look`, value: values.first, ...common },
		{ name: `${name}, again`, value: values.again, ...common },
	];
}

/** `scale`: part of the points that 1,000 runs × 100 keys × 1,000 steps have. */
export async function measureTables(path: string, scale: number): Promise<Figure[]> {
	const steps = Math.round(1000 * scale);
	const long = pointSteps(chartSteps);
	const short = long.slice(0, steps);
	const store = await openStore({ path });
	const table = (own: Store): unknown => own.listRuns({ include: 'live', keys: keys.slice(0, 8) });
	const ids: string[] = [];
	const slope: string[] = [];
	for (let run = 0; run < 1000; run++) {
		const id = `run-${run}`;
		recordRun(store, id, run < chartRuns ? long : short);
		ids.push(id);
		if (run + 1 === 100 || run + 1 === 300)
			slope.push(`${run + 1} runs ${(await firstLook(path, table)).toFixed(0)} ms`);
	}
	store.close();
	const points = chartRuns * chartSteps * keysOfRun + (1000 - chartRuns) * steps * keysOfRun;
	const size = `${(points / 1e6).toFixed(0)} M points`;
	const params = {
		runIds: ids.slice(0, chartRuns),
		keys: keys.slice(0, 1),
		x: 'step',
		smoothing: { kind: 'none' },
		buckets: 1000,
	} satisfies RequestParams<'metrics.series'>;
	const chart = (own: Store): unknown =>
		metricSeries(params, { records: own, series: new SeriesCache() });
	return [
		...looks(
			'runs table of 1,000 runs, 8 summary columns',
			{ first: await firstLook(path, table), again: await again(path, table) },
			50,
			`${size}; ${slope.join(', ')}`,
		),
		...looks(
			`one key of ${chartRuns} runs × ${chartSteps} steps for 1,000 pixels`,
			{ first: await firstLook(path, chart), again: await again(path, chart) },
			50,
			size,
		),
	];
}

/** A full tree of 1 + 10 + 100 + 1,000 nodes. */
export async function measureTree(path: string): Promise<Figure[]> {
	const store = await openStore({ path });
	const runId = store.createRun(newRun());
	const place = { step: 1, epoch: 0, itemIndex: 0, purpose: 'train' as const };
	const options = { ...smallFill, generations: 10, turns: 4, words: 8 };
	// Rewards near 0.2: no branch ends before the last turn.
	const tree = sampleTree(Random.from('bench', 'tree'), options, place, 0, 0);
	store.recorder(runId).record(stepOf(1, [], { trees: [tree] }));
	store.close();
	const open = (own: Store): unknown => own.treeOutline({ runId, ...place });
	return looks(
		`outline of a tree of ${tree.nodes.length} nodes`,
		{ first: await firstLook(path, open), again: await again(path, open) },
		30,
	);
}

const queries = [
	['a common word', 'fox'],
	['a rare word', 'unmistakable'],
	['two words', 'fox star'],
	['a phrase', '"small fox"'],
	['a beginning', 'star*'],
] as const;

/** `completions`: texts to search; `slopeAt`: a smaller number to compare with. */
export async function measureSearch(
	path: string,
	completions: number,
	slopeAt: number,
): Promise<Figure[]> {
	const store = await openStore({ path });
	const options = { ...smallFill, treesPerStep: 4, turns: 1, generations: 8, words: 30 };
	const random = Random.from('bench', 'search');
	const recorder = store.recorder(store.createRun(newRun()));
	const search = (query: string) => (own: Store) =>
		own.search({ query, order: 'newest', offset: 0, limit: 50 });
	const before = new Map<string, number>();
	let stored = 0;
	for (let step = 1; stored < completions; step++) {
		const trees = Array.from({ length: 4 }, (_, itemIndex) =>
			sampleTree(random, options, { step, epoch: 0, itemIndex, purpose: 'train' }, 0, 0),
		);
		const [tree] = trees;
		if (step % 200 === 0 && tree !== undefined)
			trees[0] = withText(tree, `${sampleText(random, 9)} unmistakable`);
		recorder.record(stepOf(step, [], { trees }));
		stored += 4 * 8 * 2;
		if (before.size === 0 && stored >= slopeAt) {
			for (const [, query] of queries) before.set(query, await firstLook(path, search(query)));
		}
	}
	store.close();
	const figures: Figure[] = [];
	for (const [name, query] of queries) {
		figures.push({
			name: `search for ${name} in ${(completions / 1e6).toFixed(2)} M completions, first look`,
			value: await firstLook(path, search(query)),
			unit: 'ms',
			kind: 'absolute',
			goal: { atMost: 200 },
			note: `${(slopeAt / 1e6).toFixed(2)} M: ${(before.get(query) ?? NaN).toFixed(0)} ms`,
		});
	}
	return figures;
}

function withText(
	tree: ReturnType<typeof sampleTree>,
	text: string,
): ReturnType<typeof sampleTree> {
	return {
		...tree,
		nodes: tree.nodes.map((node) => ({
			...node,
			agents: node.agents.map((agent) => ({
				...agent,
				completions: agent.completions.map((completion, index) =>
					index === 0 ? { ...completion, text } : completion,
				),
			})),
		})),
	};
}
