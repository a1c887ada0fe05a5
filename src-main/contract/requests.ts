/**
 * Everything the renderer can ask and be told: the one contract of both shells.
 * A request is a name, a schema of its parameters, and the type of its result; a push is a name and a payload.
 * Parameters are parsed at the door of each shell; nothing that is not listed here exists.
 */
import { z } from 'zod';
import type { Complaint, ErrorValue } from './errors.ts';
import type { ConfigComplaint, ConfigWarning, RunConfig } from './config.ts';
import type { CheckpointRecord, Phase } from './events.ts';
import { longestExpression } from './expression.ts';
import type { MetricSummary, RunRecord } from './run-record.ts';
import type { EndReason, RolloutNode } from './tree.ts';

const id = z.string().min(1).max(200);
const ids = z.array(id).max(10_000);
const key = z.string().max(4096);
const text = z.string().max(4_000_000);
const natural = z.int().min(0);
const purpose = z.enum(['train', 'eval']);
/** Names a stored tree. */
const treeRef = z.strictObject({ runId: id, step: natural, itemIndex: natural, purpose });

/** `epoch`: fraction of the run in epochs; `relative`: seconds since the run's first point; `wall`: milliseconds since 1970. */
export const xAxes = ['step', 'envStep', 'epoch', 'relative', 'wall'] as const;
export type XAxis = (typeof xAxes)[number];

export const smoothingSchema = z.discriminatedUnion('kind', [
	z.strictObject({ kind: z.literal('none') }),
	/** Debiased exponential average; weight in [0, 1). */
	z.strictObject({ kind: z.literal('ema'), weight: z.number().min(0).lt(1) }),
	/** As ema, the weight counted per unit of x relative to the mean spacing of points. */
	z.strictObject({ kind: z.literal('time-ema'), weight: z.number().min(0).lt(1) }),
	/** Gaussian kernel; deviation in points. */
	z.strictObject({ kind: z.literal('gaussian'), sigma: z.number().positive().max(100_000) }),
	/** Centred running mean; odd window in points. */
	z.strictObject({ kind: z.literal('mean'), window: z.int().min(1).max(1_000_001) }),
]);
export type Smoothing = z.output<typeof smoothingSchema>;

export interface AppInfo {
	version: string;
	shell: 'electron' | 'browser';
	platform: string;
	database: string;
	/** Set where the database can be read but not written, with the reason. */
	readOnly: string | null;
	/** Anything the person should know at once (network drive, moved file). */
	notices: string[];
}

export interface RunRow extends RunRecord {
	/** By metric key, for the keys asked for. */
	summaries: Record<string, MetricSummary>;
	/** Up to 40 values of the first key asked for, evenly over the run; null for a gap. */
	sparkline: (number | null)[];
	/** Of a run that this shell or another process drives at present. */
	live: RunProgress | null;
}

export interface RunProgress {
	runId: string;
	phase: Phase;
	step: number;
	totalSteps: number;
	detail: string;
	done: number;
	total: number;
	sinceMs: number;
	secondsLeft: number | null;
	tokensPerSecond: number | null;
}

/**
 * One line of a chart: smoothed on all stored points first, then thinned to buckets that keep min, max and last.
 * Holds the neighbour on each side of the range too, where there is one, so that a line reaches the edge.
 */
export interface Series {
	runId: string;
	/** Of the metric, or the text of the expression. */
	key: string;
	x: Float64Array;
	/** Training step of each point; null where x is that. */
	step: Float64Array | null;
	/** Raw values, thinned; NaN and infinities stay as themselves. */
	y: Float64Array;
	/** Smoothed values at the same x; equal to y without smoothing. */
	smooth: Float64Array;
	/** Nodes that each point is the mean of; null where that was not asked for or is not known. */
	nodes: Float64Array | null;
	/** Points stored in the range asked for. */
	total: number;
	/** True where x and y hold every stored point of the range. */
	exact: boolean;
	/** Non-finite values in the range. */
	nonFinite: number;
}

