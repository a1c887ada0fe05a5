/**
 * How metric points are packed. A moment is one place in a run (step, env step, epoch, time) and the
 * values logged there. Fresh moments are stored one by one; a few hundred of them are then turned into a
 * block: the four axes once, and one row of values per key.
 */
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { readColumn, writeColumn } from './number-column.ts';

export interface Moment {
	step: number;
	envStep: number;
	/** Fraction of the run in epochs. */
	epoch: number;
	wallTimeMs: number;
	/** Numbers of the keys (metric-keys.ts), each once, one per value. */
	keys: readonly number[];
	values: readonly number[];
}

/** Moments of a block: 240 doubles are just under a quarter of a page, so that four chunks share one. */
export const blockMoments = 240;

export interface Axes {
	step: Float64Array;
	envStep: Float64Array;
	epoch: Float64Array;
	wallTimeMs: Float64Array;
}

export function packMoment(moment: Moment): Buffer {
	const writer = new ByteWriter(32 + 10 * moment.keys.length);
	writer.float64(moment.step);
	writer.float64(moment.envStep);
	writer.float64(moment.epoch);
	writer.float64(moment.wallTimeMs);
	for (const [index, key] of moment.keys.entries()) {
		writer.count(key);
		writer.float64(moment.values[index] as number);
	}
	return writer.finish();
}

export function unpackMoment(data: Buffer): Moment {
	const reader = new ByteReader(data);
	const step = reader.float64();
	const envStep = reader.float64();
	const epoch = reader.float64();
	const wallTimeMs = reader.float64();
	const keys: number[] = [];
	const values: number[] = [];
	while (!reader.atEnd) {
		keys.push(reader.count());
		values.push(reader.float64());
	}
	return { step, envStep, epoch, wallTimeMs, keys, values };
}

export function packAxes(moments: readonly Moment[]): Buffer {
	const writer = new ByteWriter(16 * moments.length);
	const columns = [
		moments.map((moment) => moment.step),
		moments.map((moment) => moment.envStep),
		moments.map((moment) => moment.epoch),
		moments.map((moment) => moment.wallTimeMs),
	];
	for (const column of columns) writeColumn(writer, column);
	return writer.finish();
}

export function unpackAxes(data: Buffer, moments: number): Axes {
	// Also what a damaged or foreign file says must not decide how much memory is taken.
	if (moments > 0xffff) throw new RangeError(`a block of ${moments} moments`);
	const reader = new ByteReader(data);
	return {
		step: readColumn(reader, moments),
		envStep: readColumn(reader, moments),
		epoch: readColumn(reader, moments),
		wallTimeMs: readColumn(reader, moments),
	};
}

/** Values of one key in a block, by the moments (positions in the block) that have one. */
export interface Chunk {
	/** Null: every moment of the block, in order. */
	places: Uint16Array | null;
	values: Float64Array;
}

/** The chunk of every key of a block. */
export function packChunks(moments: readonly Moment[]): Map<number, Buffer> {
	const gathered = new Map<number, { places: number[]; values: number[] }>();
	for (const [place, moment] of moments.entries()) {
		for (const [index, key] of moment.keys.entries()) {
			let own = gathered.get(key);
			if (own === undefined) {
				own = { places: [], values: [] };
				gathered.set(key, own);
			}
			own.places.push(place);
			own.values.push(moment.values[index] as number);
		}
	}
	const packed = new Map<number, Buffer>();
	for (const [key, { places, values }] of gathered) {
		const isWhole =
			places.length === moments.length && places.every((place, index) => place === index);
		packed.set(
			key,
			packChunk({
				places: isWhole ? null : Uint16Array.from(places),
				values: Float64Array.from(values),
			}),
		);
	}
	return packed;
}

/** All values first. Unless every moment has one: a 16-bit place each, and one byte more, which makes the length odd. */
function packChunk({ places, values }: Chunk): Buffer {
	const count = values.length;
	const data = Buffer.alloc(places === null ? 8 * count : 10 * count + 1);
	for (const [index, value] of values.entries()) data.writeDoubleLE(value, 8 * index);
	for (const [index, place] of (places ?? []).entries()) {
		data.writeUInt16LE(place, 8 * count + 2 * index);
	}
	return data;
}

export function unpackChunk(data: Buffer): Chunk {
	const isWhole = data.length % 2 === 0;
	const count = Math.floor(data.length / (isWhole ? 8 : 10));
	const values = new Float64Array(count);
	for (let i = 0; i < count; i++) values[i] = data.readDoubleLE(8 * i);
	if (isWhole) return { places: null, values };
	const places = new Uint16Array(count);
	for (let i = 0; i < count; i++) places[i] = data.readUInt16LE(8 * count + 2 * i);
	return { places, values };
}
