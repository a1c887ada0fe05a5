/**
 * Files on their way between the window and the disk, the same for both shells: an export is offered
 * under a path that works once, and what a person drops on the window is kept until it is imported.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GroveError } from '../contract/errors.ts';

export const downloadPrefix = '/download/';

export interface OfferedFile {
	path: string;
	fileName: string;
}

export interface FileExchangeLimits {
	uploadBytes: number;
	uploadsAtOnce: number;
	/** Uploads that were never imported; the oldest goes first. */
	uploadsKept: number;
	/** Exports never fetched; the oldest offer goes first (the file itself stays). */
	offers: number;
}

const usualLimits: FileExchangeLimits = {
	uploadBytes: 8 * 1024 ** 3,
	uploadsAtOnce: 4,
	uploadsKept: 16,
	offers: 200,
};

/** The last part of a name, without what a file system or a header could take amiss; at most 100 characters. */
export function safeFileName(name: string): string {
	const last = name.split(/[\\/]/u).at(-1) ?? '';
	const plain = last.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^[.\s]+/u, '');
	// The end carries the extension.
	return plain === '' ? 'file' : plain.slice(-100);
}

export class FileExchange {
	readonly #folder = mkdtempSync(join(tmpdir(), 'grove-uploads-'));
	readonly #limits: FileExchangeLimits;
	readonly #offers = new Map<string, OfferedFile>();
	readonly #uploads = new Set<string>();
	#arriving = 0;

	constructor(limits: Partial<FileExchangeLimits> = {}) {
		this.#limits = { ...usualLimits, ...limits };
	}

	/** A path, relative to the window's own address, under which the file can be fetched once. */
	offer(path: string, fileName: string): string {
		const ticket = randomBytes(24).toString('base64url');
		this.#offers.set(ticket, { path, fileName });
		const oldest = this.#offers.keys().next().value;
		if (this.#offers.size > this.#limits.offers && oldest !== undefined)
			this.#offers.delete(oldest);
		return `${downloadPrefix}${ticket}`;
	}

	/** The file that a path offers; undefined for any later call with the same path. */
	take(path: string): OfferedFile | undefined {
		const ticket = path.slice(downloadPrefix.length);
		const offered = this.#offers.get(ticket);
		this.#offers.delete(ticket);
		return offered;
	}

	isUpload(path: string): boolean {
		return this.#uploads.has(path);
	}

	/** Keeps the bytes in a folder of its own and returns the path. Throws GroveError; nothing is left behind then. */
	async receive(bytes: AsyncIterable<Uint8Array>, name: string): Promise<string> {
		if (this.#arriving >= this.#limits.uploadsAtOnce) {
			throw new GroveError('conflict', {
				what: 'too many files are arriving at once',
				expected: `at most ${this.#limits.uploadsAtOnce}`,
				fix: 'wait for the others to end',
			});
		}
		this.#arriving++;
		const folder = join(this.#folder, randomBytes(12).toString('hex'));
		const path = join(folder, safeFileName(name));
		try {
			await mkdir(folder, { mode: 0o700 });
			await this.#write(bytes, path);
		} catch (error) {
			await rm(folder, { recursive: true, force: true });
			throw error;
		} finally {
			this.#arriving--;
		}
		this.#uploads.add(path);
		const oldest = this.#uploads.values().next().value;
		if (this.#uploads.size > this.#limits.uploadsKept && oldest !== undefined)
			await this.discard(oldest);
		return path;
	}

	async #write(bytes: AsyncIterable<Uint8Array>, path: string): Promise<void> {
		const file = await open(path, 'wx', 0o600);
		try {
			let size = 0;
			for await (const chunk of bytes) {
				size += chunk.byteLength;
				if (size > this.#limits.uploadBytes) {
					throw new GroveError('bad-input', {
						what: 'the file is too large to be uploaded',
						expected: `at most ${this.#limits.uploadBytes} bytes`,
						fix: 'use `grove runs import` on the machine itself',
					});
				}
				await file.write(chunk);
			}
		} finally {
			await file.close();
		}
	}

	/** Removes an upload that is no longer needed. */
	async discard(path: string): Promise<void> {
		if (this.#uploads.delete(path)) await rm(dirname(path), { recursive: true, force: true });
	}

	/** Removes everything that was uploaded. */
	close(): void {
		this.#offers.clear();
		this.#uploads.clear();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}