export interface TreeSummary {
	runId: string;
	step: number;
	epoch: number;
	envStep: number;
	itemIndex: number;
	itemId: string;
	title: string;
	purpose: 'train' | 'eval';
	nodes: number;
	joints: number;
	/** By turn from 1: mean reward over nodes; null where none was scored. */
	rewardByTurn: (number | null)[];
	bestReward: number | null;
	zeroVarianceShare: number;
}

/** A tree without its texts, as columns, small enough for 50,000 nodes. All arrays but `joint*` have one entry per node. */
export interface TreeOutline extends TreeSummary {
	agentNames: string[];
	jointMode: 'aligned' | 'cross';
	turn: Int32Array;
	/** −1 for the root. */
	parentNode: Int32Array;
	parentJoint: Int32Array;
	envSteps: Float64Array;
	/** NaN: not scored. */
	rewardMean: Float64Array;
	returnMean: Float64Array;
	/** Null while the node has children. */
	ended: (EndReason | null)[];
	zeroVariance: Uint8Array;
	/** Joint completions of all nodes one after another; node n has [jointStart[n], jointStart[n + 1]). */
	jointStart: Int32Array;
	/** NaN: not scored. */
	jointReward: Float64Array;
	jointReturn: Float64Array;
	/** Per joint, mean over its agents' completions. NaN: not trained on. */
	jointAdvantage: Float64Array;
	/** −1: none. */
	jointChild: Int32Array;
}

export interface SearchHit {
	runId: string;
	runName: string;
	step: number;
	itemIndex: number;
	purpose: 'train' | 'eval';
	node: number;
	turn: number;
	/** Null where the hit is a prompt. */
	joint: number | null;
	agent: number;
	agentName: string;
	reward: number | null;
	/** Around the first match, plain text. */
	excerpt: string;
	/** [start, end) of matches in the excerpt, UTF-16 units. */
	marks: [number, number][];
}

/** The nodes behind one chart point, and how to compute it again. */
export interface Evidence {
	runId: string;
	key: string;
	step: number;
	value: number;
	nodes: {
		itemIndex: number;
		node: number;
		turn: number;
		rewardMean: number | null;
		returnMean: number | null;
		joints: number;
	}[];
	rewards: number[];
	/** Mean over nodes recomputed from the rows; equals `value` up to rounding. */
	recomputed: number;
	leafWeighted: number | null;
	sql: string;
}

/** How values were spread over the steps of a run. */
export interface Histogram {
	/** Step at the left of the first column. */
	firstStep: number;
	stepsPerColumn: number;
	columns: number;
	bins: number;
	/** Range that the bins divide equally; null without a finite value. */
	low: number | null;
	high: number | null;
	/** [columns, bins], bins from low to high. */
	counts: Int32Array;
	/** Values that are unknown or not finite. */
	outside: number;
	trees: number;
	/** Fewer than `trees` in a very long run: evenly spaced ones. */
	treesRead: number;
}

export interface LogLine {
	id: number;
	timeMs: number;
	level: 'info' | 'warning' | 'error';
	source: string;
	step: number;
	text: string;
}

export interface Annotation {
	id: string;
	runId: string;
	step: number;
	itemIndex: number;
	purpose: 'train' | 'eval';
	node: number;
	joint: number | null;
	bookmark: boolean;
	score: number | null;
	text: string;
	createdAtMs: number;
}

export interface BackendReport {
	backend: 'cuda' | 'webgpu' | 'cpu';
	usable: boolean;
	/** Why not, or a remark. */
	reason: string;
	adapter: string;
	memoryBytes: number | null;
	driver: string;
	/** A measured second: GFLOP/s of a large matrix product and GB/s read; null where not usable. */
	gemmGflops: number | null;
	readGBs: number | null;
	/** What to do to make it usable. */
	advice: string;
	software: boolean;
}

