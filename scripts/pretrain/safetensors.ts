/** A small writer of safetensors in half precision. */
import type { Weights } from '../../src-main/policy/model-config.ts';
import { toHalf } from './half.ts';

const bytesPerValue = 2;

/** A whole file: 8 bytes of header length, header padded to 8 with spaces, values little-endian. */
export function writeSafetensors(weights: Weights): Uint8Array {
	const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
	let offset = 0;
	for (const [name, { shape, data }] of weights) {
		const end = offset + data.length * bytesPerValue;
		header[name] = { dtype: 'F16', shape, data_offsets: [offset, end] };
		offset = end;
	}
	const text = JSON.stringify(header);
	const head = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8));
	const file = new Uint8Array(8 + head.length + offset);
	const view = new DataView(file.buffer);
	view.setBigUint64(0, BigInt(head.length), true);
	file.set(head, 8);
	let at = 8 + head.length;
	for (const { data } of weights.values()) {
		for (const value of data) {
			view.setUint16(at, toHalf(value), true);
			at += bytesPerValue;
		}
	}
	return file;
}
