/** Texts as bytes and back: blocks of many short texts, compressed together where it pays. */
import { hash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';

/** 96 bits of SHA-256: among a million million texts, two of one hash are still unlikely (1e-5). */
const hashBytes = 12;

/** Large enough to compress well, small enough that reading one text stays cheap. */
export const blockBytes = 32 * 1024;

/** Two thirds of the usual level's time for 2 % more bytes. */
const params = { [constants.ZSTD_c_compressionLevel]: 2 };

const plain = 0;
const zstandard = 1;

/** UTF-8, or UTF-16 for a text with lone surrogates, which UTF-8 cannot hold. */
export interface EncodedText {
	bytes: Buffer;
	isUtf16: boolean;
}

export function encodeText(text: string): EncodedText {
	const isUtf16 = !text.isWellFormed();
	return { bytes: Buffer.from(text, isUtf16 ? 'utf16le' : 'utf8'), isUtf16 };
}

export function decodeText({ bytes, isUtf16 }: EncodedText): string {
	return bytes.toString(isUtf16 ? 'utf16le' : 'utf8');
}

/** What a text is found by, as Latin-1. The encoding is part of it: the same bytes may be two texts (UTF-8 never holds 0xff). */
export function hashText({ bytes, isUtf16 }: EncodedText): string {
	const named = isUtf16 ? Buffer.concat([Buffer.of(0xff), bytes]) : bytes;
	// Four times as fast as a Buffer each.
	return hash('sha256', named, 'binary').slice(0, hashBytes);
}

export interface PackedBlock {
	codec: number;
	/** Length when unpacked. */
	bytes: number;
	data: Buffer;
}

/** First what each text is (0: removed, else twice its length, plus 1 for UTF-8 and 2 for UTF-16), then all bytes. */
export function packBlock(texts: readonly (EncodedText | null)[]): PackedBlock {
	const sizes = new ByteWriter(3 * texts.length);
	for (const text of texts) {
		sizes.count(text === null ? 0 : 2 * text.bytes.length + (text.isUtf16 ? 2 : 1));
	}
	const content = Buffer.concat([
		sizes.finish(),
		...texts.map((text) => text?.bytes ?? Buffer.alloc(0)),
	]);
	const compressed = zstdCompressSync(content, { params });
	const pays = compressed.length < content.length * 0.9;
	return {
		codec: pays ? zstandard : plain,
		bytes: content.length,
		data: pays ? compressed : content,
	};
}

export function unpackBlock(block: PackedBlock, texts: number): (EncodedText | null)[] {
	const content =
		block.codec === plain
			? block.data
			: zstdDecompressSync(block.data, { maxOutputLength: Math.max(1, block.bytes) });
	const reader = new ByteReader(content);
	const sizes = Array.from({ length: texts }, () => reader.count());
	return sizes.map((size) => {
		if (size === 0) return null;
		const isUtf16 = size % 2 === 0;
		return { bytes: reader.bytes((size - (isUtf16 ? 2 : 1)) / 2), isUtf16 };
	});
}