export interface ModelEntry {
	/** What to write as `model:`. */
	ref: string;
	source: 'bundled' | 'folder' | 'cache' | 'run';
	path: string;
	architecture: string;
	parameters: number | null;
	bytes: number;
	/** Peak memory of one trained agent: weights × (1 + 1 + 2) in fp32. */
	trainingBytes: number | null;
	problem: string | null;
}

export interface Estimate {
	steps: number;
	trees: number;
	nodesPerTree: number;
	jointsPerTree: number;
	completions: number;
	maxTokens: number;
	memoryBytes: number | null;
	secondsPerStep: number | null;
	/** Where the speed figure comes from; empty without one. */
	basis: string;
}

export interface ConfigCheck {
	ok: boolean;
	config: RunConfig | null;
	/** With the line in the text, from 1, where it is known. */
	complaints: (ConfigComplaint & { line: number | null })[];
	warnings: ConfigWarning[];
	estimate: Estimate | null;
}

export interface WorkspaceUsage {
	databaseBytes: number;
	walBytes: number;
	freeBytes: number;
	texts: number;
	metrics: number;
	trees: number;
	checkpoints: number;
	trash: number;
	byRun: {
		runId: string;
		name: string;
		textBytes: number;
		metricBytes: number;
		checkpointBytes: number;
	}[];
}

export interface TaskSourceView {
	name: string;
	path: string | null;
	text: string;
	hash: string;
	/** Null: built in or file gone; else whether the file differs from what scored the run. */
	changedSince: boolean | null;
	currentText: string | null;
}

export interface BulkOutcome {
	done: string[];
	/** Already so, or gone: not an error. */
	unchanged: string[];
	refused: { id: string; error: ErrorValue }[];
}

export interface ImportReport {
	runs: { id: string; name: string; isNew: boolean }[];
	points: number;
	trees: number;
	/** Records that could not be read, with where and why. */
	problems: Complaint[];
}

const runPatch = z.strictObject({
	name: z.string().max(1000).optional(),
	notes: text.optional(),
	tags: z.array(z.string().min(1).max(200)).max(100).optional(),
	archived: z.boolean().optional(),
	project: z.string().min(1).max(200).optional(),
});

