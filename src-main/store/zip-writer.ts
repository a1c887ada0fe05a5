/** Writing zip archives: entries stored or deflated, streamed from files, sizes below 4 GiB (no zip64). */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Readable, Writable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { GroveError } from '../contract/errors.ts';

export const localSignature = 0x04034b50;
export const centralSignature = 0x02014b50;
export const endSignature = 0x06054b50;
export const deflatedMethod = 8;
const limit = 0xffffffff;
const mostEntries = 0xffff;
/** UTF-8 names. */
const flags = 0x0800;
/** 1 January 1980: a bundle of the same run has the same bytes whenever it is made. */
const dosDate = 0x21;

interface Entry {
	name: Buffer;
	method: number;
	crc: number;
	packed: number;
	size: number;
	offset: number;
}

export class ZipWriter {
	readonly #file: FileHandle;
	readonly #path: string;
	readonly #entries: Entry[] = [];
	#offset = 0;

	private constructor(file: FileHandle, path: string) {
		this.#file = file;
		this.#path = path;
	}

	static async create(path: string): Promise<ZipWriter> {
		return new ZipWriter(await open(path, 'wx', 0o600), path);
	}

	addText(name: string, text: string): Promise<void> {
		return this.#add(name, deflatedMethod, Readable.from([Buffer.from(text)]));
	}

	/** `isPacked`: its content does not get smaller (weights). */
	addFile(name: string, path: string, isPacked: boolean): Promise<void> {
		return this.#add(name, isPacked ? 0 : deflatedMethod, createReadStream(path));
	}

	async #add(name: string, method: number, content: Readable): Promise<void> {
		const entry = {
			name: Buffer.from(name, 'utf8'),
			method,
			crc: 0,
			packed: 0,
			size: 0,
			offset: this.#offset,
		};
		await this.#write(localHeader(entry));
		const start = this.#offset;
		const measure = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
			for await (const chunk of chunks) {
				entry.crc = crc32(chunk, entry.crc);
				entry.size += chunk.length;
				yield chunk;
			}
		};
		const sink = new Writable({
			write: (chunk: Buffer, _encoding, done) => {
				this.#write(chunk).then(() => {
					done();
				}, done);
			},
		});
		if (method === deflatedMethod) await pipeline(content, measure, createDeflateRaw(), sink);
		else await pipeline(content, measure, sink);
		entry.packed = this.#offset - start;
		if (entry.size > limit || this.#offset > limit || this.#entries.length >= mostEntries) {
			throw new GroveError('bad-input', {
				what: 'the bundle would be larger than a zip file can be',
				where: this.#path,
				expected: 'less than 4 GiB and 65,535 files',
				fix: 'export fewer runs at once, or without checkpoints',
			});
		}
		// Now that the sizes are known.
		await this.#file.write(localHeader(entry), 0, undefined, entry.offset);
		this.#entries.push(entry);
	}

	async #write(bytes: Buffer): Promise<void> {
		await this.#file.write(bytes, 0, bytes.length, this.#offset);
		this.#offset += bytes.length;
	}

	/** Writes the directory; returns the size of the file. */
	async finish(): Promise<number> {
		const start = this.#offset;
		for (const entry of this.#entries) await this.#write(centralHeader(entry));
		const end = Buffer.alloc(22);
		end.writeUInt32LE(endSignature, 0);
		end.writeUInt16LE(this.#entries.length, 8);
		end.writeUInt16LE(this.#entries.length, 10);
		end.writeUInt32LE(this.#offset - start, 12);
		end.writeUInt32LE(start, 16);
		await this.#write(end);
		await this.#file.sync();
		await this.#file.close();
		return this.#offset;
	}

	async abandon(): Promise<void> {
		await this.#file.close();
	}
}

function localHeader({ name, method, crc, packed, size }: Entry): Buffer {
	const header = Buffer.alloc(30);
	header.writeUInt32LE(localSignature, 0);
	header.writeUInt16LE(20, 4);
	header.writeUInt16LE(flags, 6);
	header.writeUInt16LE(method, 8);
	header.writeUInt16LE(dosDate, 12);
	header.writeUInt32LE(crc, 14);
	header.writeUInt32LE(packed, 18);
	header.writeUInt32LE(size, 22);
	header.writeUInt16LE(name.length, 26);
	return Buffer.concat([header, name]);
}

function centralHeader({ name, method, crc, packed, size, offset }: Entry): Buffer {
	const header = Buffer.alloc(46);
	header.writeUInt32LE(centralSignature, 0);
	header.writeUInt16LE(20, 4);
	header.writeUInt16LE(20, 6);
	header.writeUInt16LE(flags, 8);
	header.writeUInt16LE(method, 10);
	header.writeUInt16LE(dosDate, 14);
	header.writeUInt32LE(crc, 16);
	header.writeUInt32LE(packed, 20);
	header.writeUInt32LE(size, 24);
	header.writeUInt16LE(name.length, 28);
	header.writeUInt32LE(offset, 42);
	return Buffer.concat([header, name]);
}
