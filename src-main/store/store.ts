/**
 * The database as the rest of Grove sees it. Every method is one short transaction, so that nothing is
 * held while a person thinks; all throw GroveError in the cases that a person can meet ('store' for the
 * disk and locks, 'not-found' for runs, trees and points that are not there).
 *
 * Reading
 *   listRuns, getRun, metricKeys, metricPoints, firstPointMs, evidence, histogram, listTrees, treeOutline, treeNode,
 *   treeFilm, search, listAnnotations, listCheckpoints, listLogs, listSaved, taskSource, usage
 * Learning of changes by others
 *   revision, pointsRevision, changesSince
 * Runs
 *   createRun, recorder (training events to rows), updateRuns, trashRuns, restoreRuns, purgeRuns,
 *   dropTexts, emptyTrash
 * Notes and views
 *   putAnnotation, removeAnnotation, putSaved, removeSaved
 * Files
 *   exportRuns, importFile, backup
 */
import type {
	ImportReport,
	RequestParams,
	RequestResults,
	WorkspaceUsage,
} from '../contract/requests.ts';
import { listAnnotations, putAnnotation, removeAnnotation } from './annotations.ts';
import { listCheckpoints } from './checkpoint-rows.ts';
import type { Connection } from './connection.ts';
import { createRun, type NewRun } from './create-run.ts';
import { evidence } from './evidence.ts';
import { exportRuns, type ExportResult } from './export-runs.ts';
import { histogram } from './histogram.ts';
import { listLogs } from './log-rows.ts';
import { MetricKeys } from './metric-keys.ts';
import { lookAtProcess, type LookAtProcess } from './process-identity.ts';
import { dropTexts, emptyTrash, purgeRuns } from './purge-runs.ts';
import { readBundle } from './read-bundle.ts';
import { type PointColumns, readPoints } from './read-points.ts';
import { Recorder } from './recorder.ts';
import { type Changes, changesSince, currentRevision } from './revisions.ts';
import type { ImportTarget } from './run-import.ts';
import { getRun, listRuns, metricKeysOf, type RunReading } from './run-lists.ts';
import { needRun, needRunNumber, RunConfigs, type RunData, toRunRecord } from './run-rows.ts';
import { restoreRuns, trashRuns, updateRuns } from './run-updates.ts';
import { listSaved, putSaved, removeSaved } from './saved-entries.ts';
import { search } from './search.ts';
import { Sparklines } from './sparklines.ts';
import { type TaskSource, taskSource } from './task-sources.ts';
import { Texts } from './texts.ts';
import { listTrees, treeFilm, treeNode, type TreeNodeView, treeOutline } from './tree-queries.ts';
import { usage } from './usage.ts';

export interface StoreFacts {
	/** Why nothing can be written, or null. */
	readOnly: string | null;
	/** What a person should know about the file. */
	notices: readonly string[];
	clock?: () => number;
	/** Stands in for the operating system in tests. */
	look?: LookAtProcess;
	searchBudgetMs?: number | undefined;
}

const emptyPoints = (): PointColumns => ({
	step: new Float64Array(0),
	envStep: new Float64Array(0),
	epoch: new Float64Array(0),
	wallTimeMs: new Float64Array(0),
	value: new Float64Array(0),
});

export class Store {
	readonly path: string;
	readonly readOnly: string | null;
	readonly notices: readonly string[];
	readonly #connection: Connection;
	readonly #texts: Texts;
	readonly #keys: MetricKeys;
	readonly #reading: RunReading;
	readonly #clock: () => number;
	readonly #searchBudgetMs: number | undefined;

