/** A small writer and reader of safetensors, for the two dtypes that making a bundled model needs. */
import { toHalf } from './half.ts';

export interface Tensor {
	name: string;
	shape: readonly number[];
	data: Float32Array;
}

const bytesPer = { F32: 4, F16: 2 } as const;
export type Dtype = keyof typeof bytesPer;

/** A whole file: 8 bytes of header length, header padded to 8 with spaces, values little-endian. */
export function writeSafetensors(tensors: readonly Tensor[], dtype: Dtype): Uint8Array {
	const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
	let offset = 0;
	for (const { name, shape, data } of tensors) {
		const end = offset + data.length * bytesPer[dtype];
		header[name] = { dtype, shape, data_offsets: [offset, end] };
		offset = end;
	}
	const text = JSON.stringify(header);
	const head = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8));
	const file = new Uint8Array(8 + head.length + offset);
	const view = new DataView(file.buffer);
	view.setBigUint64(0, BigInt(head.length), true);
	file.set(head, 8);
	let at = 8 + head.length;
	for (const { data } of tensors) {
		for (const value of data) {
			if (dtype === 'F16') view.setUint16(at, toHalf(value), true);
			else view.setFloat32(at, value, true);
			at += bytesPer[dtype];
		}
	}
	return file;
}

interface Entry {
	dtype: string;
	shape: number[];
	data_offsets: [number, number];
}

/** The F32 tensors of a file that `Policy.save` wrote, in the order of their bytes. */
export function readSafetensors(file: Uint8Array): Tensor[] {
	const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
	const start = 8 + Number(view.getBigUint64(0, true));
	const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start))) as Record<
		string,
		Entry
	>;
	return Object.entries(header)
		.filter(([name]) => name !== '__metadata__')
		.sort(([, one], [, other]) => one.data_offsets[0] - other.data_offsets[0])
		.map(
			([
				name,
				{
					dtype,
					shape,
					data_offsets: [from, to],
				},
			]) => {
				if (dtype !== 'F32') throw new Error(`${name} is ${dtype}, expected F32`);
				const data = new Float32Array((to - from) / 4);
				for (let i = 0; i < data.length; i++) data[i] = view.getFloat32(start + from + 4 * i, true);
				return { name, shape, data };
			},
		);
}
