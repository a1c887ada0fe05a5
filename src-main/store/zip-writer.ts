/** Writing zip archives: entries stored or deflated, streamed from files of any size. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import {
	centralHeader,
	deflatedMethod,
	endRecords,
	localHeader,
	type WrittenEntry,
} from './zip-format.ts';

/** From this size on an entry might pass 4 GiB: what does not deflate grows a little, and a file may still grow. */
const largeBytes = 0xe0000000;

export class ZipWriter {
	readonly #file: FileHandle;
	readonly #entries: WrittenEntry[] = [];
	#offset = 0;

	private constructor(file: FileHandle) {
		this.#file = file;
	}

	/** The file must not be there yet. */
	static async create(path: string): Promise<ZipWriter> {
		return new ZipWriter(await open(path, 'wx', 0o600));
	}

	addText(name: string, text: string): Promise<void> {
		return this.#add(name, deflatedMethod, Readable.from([Buffer.from(text)]), false);
	}

	/** `isPacked`: its content does not get smaller (weights). */
	async addFile(name: string, path: string, isPacked: boolean): Promise<void> {
		const { size } = await stat(path);
		const method = isPacked ? 0 : deflatedMethod;
		await this.#add(name, method, createReadStream(path), size >= largeBytes);
	}

	async #add(name: string, method: number, content: Readable, mayBeLarge: boolean): Promise<void> {
		const entry: WrittenEntry = {
			name: Buffer.from(name, 'utf8'),
			method,
			crc: 0,
			packed: 0,
			size: 0,
			offset: this.#offset,
			mayBeLarge,
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
		await this.#write(endRecords(this.#entries.length, start, this.#offset - start));
		await this.#file.sync();
		await this.#file.close();
		return this.#offset;
	}

	async abandon(): Promise<void> {
		await this.#file.close();
	}
}
