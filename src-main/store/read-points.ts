import type { Connection } from './connection.ts';
import { unpackAxes, unpackChunk, unpackMoment } from './moments.ts';

/** All stored points of one metric of one run, in ascending order of step and env step. */
export interface PointColumns {
	step: Float64Array;
	envStep: Float64Array;
	epoch: Float64Array;
	/** Milliseconds since 1970. */
	wallTimeMs: Float64Array;
	/** NaN and infinities as themselves. */
	value: Float64Array;
}

/** Columns in the order in which the points arrived. */
class Gathered {
	readonly step: number[] = [];
	readonly envStep: number[] = [];
	readonly epoch: number[] = [];
	readonly wallTimeMs: number[] = [];
	readonly value: number[] = [];
	/** Whether every point so far comes after the one before it. */
	ascends = true;

	add(step: number, envStep: number, epoch: number, wallTimeMs: number, value: number): void {
		const lastStep = this.step.at(-1);
		if (lastStep !== undefined && step <= lastStep) {
			this.ascends &&= step === lastStep && envStep > (this.envStep.at(-1) ?? 0);
		}
		this.step.push(step);
		this.envStep.push(envStep);
		this.epoch.push(epoch);
		this.wallTimeMs.push(wallTimeMs);
		this.value.push(value);
	}

	/**
	 * Sorted by step and env step. Of points with both equal the one that arrived last is kept: the newest
	 * wins, whether a run was resumed, evaluated late, or imported from an unordered file.
	 */
	order(): Int32Array | null {
		if (this.ascends) return null;
		const at = (index: number) => [this.step[index] ?? 0, this.envStep[index] ?? 0] as const;
		const sorted = Int32Array.from(this.step.keys()).sort((a, b) => {
			const [stepA, envA] = at(a);
			const [stepB, envB] = at(b);
			return stepA - stepB || envA - envB || a - b;
		});
		return sorted.filter((index, position) => {
			const next = sorted[position + 1];
			if (next === undefined) return true;
			const [step, envStep] = at(index);
			const [nextStep, nextEnvStep] = at(next);
			return step !== nextStep || envStep !== nextEnvStep;
		});
	}

	columns(): PointColumns {
		const order = this.order();
		const pick = (column: number[]): Float64Array =>
			order === null
				? Float64Array.from(column)
				: Float64Array.from(order, (index) => column[index] ?? NaN);
		return {
			step: pick(this.step),
			envStep: pick(this.envStep),
			epoch: pick(this.epoch),
			wallTimeMs: pick(this.wallTimeMs),
			value: pick(this.value),
		};
	}
}

/** Within a read or write. `run` and `key` are internal numbers. */
export function readPoints(connection: Connection, run: number, key: number): PointColumns {
	const gathered = new Gathered();
	const chunks = connection
		.prepareRows<[number, number], [Buffer, number, Buffer]>(
			'SELECT c.data, b.moments, b.axes FROM metric_chunks c JOIN metric_blocks b ON b.run = c.run AND b.block = c.block WHERE c.run = ? AND c.key = ? ORDER BY c.block',
		)
		.all(run, key);
	for (const [data, moments, packedAxes] of chunks) {
		const axes = unpackAxes(packedAxes, moments);
		const { places, values } = unpackChunk(data);
		for (let i = 0; i < values.length; i++) {
			const place = places === null ? i : (places[i] ?? 0);
			gathered.add(
				axes.step[place] ?? NaN,
				axes.envStep[place] ?? NaN,
				axes.epoch[place] ?? NaN,
				axes.wallTimeMs[place] ?? NaN,
				values[i] ?? NaN,
			);
		}
	}
	const tail = connection
		.prepareRows<[number], [Buffer]>('SELECT data FROM metric_tail WHERE run = ? ORDER BY seq')
		.all(run);
	for (const [data] of tail) {
		const moment = unpackMoment(data);
		for (const [index, own] of moment.keys.entries()) {
			if (own !== key) continue;
			const value = moment.values[index] ?? NaN;
			gathered.add(moment.step, moment.envStep, moment.epoch, moment.wallTimeMs, value);
		}
	}
	return gathered.columns();
}
