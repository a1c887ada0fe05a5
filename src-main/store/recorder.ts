/**
 * From training events to rows: the consumer of `train()` that keeps everything. A step is one
 * transaction: its trees, texts, points, summaries and the run's own row are there together or not at all.
 */
import { type ErrorValue, GroveError } from '../contract/errors.ts';
import type { CheckpointRecord, StepRecord, TrainingEvent } from '../contract/events.ts';
import type { RunStatus } from '../contract/run-record.ts';
import { removeCheckpoints, writeCheckpoint } from './checkpoint-rows.ts';
import type { Connection } from './connection.ts';
import { writeLog } from './log-rows.ts';
import type { MetricKeys } from './metric-keys.ts';
import { momentsOf } from './step-moments.ts';
import { PointWriter } from './point-writer.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { removeTreesOfRun } from './remove-trees.ts';
import { nextRevision } from './revisions.ts';
import { indexNewTexts } from './text-index.ts';
import type { Texts } from './texts.ts';
import { writeTrees } from './tree-writer.ts';

/** The log beside the database is cut on purpose when it could have grown to some tens of megabytes. */
const stepsBetweenCheckpoints = 256;

export interface RecorderParts {
	connection: Connection;
	texts: Texts;
	keys: MetricKeys;
	/** Internal number. */
	run: number;
	clock: () => number;
}

export class Recorder {
	readonly #parts: RecorderParts;
	#points: PointWriter | null = null;
	/** Set after a resume: the steps after this one are about to be written anew. */
	#cutAfter: number | null = null;
	#stepsSinceCheckpoint = 0;

	constructor(parts: RecorderParts) {
		this.#parts = parts;
	}

	/**
	 * Stores what the event brings. Throws GroveError 'store' where it cannot (a full disk): nothing of the
	 * event is stored then, and the same call may be tried again. 'not-found' where the run is gone.
	 */
	record(event: TrainingEvent): void {
		switch (event.kind) {
			case 'started':
				this.#write(() => this.#started(event));
				break;
			case 'step':
			case 'evaluation':
				this.#write(() => this.#step(event.record));
				this.#checkpointNowAndThen();
				break;
			case 'checkpoint':
				this.#write(() => this.#checkpoint(event.record, event.removed));
				break;
			case 'log':
				this.#write(() => writeLog(this.#parts.connection, this.#parts.run, event, this.#now));
				break;
			case 'paused':
			case 'finished':
			case 'stopped':
				this.#write(() => this.#ended(event.kind, null));
				break;
			case 'failed':
				this.#write(() => this.#ended('failed', event.error));
				break;
			case 'phase':
				// Shown while it lasts, not kept.
				break;
		}
	}

	/** Tells that the run is alive, also while a step takes long. */
	heartbeat(): void {
		this.#parts.connection.write(() => {
			this.#parts.connection
				.prepare<[number, number], never>('UPDATE runs SET heartbeat_ms = ? WHERE run = ?')
				.run(this.#now, this.#parts.run);
		});
	}

	/** Says which process drives the run from now on. */
	claim(process: ProcessIdentity): void {
		this.#write(() => {
			this.#parts.connection
				.prepare<[string, number, string | null, number, number], never>(
					'UPDATE runs SET host = ?, pid = ?, process_start = ?, heartbeat_ms = ? WHERE run = ?',
				)
				.run(process.host, process.pid, process.start, this.#now, this.#parts.run);
		});
	}

	get #now(): number {
		return this.#parts.clock();
	}

	#write(work: () => void): void {
		const cutAfter = this.#cutAfter;
		try {
			this.#parts.connection.write(() => {
				this.#touch();
				work();
			});
		} catch (error) {
			// What they know of may have been undone.
			this.#points = null;
			this.#cutAfter = cutAfter;
			this.#parts.keys.forget();
			this.#parts.texts.forgetAll();
			throw error;
		}
	}

	#touch(): void {
		const { connection, run } = this.#parts;
		const { changes } = connection
			.prepare<[number, number], never>('UPDATE runs SET revision = ? WHERE run = ?')
			.run(nextRevision(connection), run);
		if (changes > 0) return;
		throw new GroveError('not-found', {
			what: 'the run was removed from the database while it was recorded',
			where: connection.path,
			fix: 'start it again; what came before is only in a bundle or backup, if one was made',
		});
	}

	#started(event: Extract<TrainingEvent, { kind: 'started' }>): void {
		const { connection, run } = this.#parts;
		connection
			.prepare<[number, number, number, string, number], never>(
				"UPDATE runs SET status = 'running', started_ms = coalesce(started_ms, ?), ended_ms = NULL, error = NULL, heartbeat_ms = ?, total_steps = ?, device = ? WHERE run = ?",
			)
			.run(this.#now, this.#now, event.totalSteps, event.device, run);
		const row = connection
			.prepare<[number], { step: number }>('SELECT step FROM runs WHERE run = ?')
			.get(run);
		this.#cutAfter = (row?.step ?? 0) > event.resumedFromStep ? event.resumedFromStep : null;
	}

	#step(record: StepRecord): void {
		const { connection, run, texts, keys } = this.#parts;
		this.#points ??= new PointWriter(connection, run);
		// Only now that there is something in their place.
		if (this.#cutAfter !== null) {
			this.#points.cutAfter(this.#cutAfter);
			removeTreesOfRun(connection, run, this.#cutAfter);
			connection
				.prepare<[number, number], never>('UPDATE runs SET step = ?, env_step = 0 WHERE run = ?')
				.run(this.#cutAfter, run);
			this.#cutAfter = null;
		}
		const treeBytes = writeTrees(connection, texts, run, record.trees);
		for (const moment of momentsOf(record, keys)) this.#points.add(moment);
		this.#points.finish();
		connection
			.prepare<[Record<string, number>], never>(
				'UPDATE runs SET step = max(step, @step), env_step = max(env_step, @envStep), heartbeat_ms = @now, points_revision = points_revision + 1, first_point_ms = min(coalesce(first_point_ms, @wall), @wall), metric_bytes = metric_bytes + @metricBytes, tree_bytes = tree_bytes + @treeBytes, text_bytes = text_bytes + @textBytes WHERE run = @run',
			)
			.run({
				step: record.step,
				envStep: record.envStep,
				now: this.#now,
				wall: record.wallTimeMs,
				metricBytes: this.#points.takeBytes(),
				treeBytes,
				textBytes: texts.takeBytes(),
				run,
			});
		indexNewTexts(connection, texts);
	}

	#checkpoint(record: CheckpointRecord, removed: readonly string[]): void {
		const { connection, run } = this.#parts;
		removeCheckpoints(connection, run, removed);
		writeCheckpoint(connection, run, record);
	}

	#ended(status: RunStatus, error: ErrorValue | null): void {
		const { connection, run } = this.#parts;
		this.#points ??= new PointWriter(connection, run);
		this.#points.seal();
		connection
			.prepare<[string, number | null, string | null, number, number], never>(
				'UPDATE runs SET status = ?, ended_ms = ?, error = ?, metric_bytes = metric_bytes + ? WHERE run = ?',
			)
			.run(
				status,
				this.#now,
				error === null ? null : JSON.stringify(error),
				this.#points.takeBytes(),
				run,
			);
	}

	#checkpointNowAndThen(): void {
		this.#stepsSinceCheckpoint++;
		if (this.#stepsSinceCheckpoint < stepsBetweenCheckpoints) return;
		this.#stepsSinceCheckpoint = 0;
		this.#parts.connection.cutLogIfLarge();
	}
}
