/** A service context on a store in memory, small but with every kind of value that crosses to a window. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultConfig } from '../../src-main/contract/config.ts';
import { GroveError } from '../../src-main/contract/errors.ts';
import type { BulkOutcome, RunRow, TreeOutline } from '../../src-main/contract/requests.ts';
import type { RolloutNode } from '../../src-main/contract/tree.ts';
import type { MetricPoints, Records, ServiceContext } from '../../src-main/services/context.ts';
import { FileExchange } from '../../src-main/services/file-exchange.ts';
import { Publisher } from '../../src-main/services/publisher.ts';
import { SeriesCache } from '../../src-main/services/series-cache.ts';

const treePlace = { step: 3, itemIndex: 1, purpose: 'train' as const };

function run(id: string): RunRow {
	return {
		id,
		project: 'default',
		name: `<b>${id}</b> \u202e`,
		status: 'finished',
		colorIndex: 2,
		createdAtMs: 1000,
		startedAtMs: 1500,
		endedAtMs: null,
		heartbeatAtMs: null,
		step: 3,
		totalSteps: 10,
		envStep: 48,
		config: { ...defaultConfig() },
		taskHash: null,
		taskName: 'story',
		model: 'bundled:grove-small',
		device: 'cpu',
		seed: '18446744073709551615',
		groveVersion: '0.1.0',
		git: null,
		parentRunId: null,
		forkStep: null,
		notes: 'line\u0000break',
		tags: ['paper'],
		archived: false,
		deletedAtMs: null,
		error: null,
		host: 'here',
		pid: null,
		summaries: {
			loss: {
				key: 'loss',
				count: 5,
				nonFinite: 1,
				last: NaN,
				min: -0,
				max: Infinity,
				mean: 0.5,
				lastStep: 3,
			},
		},
		sparkline: [0.1, null, NaN, -Infinity],
		live: null,
	};
}

const points: MetricPoints = {
	step: Float64Array.from([1, 2, 3, 4, 5]),
	envStep: Float64Array.from([8, 16, 24, 32, 40]),
	epoch: Float64Array.from([0.1, 0.2, 0.3, 0.4, 0.5]),
	wallTimeMs: Float64Array.from([2000, 3000, 2500, 4000, 5000]),
	value: Float64Array.from([0.5, NaN, -0, Infinity, 1]),
};

const node: RolloutNode = {
	index: 0,
	turn: 1,
	parent: null,
	envStep: 48,
	agents: [
		{
			prompt: 'Say',
			rawPrompt: 'Say',
			promptTokenIds: [1, 2],
			promptTokensCut: 0,
			completions: [
				{
					text: 'hello\ud800',
					tokenIds: [7, 8],
					logProbs: [-0.5, -Infinity],
					finishReason: 'eos',
					return: 1,
					advantage: null,
					referenceKl: null,
				},
			],
		},
	],
	joints: [
		{
			picks: [0],
			reward: 1,
			rawReward: NaN,
			rewardParts: { length: 1, $number: 2 },
			taskMetrics: {},
			rewardError: null,
			return: 1,
			child: null,
		},
	],
	rewardMean: 1,
	returnMean: 1,
	ended: 'last-turn',
	zeroVariance: true,
};

function outline(runId: string): TreeOutline {
	return {
		runId,
		...treePlace,
		epoch: 0,
		envStep: 48,
		itemId: 'item-1',
		title: 'Say',
		nodes: 1,
		joints: 1,
		rewardByTurn: [1, null],
		bestReward: 1,
		zeroVarianceShare: 1,
		agentNames: ['agent_1'],
		jointMode: 'aligned',
		turn: Int32Array.from([1]),
		parentNode: Int32Array.from([-1]),
		parentJoint: Int32Array.from([-1]),
		envSteps: Float64Array.from([48]),
		rewardMean: Float64Array.from([1]),
		returnMean: Float64Array.from([NaN]),
		ended: ['last-turn'],
		zeroVariance: Uint8Array.from([1]),
		jointStart: Int32Array.from([0, 1]),
		jointReward: Float64Array.from([1]),
		jointReturn: Float64Array.from([1]),
		jointAdvantage: Float64Array.from([NaN]),
		jointChild: Int32Array.from([-1]),
	};
}

/** Records of the runs `a` and `b`; any other id is not found. */
export function standInRecords(): Records {
	const runs = new Map(['a', 'b'].map((id) => [id, run(id)]));
	const saved = new Map<string, { name: string; value: string; savedAtMs: number }>();
	let revision = 1;
	const find = (id: string): RunRow => {
		const found = runs.get(id);
		if (found === undefined)
			throw new GroveError('not-found', { what: 'there is no such run', given: id });
		return found;
	};
	const outcome = (ids: readonly string[]): BulkOutcome => {
		revision++;
		return {
			done: ids.filter((id) => runs.has(id)),
			unchanged: ids.filter((id) => !runs.has(id)),
			refused: [],
		};
	};
	return {
		path: '/data/grove.db',
		readOnly: null,
		revision: () => revision,
		pointsRevision: () => revision,
		metricPoints: (id, key) =>
			runs.has(id) && key === 'loss'
				? points
				: {
						step: new Float64Array(0),
						envStep: new Float64Array(0),
						epoch: new Float64Array(0),
						wallTimeMs: new Float64Array(0),
						value: new Float64Array(0),
					},
		firstPointMs: (id) => (runs.has(id) ? 1000 : null),
		listRuns: ({ ids }) => ({
			runs: [...runs.values()].filter((row) => ids?.includes(row.id) ?? true),
			metricKeys: ['loss'],
		}),
		getRun: (id) => ({ run: find(id), configText: 'task: story\n', children: [] }),
		updateRuns: ({ ids }) => outcome(ids),
		trashRuns: outcome,
		restoreRuns: outcome,
		purgeRuns: (ids) => ({ ...outcome(ids), freedBytes: 10 }),
		metricKeys: (ids) => ({
			keys: [{ key: 'loss', runs: ids.length, summaries: run('a').summaries }],
		}),
		evidence: ({ runId, key, step }) => ({
			runId: find(runId).id,
			key,
			step,
			value: NaN,
			nodes: [],
			rewards: [1, -Infinity],
			recomputed: 0,
			leafWeighted: null,
			sql: 'SELECT 1',
		}),
		histogram: ({ runId, bins }) => ({
			firstStep: find(runId).step,
			stepsPerColumn: 1,
			columns: 1,
			bins,
			low: -0,
			high: 1,
			counts: new Int32Array(bins),
			outside: 1,
			trees: 1,
			treesRead: 1,
		}),
		listTrees: ({ runId }) => ({ trees: [outline(find(runId).id)] }),
		treeOutline: ({ runId }) => outline(find(runId).id),
		treeNode: ({ runId }) => ({
			node,
			agentNames: ['agent_1'],
			discount: 1,
			advantageMode: 'mean',
			normalization: true,
			models: [find(runId).model],
		}),
		treeFilm: ({ runId }) => ({ frames: [outline(find(runId).id)] }),
		search: () => ({
			hits: [
				{
					runId: 'a',
					runName: 'a',
					...treePlace,
					node: 0,
					turn: 1,
					joint: null,
					agent: 0,
					agentName: 'agent_1',
					reward: null,
					excerpt: 'Say',
					marks: [[0, 3]],
				},
			],
			total: 1,
			totalIsLowerBound: false,
		}),
		listAnnotations: () => ({ annotations: [] }),
		putAnnotation: ({ id, runId }) => ({ id: id ?? `note-of-${find(runId).id}` }),
		removeAnnotation: () => ({ removed: false }),
		listCheckpoints: (id) => ({
			checkpoints: [
				{
					step: 3,
					envStep: 48,
					path: `/data/${find(id).id}`,
					bytes: 10,
					wallTimeMs: 2000,
					score: NaN,
					isBest: true,
					isFinal: false,
				},
			],
		}),
		listLogs: ({ runId }) => ({
			lines: [{ id: 1, timeMs: 1, level: 'info', source: 'grove', step: 1, text: find(runId).id }],
		}),
		taskSource: (id) => ({
			name: find(id).taskName,
			path: null,
			text: 'export default {}',
			hash: 'x',
		}),
		usage: () => ({
			databaseBytes: 1,
			walBytes: 2,
			freeBytes: 3,
			texts: 4,
			metrics: 5,
			trees: 6,
			checkpoints: 7,
			trash: 8,
			byRun: [{ runId: 'a', name: 'a', textBytes: 1, metricBytes: 2, checkpointBytes: 3 }],
		}),
		dropTexts: () => ({ freedBytes: 4 }),
		emptyTrash: () => ({ freedBytes: 4, runs: 1 }),
		exportRuns: (_, folder) => {
			const path = join(folder, 'runs.csv');
			writeFileSync(path, 'step,value\n1,0.5\n');
			return Promise.resolve({ path, fileName: 'runs.csv', bytes: 17, rows: 1, complete: true });
		},
		importFile: () =>
			Promise.resolve({
				runs: [{ id: 'a', name: 'a', isNew: false }],
				points: 1,
				trees: 0,
				problems: [{ what: 'a line was cut', where: 'line 3' }],
			}),
		listSaved: (kind) => ({
			entries: [...saved].filter(([name]) => name.startsWith(`${kind}/`)).map(([, entry]) => entry),
		}),
		putSaved: ({ kind, name, value }) =>
			void saved.set(`${kind}/${name}`, { name, value, savedAtMs: 5 }),
		removeSaved: ({ kind, name }) => ({ removed: saved.delete(`${kind}/${name}`) }),
	};
}