/** Request name → schema of its parameters. */
export const requestParams = {
	'app.info': z.strictObject({}),
	'doctor.run': z.strictObject({ measure: z.boolean() }),
	'config.check': z.strictObject({ text, baseFolder: z.string().max(4096).optional() }),
	/** YAML of a configuration object, keys in the order of the schema, defaults left out. */
	'config.toYaml': z.strictObject({ config: z.record(z.string(), z.unknown()) }),
	'runs.list': z.strictObject({
		include: z.enum(['live', 'archived', 'trash', 'all']),
		keys: z.array(key).max(200),
		/** Only these, for reading again what a push named; those that are gone are left out. */
		ids: ids.optional(),
	}),
	'runs.get': z.strictObject({ id }),
	'runs.update': z.strictObject({
		ids,
		patch: runPatch,
		addTags: z.array(z.string().min(1).max(200)).max(100).optional(),
		removeTags: z.array(z.string().min(1).max(200)).max(100).optional(),
	}),
	'runs.trash': z.strictObject({ ids }),
	'runs.restore': z.strictObject({ ids }),
	'runs.purge': z.strictObject({ ids }),
	'runs.start': z.strictObject({ text, baseFolder: z.string().max(4096).optional() }),
	'runs.stop': z.strictObject({ id, now: z.boolean() }),
	'runs.pause': z.strictObject({ id }),
	'runs.resume': z.strictObject({ id }),
	'runs.fork': z.strictObject({ id, step: natural.nullable(), text }),
	'metrics.keys': z.strictObject({ runIds: ids }),
	'metrics.series': z.strictObject({
		runIds: ids.max(200),
		keys: z.array(key).max(200),
		/** See expression.ts; each makes one line a run, its points where all of its metrics have one. */
		expressions: z.array(z.string().max(longestExpression)).max(50).optional(),
		x: z.enum(xAxes),
		/** Draw against this metric instead: x are its finite values at the same steps. */
		xKey: key.optional(),
		/** Also the numbers of nodes behind the points of metrics of a turn. */
		nodes: z.boolean().optional(),
		smoothing: smoothingSchema,
		from: z.number().optional(),
		to: z.number().optional(),
		buckets: z.int().min(1).max(10_000),
	}),
	'metrics.evidence': z.strictObject({ runId: id, key, step: natural }),
	/** `turn` from 1; `agent` from 0, for lengths. */
	'metrics.histogram': z.strictObject({
		runId: id,
		of: z.enum(['reward', 'return', 'length']),
		purpose,
		turn: natural,
		agent: natural,
		columns: z.int().min(1).max(1000),
		bins: z.int().min(1).max(200),
	}),
	'trees.list': z.strictObject({
		runId: id,
		purpose: purpose.optional(),
		itemIndex: natural.optional(),
		fromStep: natural.optional(),
		toStep: natural.optional(),
		limit: z.int().min(1).max(10_000),
	}),
	'trees.outline': treeRef,
	'trees.node': treeRef.extend({ node: natural }),
	/** The same prompt's tree at every step it was visited. */
	'trees.film': z.strictObject({
		runId: id,
		itemIndex: natural,
		purpose,
		limit: z.int().min(1).max(2_000),
	}),
	'rollouts.search': z.strictObject({
		query: z.string().max(10_000),
		runIds: ids.optional(),
		turn: natural.optional(),
		agent: natural.optional(),
		minReward: z.number().optional(),
		maxReward: z.number().optional(),
		order: z.enum(['relevance', 'newest', 'best', 'worst', 'random']),
		limit: z.int().min(1).max(1_000),
		offset: natural,
	}),
	'annotations.list': z.strictObject({ runId: id.optional() }),
	'annotations.put': z.strictObject({
		annotation: z.strictObject({
			id: id.optional(),
			runId: id,
			step: natural,
			itemIndex: natural,
			purpose,
			node: natural,
			joint: natural.nullable(),
			bookmark: z.boolean(),
			score: z.number().nullable(),
			text,
		}),
	}),
	'annotations.remove': z.strictObject({ id }),
	'checkpoints.list': z.strictObject({ runId: id }),
	'logs.list': z.strictObject({ runId: id, afterId: natural, limit: z.int().min(1).max(10_000) }),
	'task.source': z.strictObject({ runId: id }),
	'tasks.list': z.strictObject({}),
	'models.list': z.strictObject({}),
	'workspace.usage': z.strictObject({}),
	'workspace.dropTexts': z.strictObject({ runIds: ids }),
	'workspace.emptyTrash': z.strictObject({}),
	/** Writes a file into the exports folder; `what` matters for csv and jsonl. */
	'export.create': z.strictObject({
		runIds: ids,
		format: z.enum(['bundle', 'csv', 'jsonl']),
		what: z.enum(['metrics', 'rollouts']),
		checkpoints: z.boolean(),
	}),
	/** A file of the person's disk (desktop only), or a path that an upload was answered with (see frames.ts). */
	'import.file': z.strictObject({ path: z.string().min(1).max(4096) }),
	'saved.list': z.strictObject({ kind: z.string().min(1).max(100) }),
	'saved.put': z.strictObject({
		kind: z.string().min(1).max(100),
		name: z.string().min(1).max(1000),
		value: text,
	}),
	'saved.remove': z.strictObject({
		kind: z.string().min(1).max(100),
		name: z.string().min(1).max(1000),
	}),
} as const;

export type RequestName = keyof typeof requestParams;
export type RequestParams<N extends RequestName> = z.output<(typeof requestParams)[N]>;

