import type { RolloutTree } from '../contract/tree.ts';
import type { Connection } from './connection.ts';
import { createRun } from './create-run.ts';
import type { MetricKeys } from './metric-keys.ts';
import { blockMoments, type Moment } from './moments.ts';
import { PointWriter } from './point-writer.ts';
import { removeRun } from './purge-runs.ts';
import { nextRevision } from './revisions.ts';
import type { RunCard } from './run-card.ts';
import { findRun, needRunNumber } from './run-rows.ts';
import { indexNewTexts } from './text-index.ts';
import type { Texts } from './texts.ts';
import { writeTrees } from './tree-writer.ts';

export interface ImportTarget {
	connection: Connection;
	texts: Texts;
	keys: MetricKeys;
}

/** A moment with the names of its metrics. */
export interface NamedMoment {
	step: number;
	envStep: number;
	/** NaN: not known. */
	epoch: number;
	/** NaN: not known. */
	wallTimeMs: number;
	values: ReadonlyMap<string, number>;
}

/** Moments gathered before they are written. */
const gathered = 8 * blockMoments;

/**
 * A run that arrives in pieces, each in a transaction of its own so that trainers can write between
 * them. Until `finish` it stands in the trash under another id: a broken import is never taken for a run.
 */
export class RunImport {
	readonly #target: ImportTarget;
	readonly #card: RunCard;
	readonly #run: number;
	readonly #draftId: string;
	#points: PointWriter | null = null;
	#waiting: NamedMoment[] = [];
	#step: number;
	#envStep: number;
	#firstPointMs: number | null;
	#lastPointMs: number | null = null;

	private constructor(target: ImportTarget, card: RunCard, run: number, draftId: string) {
		this.#target = target;
		this.#card = card;
		this.#run = run;
		this.#draftId = draftId;
		this.#step = card.step;
		this.#envStep = card.envStep;
		this.#firstPointMs = card.firstPointMs;
	}

	/** The id must be free. */
	static begin(target: ImportTarget, card: RunCard): RunImport {
		const { connection } = target;
		const draftId = `importing:${card.id}`;
		const run = connection.write(() => {
			const left = findRun(connection, draftId);
			if (left !== undefined) removeRun(connection, left);
			createRun(
				connection,
				{ ...card, id: draftId, process: null },
				card.createdAtMs ?? Date.now(),
			);
			const number = needRunNumber(connection, draftId);
			connection
				.prepare<[number, string, string, number], never>(
					'UPDATE runs SET deleted_ms = ?, host = ?, name = ? WHERE run = ?',
				)
				.run(Date.now(), card.host, `(import not finished) ${card.name}`, number);
			return number;
		});
		return new RunImport(target, card, run, draftId);
	}

	addMoment(moment: NamedMoment): void {
		if (moment.values.size === 0) return;
		this.#waiting.push(moment);
		this.#step = Math.max(this.#step, moment.step);
		this.#envStep = Math.max(this.#envStep, moment.envStep);
		if (Number.isFinite(moment.wallTimeMs)) {
			this.#firstPointMs = Math.min(this.#firstPointMs ?? Infinity, moment.wallTimeMs);
			this.#lastPointMs = Math.max(this.#lastPointMs ?? -Infinity, moment.wallTimeMs);
		}
		if (this.#waiting.length >= gathered) this.#flush();
	}

	#flush(): void {
		const waiting = this.#waiting;
		this.#waiting = [];
		if (waiting.length === 0) return;
		this.#write(() => {
			this.#points ??= new PointWriter(this.#target.connection, this.#run);
			this.#points.addMany(
				waiting.map(({ values, ...axes }): Moment => ({
					...axes,
					keys: [...values.keys()].map((key) => this.#target.keys.intern(key)),
					values: [...values.values()],
				})),
			);
			this.#points.finish();
			this.#count('metric_bytes', this.#points.takeBytes());
		});
	}

	addTrees(trees: readonly RolloutTree[]): void {
		this.#write(() => {
			const { connection, texts } = this.#target;
			this.#count('tree_bytes', writeTrees(connection, texts, this.#run, trees));
			this.#count('text_bytes', texts.takeBytes());
			indexNewTexts(connection, texts);
		});
		for (const tree of trees) this.#step = Math.max(this.#step, tree.step);
	}

	#count(column: 'metric_bytes' | 'tree_bytes' | 'text_bytes', bytes: number): void {
		this.#target.connection
			.prepare<[number, number], never>(`UPDATE runs SET ${column} = ${column} + ? WHERE run = ?`)
			.run(bytes, this.#run);
	}

	#write(work: () => void): void {
		try {
			this.#target.connection.write(work);
		} catch (error) {
			this.#target.keys.forget();
			this.#target.texts.forgetAll();
			throw error;
		}
	}

	/** Makes the run visible. `rest` writes what else belongs to it, given its internal number, in the same transaction. */
	finish(rest: (run: number) => void = () => undefined): void {
		this.#flush();
		const card = this.#card;
		this.#write(() => {
			const { connection } = this.#target;
			rest(this.#run);
			connection
				.prepare<[Record<string, string | number | null>], never>(
					`UPDATE runs SET run_id = @id, name = @name, deleted_ms = NULL, status = @status, started_ms = @started,
					ended_ms = @ended, step = @step, env_step = @envStep, first_point_ms = @first, error = @error,
					points_revision = points_revision + 1, revision = @revision WHERE run = @run`,
				)
				.run({
					id: card.id,
					name: card.name,
					status: card.status,
					started: card.startedAtMs ?? this.#firstPointMs,
					ended: card.endedAtMs ?? this.#lastPointMs,
					step: this.#step,
					envStep: this.#envStep,
					first: this.#firstPointMs,
					error: card.error === null ? null : JSON.stringify(card.error),
					revision: nextRevision(connection),
					run: this.#run,
				});
		});
	}

	/** Takes back what was written so far. */
	abandon(): void {
		const { connection } = this.#target;
		this.#write(() => {
			const draft = findRun(connection, this.#draftId);
			if (draft !== undefined) removeRun(connection, draft);
		});
	}
}
