/** Texts as bytes and back: blocks of many short texts, compressed together where it pays. */
import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** 96 bits of SHA-256: among a million million texts, two of one hash are still unlikely (1e-5). */
const hashBytes = 12;

/** Large enough to compress well, small enough that reading one text stays cheap. */
export const blockBytes = 32 * 1024;

const plain = 0;
const deflated = 1;

export interface PackedBlock {
	codec: number;
	/** Length when unpacked. */
	bytes: number;
	data: Buffer;
}

export function packBlock(content: Buffer): PackedBlock {
	const compressed = deflateRawSync(content);
	const pays = compressed.length < content.length * 0.9;
	return {
		codec: pays ? deflated : plain,
		bytes: content.length,
		data: pays ? compressed : Buffer.from(content),
	};
}

export function unpackBlock(block: PackedBlock): Buffer {
	if (block.codec === plain) return block.data;
	return inflateRawSync(block.data, { maxOutputLength: Math.max(1, block.bytes) });
}

/** UTF-8, or UTF-16 for a text with lone surrogates, which UTF-8 cannot hold. */
export function encodeText(text: string): { bytes: Buffer; isUtf16: boolean } {
	const isUtf16 = !text.isWellFormed();
	return { bytes: Buffer.from(text, isUtf16 ? 'utf16le' : 'utf8'), isUtf16 };
}

/** What a text is found by. The encoding is part of it: the same bytes may be two texts (UTF-8 never holds 0xff). */
export function hashText(bytes: Buffer, isUtf16: boolean): Buffer {
	const named = isUtf16 ? Buffer.concat([Buffer.of(0xff), bytes]) : bytes;
	return hash('sha256', named, 'buffer').subarray(0, hashBytes);
}

export function decodeText(bytes: Buffer, isUtf16: boolean): string {
	return bytes.toString(isUtf16 ? 'utf16le' : 'utf8');
}
