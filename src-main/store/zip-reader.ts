/**
 * Reading zip archives that strangers made: every size and offset is checked before it is used, names that
 * lead outside are refused, links are passed over, and nothing is unpacked beyond the size that its entry states.
 */
import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { GroveError } from '../contract/errors.ts';
import { centralSignature, deflatedMethod, endSignature, localSignature } from './zip-writer.ts';

export interface ZipEntry {
	/** With slashes, relative, without `..`. */
	name: string;
	size: number;
	packed: number;
	method: number;
	crc: number;
	offset: number;
	isLink: boolean;
	isEncrypted: boolean;
}

/** A file this much larger than its packed form is no file of ours. */
const mostRatio = 2000;
const endBytes = 22;
const mostComment = 0xffff;

export class ZipReader {
	readonly #file: FileHandle;
	readonly #path: string;
	readonly entries: readonly ZipEntry[];

	private constructor(file: FileHandle, path: string, entries: readonly ZipEntry[]) {
		this.#file = file;
		this.#path = path;
		this.entries = entries;
	}

	/** Throws 'bad-input' where the file is no whole zip archive, or one made to do harm. */
	static async open(path: string): Promise<ZipReader> {
		const file = await open(path, 'r');
		try {
			return new ZipReader(file, path, await readDirectory(file, path));
		} catch (error) {
			await file.close();
			throw error;
		}
	}

	/** The content of a small entry. Throws 'bad-input' above `limit` bytes. */
	async text(entry: ZipEntry, limit: number): Promise<string> {
		if (entry.size > limit) throw refuse(this.#path, `${entry.name} is too large`);
		const chunks: Buffer[] = [];
		await this.#unpack(entry, async (content) => {
			for await (const chunk of content) chunks.push(chunk as Buffer);
		});
		return Buffer.concat(chunks).toString('utf8');
	}

	/** Writes the content of an entry into a new file. */
	async extract(entry: ZipEntry, target: string): Promise<void> {
		await this.#unpack(entry, async (content) => {
			await pipeline(content, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
		});
	}

	async #unpack(entry: ZipEntry, consume: (content: Readable) => Promise<void>): Promise<void> {
		const header = Buffer.alloc(30);
		await this.#file.read(header, 0, header.length, entry.offset);
		if (header.readUInt32LE(0) !== localSignature) throw damaged(this.#path, entry.name);
		if (entry.isEncrypted) throw refuse(this.#path, `${entry.name} is encrypted`);
		const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
		let size = 0;
		let crc = 0;
		const path = this.#path;
		const check = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
			for await (const chunk of chunks) {
				size += chunk.length;
				if (size > entry.size) throw refuse(path, `${entry.name} is larger than it says`);
				crc = crc32(chunk, crc);
				yield chunk;
			}
			if (size !== entry.size || crc !== entry.crc) throw damaged(path, entry.name);
		};
		const packed = Readable.from(this.#slice(start, entry.packed));
		const content = new PassThrough();
		const producing =
			entry.method === deflatedMethod
				? pipeline(packed, createInflateRaw(), check, content)
				: pipeline(packed, check, content);
		const consuming = consume(content);
		const [produced, consumed] = await Promise.allSettled([producing, consuming]);
		for (const outcome of [produced, consumed]) {
			if (outcome.status === 'rejected') throw this.#asInput(outcome.reason, entry.name);
		}
	}

	#asInput(reason: unknown, name: string): unknown {
		const code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
		return code.startsWith('Z_') ? damaged(this.#path, name) : reason;
	}

	async *#slice(start: number, length: number): AsyncGenerator<Buffer> {
		let at = start;
		const end = start + length;
		while (at < end) {
			const chunk = Buffer.alloc(Math.min(256 * 1024, end - at));
			const { bytesRead } = await this.#file.read(chunk, 0, chunk.length, at);
			if (bytesRead === 0) return;
			at += bytesRead;
			yield chunk.subarray(0, bytesRead);
		}
	}

	async close(): Promise<void> {
		await this.#file.close();
	}
}

function refuse(path: string, what: string): GroveError {
	return new GroveError('bad-input', {
		what,
		where: path,
		fix: 'ask whoever made the bundle for a new one; nothing was imported',
	});
}

function damaged(path: string, name: string): GroveError {
	return refuse(path, `the archive is damaged at ${name}`);
}

async function readDirectory(file: FileHandle, path: string): Promise<ZipEntry[]> {
	const { size } = await file.stat();
	const tail = Buffer.alloc(Math.min(size, endBytes + mostComment));
	await file.read(tail, 0, tail.length, size - tail.length);
	let at = tail.length - endBytes;
	while (at >= 0 && tail.readUInt32LE(at) !== endSignature) at--;
	if (at < 0) throw refuse(path, 'the file is no whole zip archive');
	const count = tail.readUInt16LE(at + 10);
	const length = tail.readUInt32LE(at + 12);
	const start = tail.readUInt32LE(at + 16);
	if (start + length > size) throw refuse(path, 'the directory of the archive lies outside of it');
	const directory = Buffer.alloc(length);
	await file.read(directory, 0, length, start);
	const entries: ZipEntry[] = [];
	let position = 0;
	for (let i = 0; i < count; i++) {
		if (position + 46 > length || directory.readUInt32LE(position) !== centralSignature) {
			throw refuse(path, 'the directory of the archive is damaged');
		}
		const nameLength = directory.readUInt16LE(position + 28);
		const name = directory.toString('utf8', position + 46, position + 46 + nameLength);
		entries.push(checked(path, size, readEntry(directory, position, name)));
		position +=
			46 +
			nameLength +
			directory.readUInt16LE(position + 30) +
			directory.readUInt16LE(position + 32);
	}
	return entries;
}

function readEntry(directory: Buffer, at: number, name: string): ZipEntry {
	const madeOnUnix = directory.readUInt8(at + 5) === 3;
	const mode = directory.readUInt32LE(at + 38) >>> 16;
	return {
		name,
		isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
		method: directory.readUInt16LE(at + 10),
		crc: directory.readUInt32LE(at + 16),
		packed: directory.readUInt32LE(at + 20),
		size: directory.readUInt32LE(at + 24),
		offset: directory.readUInt32LE(at + 42),
		isLink: madeOnUnix && (mode & 0o170000) === 0o120000,
	};
}

function checked(path: string, archiveBytes: number, entry: ZipEntry): ZipEntry {
	const { name, size, packed, method, offset } = entry;
	const parts = name.split('/');
	const leadsOutside =
		name === '' ||
		name.startsWith('/') ||
		/[\\\0:]/u.test(name) ||
		parts.some((part) => part === '..' || part === '.');
	if (leadsOutside) throw refuse(path, `the archive holds a name that leads outside: ${name}`);
	if (offset + packed > archiveBytes) throw damaged(path, name);
	if (method !== 0 && method !== deflatedMethod) {
		throw refuse(path, `${name} is packed in a way that is not supported (${method})`);
	}
	if (size > 64 * 1024 * 1024 && size > packed * mostRatio) {
		throw refuse(
			path,
			`${name} would grow from ${packed} to ${size} bytes, which no real file does`,
		);
	}
	return entry;
}
