/**
 * What the services need from the parts below them, so that each service is a plain function that can be
 * tested with the real store and stand-ins for the rest. Whoever starts a shell puts the parts together.
 * Every function may throw GroveError; anything else that it throws counts as a fault in Grove.
 */
import type { RunConfig } from '../contract/config.ts';
import type {
	BackendReport,
	Estimate,
	ModelEntry,
	RequestParams,
	RequestResults,
	RunProgress,
	RunRow,
	WorkspaceUsage,
} from '../contract/requests.ts';
import type { FileExchange } from './file-exchange.ts';
import type { Publisher } from './publisher.ts';
import type { SeriesCache } from './series-cache.ts';

/** All stored points of one metric of one run, in ascending order of step, env step and time. */
export interface MetricPoints {
	step: Float64Array;
	envStep: Float64Array;
	epoch: Float64Array;
	/** Milliseconds since 1970. */
	wallTimeMs: Float64Array;
	/** NaN and infinities as themselves. */
	value: Float64Array;
}

/** The source of a run's task as it was stored with the run. */
interface StoredTaskSource {
	name: string;
	/** Null for a built-in task. */
	path: string | null;
	text: string;
	hash: string;
}

/** The store, as the services see it. */
export interface Records {
	/** The database file. */
	path: string;
	/** The reason for which nothing can be written, or null. */
	readOnly: string | null;
	/** Grows with every change to runs or points, by whichever process. */
	revision(): number;
	/** Differs after any change to the points of this run. */
	pointsRevision(runId: string): number;
	metricPoints(runId: string, key: string): MetricPoints;
	/** Time of the run's first point of any metric; null before it. */
	firstPointMs(runId: string): number | null;

	/** Rows with `live` null. */
	listRuns(params: RequestParams<'runs.list'>): { runs: RunRow[]; metricKeys: string[] };
	/** Throws 'not-found'. */
	getRun(id: string): { run: RunRow; configText: string; children: string[] };
	updateRuns(params: RequestParams<'runs.update'>): RequestResults['runs.update'];
	trashRuns(ids: readonly string[]): RequestResults['runs.trash'];
	restoreRuns(ids: readonly string[]): RequestResults['runs.restore'];
	purgeRuns(ids: readonly string[]): RequestResults['runs.purge'];

	metricKeys(runIds: readonly string[]): RequestResults['metrics.keys'];
	evidence(params: RequestParams<'metrics.evidence'>): RequestResults['metrics.evidence'];
	histogram(params: RequestParams<'metrics.histogram'>): RequestResults['metrics.histogram'];
	listTrees(params: RequestParams<'trees.list'>): RequestResults['trees.list'];
	treeOutline(params: RequestParams<'trees.outline'>): RequestResults['trees.outline'];
	treeNode(
		params: RequestParams<'trees.node'>,
	): Omit<RequestResults['trees.node'], 'tokenPieces'> & { models: readonly string[] };
	treeFilm(params: RequestParams<'trees.film'>): RequestResults['trees.film'];
	search(params: RequestParams<'rollouts.search'>): RequestResults['rollouts.search'];

	listAnnotations(runId: string | undefined): RequestResults['annotations.list'];
	putAnnotation(
		annotation: RequestParams<'annotations.put'>['annotation'],
	): RequestResults['annotations.put'];
	removeAnnotation(id: string): RequestResults['annotations.remove'];
	listCheckpoints(runId: string): RequestResults['checkpoints.list'];
	listLogs(params: RequestParams<'logs.list'>): RequestResults['logs.list'];
	taskSource(runId: string): StoredTaskSource;

	usage(): WorkspaceUsage;
	dropTexts(runIds: readonly string[]): RequestResults['workspace.dropTexts'];
	emptyTrash(): RequestResults['workspace.emptyTrash'];

	exportRuns(
		params: RequestParams<'export.create'>,
		folder: string,
	): Promise<Omit<RequestResults['export.create'], 'download'>>;
	importFile(path: string): Promise<RequestResults['import.file']>;

	listSaved(kind: string): RequestResults['saved.list'];
	putSaved(params: RequestParams<'saved.put'>): void;
	removeSaved(params: RequestParams<'saved.remove'>): RequestResults['saved.remove'];
}

/** Starting and steering runs. */
export interface RunControl {
	/** What runs at present here or in other processes, by run id. */
	live(): ReadonlyMap<string, RunProgress>;
	/** Ids of the runs whose trainer this application started and still runs. */
	own(): readonly string[];
	start(params: RequestParams<'runs.start'>): Promise<RequestResults['runs.start']>;
	stop(params: RequestParams<'runs.stop'>): Promise<RequestResults['runs.stop']>;
	pause(params: RequestParams<'runs.pause'>): Promise<RequestResults['runs.pause']>;
	resume(params: RequestParams<'runs.resume'>): Promise<RequestResults['runs.resume']>;
	fork(params: RequestParams<'runs.fork'>): Promise<RequestResults['runs.fork']>;
	/** Null where too little is known (the task or a model cannot be read). */
	estimate(config: RunConfig, baseFolder: string | undefined): Promise<Estimate | null>;
}

export interface ServiceContext {
	app: {
		version: string;
		shell: 'electron' | 'browser';
		/** Anything the person should know at once. */
		notices: readonly string[];
	};
	records: Records;
	runs: RunControl;
	tasks: () => Promise<RequestResults['tasks.list']['tasks']>;
	models: () => Promise<ModelEntry[]>;
	devices: (measure: boolean) => Promise<{ backends: BackendReport[]; chosen: string }>;
	/** Each token of each completion as its own text, [agent][completion][token]; null where the model is not at hand. */
	tokenPieces: (
		models: readonly string[],
		tokenIds: readonly (readonly (readonly number[])[])[],
	) => Promise<string[][][] | null>;
	/** Where `export.create` writes. */
	exportsFolder: string;
	/** Files on their way to and from the window. */
	files: FileExchange;
	/** Whether any file of the person's disk may be imported (desktop), or uploads only (browser shell). */
	importAnyFile: boolean;
	series: SeriesCache;
	publisher: Publisher;
	/** Where faults are written. */
	log: (level: 'info' | 'warning' | 'error', text: string) => void;
}
