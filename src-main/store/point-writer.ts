import type { Connection } from './connection.ts';
import {
	extend,
	readSummaries,
	type RunSummaries,
	summarise,
	writeSummaries,
} from './metric-summaries.ts';
import {
	blockMoments,
	type Moment,
	packAxes,
	packChunks,
	packMoment,
	unpackAxes,
} from './moments.ts';
import { readBlock, readTail } from './read-moments.ts';
import { readPoints } from './read-points.ts';

/**
 * Writes the points of one run, always within a write. After a transaction that was undone it must be
 * thrown away, since it knows what the database then no longer holds.
 */
export class PointWriter {
	readonly #connection: Connection;
	readonly #run: number;
	readonly #summaries: RunSummaries;
	/** Keys whose new points did not come last: their summary is read again. */
	readonly #unordered = new Set<number>();
	#nextSeq: number;
	#tail: number;
	#bytes = 0;

	constructor(connection: Connection, run: number) {
		this.#connection = connection;
		this.#run = run;
		this.#summaries = readSummaries(connection, run);
		const tail = connection
			.prepare<[number], { count: number; last: number | null }>(
				'SELECT count(*) AS count, max(seq) AS last FROM metric_tail WHERE run = ?',
			)
			.get(run);
		this.#tail = tail?.count ?? 0;
		this.#nextSeq = (tail?.last ?? 0) + 1;
	}

	/** Adds one moment; `finish` must follow in the same transaction. */
	add(moment: Moment): void {
		if (moment.keys.length === 0) return;
		this.#connection
			.prepare<[number, number, Buffer], never>(
				'INSERT INTO metric_tail (run, seq, data) VALUES (?, ?, ?)',
			)
			.run(this.#run, this.#nextSeq, packMoment(moment));
		this.#nextSeq++;
		this.#tail++;
		this.#summarise(moment);
		if (this.#tail >= blockMoments) this.seal();
	}

	/** Adds many moments (imports), without the way over the tail. */
	addMany(moments: readonly Moment[]): void {
		this.seal();
		for (let at = 0; at < moments.length; at += blockMoments) {
			this.#writeBlock(moments.slice(at, at + blockMoments));
		}
		for (const moment of moments) this.#summarise(moment);
	}

	#summarise({ step, envStep, keys, values }: Moment): void {
		for (const [index, key] of keys.entries()) {
			const old = this.#summaries.get(key);
			const follows =
				old === undefined ||
				step > old.lastStep ||
				(step === old.lastStep && envStep > old.lastEnvStep);
			if (!follows) this.#unordered.add(key);
			else this.#summaries.set(key, extend(old, values[index] as number, step, envStep));
		}
	}

	/** Bytes of blocks written since the last call. */
	takeBytes(): number {
		const bytes = this.#bytes;
		this.#bytes = 0;
		return bytes;
	}

	/** Stores the summaries. Once a transaction, after the last point. */
	finish(): void {
		for (const key of this.#unordered) this.#readAgain(key);
		this.#unordered.clear();
		writeSummaries(this.#connection, this.#run, this.#summaries);
	}

	#readAgain(key: number): void {
		const summary = summarise(readPoints(this.#connection, this.#run, key));
		if (summary === undefined) this.#summaries.delete(key);
		else this.#summaries.set(key, summary);
	}

	/** Turns the tail into a block. */
	seal(): void {
		if (this.#tail === 0) return;
		this.#writeBlock(readTail(this.#connection, this.#run));
		this.#connection
			.prepare<[number], never>('DELETE FROM metric_tail WHERE run = ?')
			.run(this.#run);
		this.#tail = 0;
		this.#nextSeq = 1;
	}

	#writeBlock(moments: readonly Moment[], number?: number): void {
		if (moments.length === 0) return;
		const last = this.#connection
			.prepare<[number], { block: number | null }>(
				'SELECT max(block) AS block FROM metric_blocks WHERE run = ?',
			)
			.get(this.#run);
		const axes = packAxes(moments);
		this.#bytes += axes.length;
		const block = number ?? (last?.block ?? 0) + 1;
		this.#connection
			.prepare<[number, number, number, Buffer], never>(
				'INSERT INTO metric_blocks (run, block, moments, axes) VALUES (?, ?, ?, ?)',
			)
			.run(this.#run, block, moments.length, axes);
		const insert = this.#connection.prepare<[number, number, number, Buffer], never>(
			'INSERT INTO metric_chunks (run, key, block, data) VALUES (?, ?, ?, ?)',
		);
		for (const [key, data] of packChunks(moments)) {
			insert.run(this.#run, key, block, data);
			this.#bytes += data.length;
		}
	}

	/** Removes all points of steps after `step`, which a resumed run is about to write anew. */
	cutAfter(step: number): void {
		this.seal();
		const blocks = this.#connection
			.prepare<[number], { block: number; moments: number; axes: Buffer }>(
				'SELECT block, moments, axes FROM metric_blocks WHERE run = ?',
			)
			.all(this.#run);
		for (const { block, moments, axes } of blocks) {
			const steps = unpackAxes(axes, moments).step;
			if (steps.every((own) => own <= step)) continue;
			const kept = readBlock(this.#connection, this.#run, block).filter(
				(moment) => moment.step <= step,
			);
			for (const table of ['metric_chunks', 'metric_blocks']) {
				this.#connection
					.prepare<[number, number], never>(`DELETE FROM ${table} WHERE run = ? AND block = ?`)
					.run(this.#run, block);
			}
			this.#writeBlock(kept, block);
		}
		for (const key of [...this.#summaries.keys()]) this.#readAgain(key);
	}
}