export interface StandIn {
	context: ServiceContext;
	/** What was logged. */
	faults: string[];
	close(): void;
}

/** A context of which any part can be replaced. */
export function standInContext(parts: Partial<ServiceContext> = {}): StandIn {
	const exportsFolder = mkdtempSync(join(tmpdir(), 'grove-exports-'));
	const files = new FileExchange();
	const faults: string[] = [];
	const context: ServiceContext = {
		app: { version: '0.1.0', shell: 'browser', notices: [] },
		records: standInRecords(),
		runs: {
			live: () => new Map(),
			own: () => [],
			start: () => Promise.resolve({ id: 'new' }),
			stop: () => Promise.resolve({ status: 'stopped' }),
			pause: () => Promise.resolve({ status: 'paused' }),
			resume: () => Promise.resolve({ status: 'running' }),
			fork: () => Promise.resolve({ id: 'fork' }),
			estimate: () => Promise.resolve(null),
		},
		tasks: () =>
			Promise.resolve([{ name: 'story', summary: 'Tell', agents: ['a', 'b'], turns: 1 }]),
		models: () => Promise.resolve([]),
		devices: () => Promise.resolve({ backends: [], chosen: 'cpu' }),
		tokenPieces: (_, ids) =>
			Promise.resolve(ids.map((agent) => agent.map((completion) => completion.map(String)))),
		exportsFolder,
		files,
		importAnyFile: false,
		series: new SeriesCache(),
		publisher: new Publisher(),
		log: (_, text) => void faults.push(text),
		...parts,
	};
	return {
		context,
		faults,
		close() {
			files.close();
			rmSync(exportsFolder, { recursive: true, force: true });
		},
	};
}