/** Request name → its result. */
export interface RequestResults {
	'app.info': AppInfo;
	'doctor.run': { backends: BackendReport[]; chosen: string };
	'config.check': ConfigCheck;
	'config.toYaml': { text: string };
	'runs.list': { runs: RunRow[]; metricKeys: string[]; revision: number };
	'runs.get': { run: RunRow; configText: string; children: string[] };
	'runs.update': BulkOutcome;
	'runs.trash': BulkOutcome;
	'runs.restore': BulkOutcome;
	'runs.purge': BulkOutcome & { freedBytes: number };
	'runs.start': { id: string };
	'runs.stop': { status: string };
	'runs.pause': { status: string };
	'runs.resume': { status: string };
	'runs.fork': { id: string };
	'metrics.keys': {
		keys: { key: string; runs: number; summaries: Record<string, MetricSummary> }[];
	};
	'metrics.series': { series: Series[] };
	'metrics.evidence': Evidence;
	'metrics.histogram': Histogram;
	'trees.list': { trees: TreeSummary[] };
	'trees.outline': TreeOutline;
	'trees.node': {
		node: RolloutNode;
		agentNames: string[];
		discount: number;
		advantageMode: string;
		normalization: boolean;
		tokenPieces: string[][][] | null;
	};
	'trees.film': { frames: TreeOutline[] };
	'rollouts.search': { hits: SearchHit[]; total: number; totalIsLowerBound: boolean };
	'annotations.list': { annotations: Annotation[] };
	'annotations.put': { id: string };
	'annotations.remove': { removed: boolean };
	'checkpoints.list': { checkpoints: CheckpointRecord[] };
	'logs.list': { lines: LogLine[] };
	'task.source': TaskSourceView;
	'tasks.list': { tasks: { name: string; summary: string; agents: string[]; turns: number }[] };
	'models.list': { models: ModelEntry[] };
	'workspace.usage': WorkspaceUsage;
	'workspace.dropTexts': { freedBytes: number };
	'workspace.emptyTrash': { freedBytes: number; runs: number };
	/** `download`: where the window can fetch the file, once, relative to its own address. */
	'export.create': {
		path: string;
		fileName: string;
		download: string;
		bytes: number;
		rows: number;
		complete: true;
	};
	'import.file': ImportReport;
	'saved.list': { entries: { name: string; value: string; savedAtMs: number }[] };
	'saved.put': { saved: true };
	'saved.remove': { removed: boolean };
}

/** Push name → payload. Late subscribers miss nothing that a fresh request would not show. */
export interface Pushes {
	/** Rows of the runs table that changed; empty ids: read all again. */
	'runs.changed': { ids: string[]; revision: number };
	'run.progress': RunProgress;
	/** A step (or evaluation) was stored: its metric values, so that charts append without asking again. */
	'run.step': {
		runId: string;
		step: number;
		envStep: number;
		epoch: number;
		wallTimeMs: number;
		purpose: 'train' | 'eval';
		values: { key: string; value: number }[];
	};
	'run.log': { runId: string; line: LogLine };
	notice: { level: 'info' | 'warning' | 'error'; text: string };
}
export type PushName = keyof Pushes;

/** What a shell answers: the result, or an error as a value. Never a rejected promise across the bridge. */
export type Reply<N extends RequestName> =
	{ ok: true; result: RequestResults[N] } | { ok: false; error: ErrorValue };

export type RequestFunction = <N extends RequestName>(
	name: N,
	params: RequestParams<N>,
) => Promise<Reply<N>>;
export type SubscribeFunction = <P extends PushName>(
	name: P,
	listener: (payload: Pushes[P]) => void,
) => () => void;

/** What the preload script exposes and the browser bridge builds: all that the renderer has. */
export interface Bridge {
	request: RequestFunction;
	subscribe: SubscribeFunction;
}

export function isRequestName(name: string): name is RequestName {
	return Object.hasOwn(requestParams, name);
}