	constructor(connection: Connection, facts: StoreFacts) {
		this.path = connection.path;
		this.readOnly = facts.readOnly;
		this.notices = facts.notices;
		this.#connection = connection;
		this.#texts = new Texts(connection);
		this.#keys = new MetricKeys(connection);
		this.#clock = facts.clock ?? Date.now;
		this.#searchBudgetMs = facts.searchBudgetMs;
		this.#reading = {
			connection,
			keys: this.#keys,
			configs: new RunConfigs(connection),
			sparklines: new Sparklines(connection),
			look: facts.look ?? lookAtProcess,
		};
	}

	/** Grows with every change to runs or points, by whichever process. */
	revision(): number {
		return this.#connection.read(() => currentRevision(this.#connection));
	}

	/** The ids of runs that changed or went since `revision`, and the revision of now. Cheap enough for every second. */
	changesSince(revision: number): Changes {
		return this.#connection.read(() => changesSince(this.#connection, revision));
	}

	/** Differs after any change to the points of this run; −1 for a run that is not there. */
	pointsRevision(runId: string): number {
		const row = this.#connection.read(() =>
			this.#connection
				.prepare<[string], { points_revision: number }>(
					'SELECT points_revision FROM runs WHERE run_id = ?',
				)
				.get(runId),
		);
		return row?.points_revision ?? -1;
	}

	/** All points of a metric, ascending by step and env step; empty where there are none. Equal places: the newest. */
	metricPoints(runId: string, key: string): PointColumns {
		return this.#connection.read(() => {
			const row = this.#connection
				.prepare<[string], { run: number }>('SELECT run FROM runs WHERE run_id = ?')
				.get(runId);
			const number = this.#keys.find(key);
			if (row === undefined || number === undefined) return emptyPoints();
			return readPoints(this.#connection, row.run, number);
		});
	}

	/** Time of the run's first point of any metric; null before it. */
	firstPointMs(runId: string): number | null {
		const row = this.#connection.read(() =>
			this.#connection
				.prepare<[string], { first: number | null }>(
					'SELECT first_point_ms AS first FROM runs WHERE run_id = ?',
				)
				.get(runId),
		);
		return row?.first ?? null;
	}

	/** Rows of the runs table; `live` is null. */
	listRuns(params: RequestParams<'runs.list'>): Omit<RequestResults['runs.list'], 'revision'> {
		return this.#connection.read(() => listRuns(this.#reading, params, this.#clock()));
	}

	getRun(id: string): RequestResults['runs.get'] {
		return this.#connection.read(() => getRun(this.#reading, id, this.#clock()));
	}

	metricKeys(runIds: readonly string[]): RequestResults['metrics.keys'] {
		return this.#connection.read(() => metricKeysOf(this.#reading, runIds));
	}

	evidence(params: RequestParams<'metrics.evidence'>): RequestResults['metrics.evidence'] {
		return this.#connection.read(() => evidence(this.#connection, this.#keys, params));
	}

	histogram(params: RequestParams<'metrics.histogram'>): RequestResults['metrics.histogram'] {
		return this.#connection.read(() => histogram(this.#connection, params));
	}

	listTrees(params: RequestParams<'trees.list'>): RequestResults['trees.list'] {
		return this.#connection.read(() => ({
			trees: listTrees(this.#connection, this.#texts, params),
		}));
	}

	treeOutline(params: RequestParams<'trees.outline'>): RequestResults['trees.outline'] {
		return this.#connection.read(() => treeOutline(this.#connection, this.#texts, params));
	}

	treeNode(params: RequestParams<'trees.node'>): TreeNodeView {
		return this.#connection.read(() =>
			treeNode(this.#connection, this.#texts, this.#reading.configs, params),
		);
	}

	treeFilm(params: RequestParams<'trees.film'>): RequestResults['trees.film'] {
		return this.#connection.read(() => ({
			frames: treeFilm(this.#connection, this.#texts, params),
		}));
	}

	search(params: RequestParams<'rollouts.search'>): RequestResults['rollouts.search'] {
		return this.#connection.read(() =>
			search(this.#connection, this.#texts, params, this.#searchBudgetMs),
		);
	}

	/** Stores a new run; returns its id. Throws 'conflict' where the id is taken. */
	createRun(run: NewRun): string {
		return this.#connection.write(() => createRun(this.#connection, run, this.#clock()));
	}

	/** What takes the training events of a run. One at a time per run. */
	recorder(runId: string): Recorder {
		const run = this.#connection.read(() => needRunNumber(this.#connection, runId));
		return new Recorder({
			connection: this.#connection,
			texts: this.#texts,
			keys: this.#keys,
			run,
			clock: this.#clock,
		});
	}

	updateRuns(params: RequestParams<'runs.update'>): RequestResults['runs.update'] {
		return this.#connection.write(() => updateRuns(this.#connection, params));
	}

	trashRuns(ids: readonly string[]): RequestResults['runs.trash'] {
		return this.#connection.write(() =>
			trashRuns(this.#connection, ids, (run) => this.#isRunning(run), this.#clock()),
		);
	}

	#isRunning(run: RunData): boolean {
		const { configs, look } = this.#reading;
		return toRunRecord(run, configs, this.#clock(), look).status === 'running';
	}

	restoreRuns(ids: readonly string[]): RequestResults['runs.restore'] {
		return this.#connection.write(() => restoreRuns(this.#connection, ids));
	}

	/** Only what is in the trash. */
	purgeRuns(ids: readonly string[]): RequestResults['runs.purge'] {
		this.#keys.forget();
		return purgeRuns(this.#connection, ids);
	}

	emptyTrash(): RequestResults['workspace.emptyTrash'] {
		this.#keys.forget();
		return emptyTrash(this.#connection);
	}

	dropTexts(runIds: readonly string[]): RequestResults['workspace.dropTexts'] {
		return dropTexts(this.#connection, runIds);
	}

	listAnnotations(runId: string | undefined): RequestResults['annotations.list'] {
		return this.#connection.read(() => ({
			annotations: listAnnotations(this.#connection, runId),
		}));
	}

	putAnnotation(
		annotation: RequestParams<'annotations.put'>['annotation'],
	): RequestResults['annotations.put'] {
		return this.#connection.write(() => ({
			id: putAnnotation(this.#connection, annotation, this.#clock()),
		}));
	}

	removeAnnotation(id: string): RequestResults['annotations.remove'] {
		return this.#connection.write(() => ({ removed: removeAnnotation(this.#connection, id) }));
	}

	listCheckpoints(runId: string): RequestResults['checkpoints.list'] {
		return this.#connection.read(() => ({
			checkpoints: listCheckpoints(this.#connection, needRunNumber(this.#connection, runId)),
		}));
	}

	/** Lines after `afterId`, oldest first; with 0 the newest `limit`. */
	listLogs({ runId, afterId, limit }: RequestParams<'logs.list'>): RequestResults['logs.list'] {
		return this.#connection.read(() => ({
			lines: listLogs(this.#connection, needRunNumber(this.#connection, runId), afterId, limit),
		}));
	}

	taskSource(runId: string): TaskSource {
		return this.#connection.read(() =>
			taskSource(this.#connection, needRun(this.#connection, runId)),
		);
	}

	listSaved(kind: string): RequestResults['saved.list'] {
		return this.#connection.read(() => ({ entries: listSaved(this.#connection, kind) }));
	}

	putSaved(params: RequestParams<'saved.put'>): void {
		this.#connection.write(() => putSaved(this.#connection, params, this.#clock()));
	}

	removeSaved(params: RequestParams<'saved.remove'>): RequestResults['saved.remove'] {
		return this.#connection.write(() => ({ removed: removeSaved(this.#connection, params) }));
	}

	usage(): WorkspaceUsage {
		return this.#connection.read(() => usage(this.#connection));
	}

	/** Writes a new file into `folder`, made if it is not there: all rows of the runs, never a sample. */
	exportRuns(params: RequestParams<'export.create'>, folder: string): Promise<ExportResult> {
		return exportRuns(this.#parts, params, folder);
	}

	/**
	 * Brings in the runs of a bundle; those that are here already are recognised and left alone. Throws
	 * 'bad-input' where the file is no sound bundle, 'conflict' where it is from a newer Grove: nothing is
	 * imported then.
	 */
	importFile(path: string): Promise<ImportReport> {
		return readBundle(this.#parts, path);
	}

	get #parts(): ImportTarget {
		return { connection: this.#connection, texts: this.#texts, keys: this.#keys };
	}

	/** A copy of the whole database into a new file, while others read and write. Throws 'conflict' where a file is there. */
	backup(target: string): Promise<void> {
		return this.#connection.backup(target);
	}

	/** Moves the log into the file and lets go of it. */
	close(): void {
		this.#connection.checkpoint();
		this.#connection.close();
	}
}
