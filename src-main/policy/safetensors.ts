/**
 * Reading and writing safetensors: 8 bytes of header length, a JSON header, then the values one after
 * another. The reader trusts nothing: every length, offset, shape and dtype is checked against the file
 * before a byte is allocated, and every refusal names file and tensor.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { GroveError } from '../contract/errors.ts';
import { bfloat16ToFloats, halvesToFloats, toBfloat16, toHalf } from './half-precision.ts';
import { scanJsonKeys } from './json-keys.ts';
import type { Weights } from './model-config.ts';
import { describeForeignFile } from './foreign-file.ts';

const readable = { F32: 4, F16: 2, BF16: 2 } as const;
export type Dtype = keyof typeof readable;
/** The limit of the reference implementation. */
const maxHeaderBytes = 100_000_000;

export interface TensorEntry {
	name: string;
	dtype: Dtype;
	shape: number[];
	/** Offsets within the file. */
	begin: number;
	end: number;
}

function refuse(
	where: string,
	what: string,
	facts: { expected?: string; given?: string; fix?: string } = {},
): GroveError {
	return new GroveError('bad-input', { where, what, ...facts });
}

async function readExactly(
	handle: FileHandle,
	bytes: Uint8Array,
	position: number,
	where: string,
): Promise<void> {
	let done = 0;
	while (done < bytes.length) {
		const { bytesRead } = await handle.read(
			bytes,
			done,
			Math.min(bytes.length - done, 2 ** 30),
			position + done,
		);
		if (bytesRead === 0)
			throw refuse(where, 'the file ended while it was read', { fix: 'copy or download it again' });
		done += bytesRead;
	}
}

