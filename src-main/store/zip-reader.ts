/**
 * Unpacking files of zip archives that strangers made: nothing beyond the size that the directory states,
 * and only what has the stated checksum.
 */
import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { damagedArchive, readDirectory, refuseArchive, type ZipEntry } from './zip-directory.ts';
import { deflatedMethod, localSignature } from './zip-format.ts';

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

	/** The file of this name; a link is none. */
	find(name: string): ZipEntry | undefined {
		return this.entries.find((entry) => entry.name === name && !entry.isLink);
	}

	/** The content of a small entry. Throws 'bad-input' above `limit` bytes. */
	async text(entry: ZipEntry, limit: number): Promise<string> {
		if (entry.size > limit) throw refuseArchive(this.#path, `${entry.name} is too large`);
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
		if (header.readUInt32LE(0) !== localSignature) throw damagedArchive(this.#path, entry.name);
		if (entry.isEncrypted) throw refuseArchive(this.#path, `${entry.name} is encrypted`);
		const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
		let size = 0;
		let crc = 0;
		const path = this.#path;
		const check = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
			for await (const chunk of chunks) {
				size += chunk.length;
				if (size > entry.size) throw refuseArchive(path, `${entry.name} is larger than it says`);
				crc = crc32(chunk, crc);
				yield chunk;
			}
			if (size !== entry.size || crc !== entry.crc) throw damagedArchive(path, entry.name);
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
		return code.startsWith('Z_') ? damagedArchive(this.#path, name) : reason;
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