/** The header of a file, checked: entries in the order of their data. */
async function readHeader(handle: FileHandle, path: string): Promise<TensorEntry[]> {
	const { size } = await handle.stat();
	const start = new Uint8Array(Math.min(size, 512));
	await readExactly(handle, start, 0, path);
	const foreign = describeForeignFile(start);
	if (foreign !== null)
		throw refuse(path, `is no safetensors file: it looks like ${foreign.kind}`, {
			fix: foreign.fix,
		});
	if (size < 8)
		throw refuse(path, 'is too short for a safetensors file', {
			expected: 'at least 8 bytes',
			given: `${size} bytes`,
			fix: 'copy or download it again',
		});
	const declared = new DataView(start.buffer).getBigUint64(0, true);
	if (declared > BigInt(size - 8) || declared > BigInt(maxHeaderBytes) || declared < 2n) {
		throw refuse(path, 'the length of the header is impossible', {
			expected: `2 to ${Math.min(size - 8, maxHeaderBytes)} bytes`,
			given: declared.toString(),
			fix: 'the file is damaged or of another kind; copy or download it again',
		});
	}
	const length = Number(declared);
	const bytes = new Uint8Array(length);
	await readExactly(handle, bytes, 8, path);
	let text: string;
	try {
		text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch (error) {
		throw new GroveError(
			'bad-input',
			{ where: path, what: 'the header is not UTF-8 text' },
			{ cause: error },
		);
	}
	const keys = scanJsonKeys(text);
	if (!keys.ok) throw refuse(path, `the header is not valid JSON: ${keys.problem}`);
	if (keys.duplicate !== null)
		throw refuse(`${path}: ${keys.duplicate}`, 'the name stands twice in the header', {
			expected: 'every tensor once',
		});
	const header: unknown = JSON.parse(text);
	if (typeof header !== 'object' || header === null || Array.isArray(header))
		throw refuse(path, 'the header is not a JSON object');
	checkMetadata(header, path);
	const dataBytes = size - 8 - length;
	const entries = Object.entries(header)
		.filter(([name]) => name !== '__metadata__')
		.map(([name, value]) => checkEntry(name, value, dataBytes, 8 + length, path))
		.sort((a, b) => a.begin - b.begin || a.end - b.end);
	let at = 8 + length;
	for (const entry of entries) {
		if (entry.begin !== at)
			throw refuse(
				`${path}: ${entry.name}`,
				entry.begin < at
					? 'the data overlap those of another tensor'
					: 'there is a gap before the data',
				{ expected: `begin ${at - 8 - length}`, given: `begin ${entry.begin - 8 - length}` },
			);
		at = entry.end;
	}
	if (at !== size)
		throw refuse(path, 'the header does not account for all bytes of the file', {
			expected: `${at} bytes`,
			given: `${size} bytes`,
			fix: 'the file is cut off or damaged; copy or download it again',
		});
	return entries;
}

function checkMetadata(header: object, path: string): void {
	const metadata: unknown = Object.hasOwn(header, '__metadata__')
		? Object.entries(header).find(([name]) => name === '__metadata__')?.[1]
		: {};
	if (
		typeof metadata !== 'object' ||
		metadata === null ||
		Object.values(metadata).some((value) => typeof value !== 'string')
	) {
		throw refuse(`${path}: __metadata__`, 'holds something that is not text', {
			expected: 'a map of texts',
		});
	}
}

function checkEntry(
	name: string,
	value: unknown,
	dataBytes: number,
	dataStart: number,
	path: string,
): TensorEntry {
	const where = `${path}: ${name}`;
	if (typeof value !== 'object' || value === null)
		throw refuse(where, 'the header entry is not an object');
	const entry = new Map<string, unknown>(Object.entries(value));
	const dtype = entry.get('dtype');
	if (typeof dtype !== 'string' || !Object.hasOwn(readable, dtype)) {
		throw refuse(where, 'the type of the values is not supported', {
			expected: Object.keys(readable).join(', '),
			given: typeof dtype === 'string' ? dtype : JSON.stringify(dtype),
		});
	}
	const shape = entry.get('shape');
	if (
		!Array.isArray(shape) ||
		!shape.every(
			(size): size is number => typeof size === 'number' && Number.isSafeInteger(size) && size >= 0,
		)
	) {
		throw refuse(where, 'the shape is not a list of whole numbers from 0', {
			given: JSON.stringify(shape),
		});
	}
	const offsets = entry.get('data_offsets');
	if (
		!Array.isArray(offsets) ||
		offsets.length !== 2 ||
		!offsets.every(
			(offset): offset is number =>
				typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0,
		)
	) {
		throw refuse(where, 'data_offsets is not a pair of whole numbers from 0', {
			given: JSON.stringify(offsets),
		});
	}
	const [begin = 0, end = 0] = offsets;
	const elements = shape.reduce((product, size) => product * size, 1);
	const wanted = elements * readable[dtype as Dtype];
	if (begin > end || end > dataBytes || !Number.isSafeInteger(wanted) || wanted !== end - begin) {
		throw refuse(where, 'shape and place of the data disagree, or lie outside the file', {
			expected: `${wanted} bytes for ${dtype} of shape [${shape.join(', ')}] within the ${dataBytes} bytes of data`,
			given: `bytes ${begin} to ${end}`,
		});
	}
	return { name, dtype: dtype as Dtype, shape, begin: dataStart + begin, end: dataStart + end };
}

/** What a file holds, without its values. */
export async function inspectSafetensors(path: string): Promise<TensorEntry[]> {
	const handle = await open(path, 'r');
	try {
		return await readHeader(handle, path);
	} finally {
		await handle.close();
	}
}

/** All tensors of a file as fp32. Throws GroveError 'bad-input'. */
export async function readSafetensors(path: string): Promise<Weights> {
	const handle = await open(path, 'r');
	try {
		const weights: Weights = new Map();
		for (const { name, dtype, shape, begin, end } of await readHeader(handle, path)) {
			const bytes = new Uint8Array(end - begin);
			await readExactly(handle, bytes, begin, `${path}: ${name}`);
			const data =
				dtype === 'F32'
					? new Float32Array(bytes.buffer)
					: dtype === 'F16'
						? halvesToFloats(new Uint16Array(bytes.buffer))
						: bfloat16ToFloats(new Uint16Array(bytes.buffer));
			weights.set(name, { shape, data });
		}
		return weights;
	} finally {
		await handle.close();
	}
}

function encodeValues(data: Float32Array, dtype: Dtype): Uint8Array {
	if (dtype === 'F32') return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	const encode = dtype === 'F16' ? toHalf : toBfloat16;
	return new Uint8Array(Uint16Array.from(data, encode).buffer);
}

/** Writes a file as Python `transformers` reads it (metadata `format: pt`). */
export async function writeSafetensors(
	path: string,
	weights: Weights,
	dtype: Dtype,
): Promise<void> {
	const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
	let offset = 0;
	for (const [name, { shape, data }] of weights) {
		const end = offset + data.length * readable[dtype];
		Object.defineProperty(header, name, {
			value: { dtype, shape, data_offsets: [offset, end] },
			enumerable: true,
		});
		offset = end;
	}
	const json = new TextEncoder().encode(JSON.stringify(header));
	const head = new Uint8Array(8 + Math.ceil(json.length / 8) * 8).fill(0x20);
	new DataView(head.buffer).setBigUint64(0, BigInt(head.length - 8), true);
	head.set(json, 8);
	const file = createWriteStream(path);
	file.write(head);
	for (const { data } of weights.values()) {
		if (!file.write(encodeValues(data, dtype))) await once(file, 'drain');
	}
	file.end();
	await finished(file);
}
