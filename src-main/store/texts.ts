/** Every text once: found by the hash of its content, kept in compressed blocks. */
import type { Connection } from './connection.ts';
import { insertMany, type SqlValue } from './insert-many.ts';
import {
	blockBytes,
	decodeText,
	encodeText,
	hashText,
	packBlock,
	type PackedBlock,
	unpackBlock,
} from './text-blocks.ts';

const lookUpAtOnce = 32;
/** Unpacked blocks kept for reading. */
const blocksKept = 64;

/** What is shown in the place of a text that was removed to free space. */
export const removedText = '[text removed to free space]';

interface NewText {
	text: string;
	hash: Buffer;
	bytes: Buffer;
	isUtf16: boolean;
}

export class Texts {
	readonly #connection: Connection;
	readonly #blocks = new Map<number, Buffer>();
	#bytes = 0;

	constructor(connection: Connection) {
		this.#connection = connection;
	}

	/** The number of each text, storing those that are new. Within a write. */
	put(texts: ReadonlySet<string>): Map<string, number> {
		const numbers = new Map<string, number>();
		const candidates: NewText[] = [];
		for (const text of texts) {
			const { bytes, isUtf16 } = encodeText(text);
			candidates.push({ text, hash: hashText(bytes, isUtf16), bytes, isUtf16 });
		}
		const known = this.#known(candidates);
		const fresh: NewText[] = [];
		for (const candidate of candidates) {
			const number = known.get(candidate.hash.toString('latin1'));
			if (number === undefined) fresh.push(candidate);
			else numbers.set(candidate.text, number);
		}
		this.#store(fresh, numbers);
		return numbers;
	}

	#known(candidates: readonly NewText[]): Map<string, number> {
		const known = new Map<string, number>();
		let at = 0;
		while (at < candidates.length) {
			const left = candidates.length - at;
			const count = left >= lookUpAtOnce ? lookUpAtOnce : left >= 4 ? 4 : 1;
			const part = candidates.slice(at, at + count).map((candidate) => candidate.hash);
			at += count;
			const rows = this.#connection
				.prepareRows<Buffer[], [Buffer, number]>(
					`SELECT hash, text FROM text_hashes WHERE hash IN (${Array<string>(count).fill('?').join(',')})`,
				)
				.all(...part);
			for (const [digest, number] of rows) known.set(digest.toString('latin1'), number);
		}
		return known;
	}

	#store(fresh: readonly NewText[], numbers: Map<string, number>): void {
		if (fresh.length === 0) return;
		const last = this.#connection
			.prepare<[], { text: number | null }>('SELECT max(text) AS text FROM texts')
			.get();
		// Never a number that was in use before: the search index may still know it.
		const floor = this.#connection
			.prepare<[], { searchable_to: number }>('SELECT searchable_to FROM workspace')
			.get();
		let number = Math.max(last?.text ?? 0, floor?.searchable_to ?? 0);
		const rows: SqlValue[] = [];
		const hashes: SqlValue[] = [];
		let group: NewText[] = [];
		let size = 0;
		const flush = (): void => {
			if (group.length === 0) return;
			const block = this.#storeBlock(Buffer.concat(group.map((text) => text.bytes)));
			let start = 0;
			for (const text of group) {
				number++;
				numbers.set(text.text, number);
				rows.push(number, block, start, text.bytes.length * 2 + (text.isUtf16 ? 1 : 0));
				hashes.push(text.hash, number);
				start += text.bytes.length;
			}
			group = [];
			size = 0;
		};
		for (const text of fresh) {
			group.push(text);
			size += text.bytes.length;
			if (size >= blockBytes) flush();
		}
		flush();
		insertMany(this.#connection, 'texts', ['text', 'block', 'start', 'size'], rows);
		insertMany(this.#connection, 'text_hashes', ['hash', 'text'], hashes);
	}

	#storeBlock(content: Buffer): number {
		const { codec, bytes, data } = packBlock(content);
		this.#bytes += data.length;
		const { lastInsertRowid } = this.#connection
			.prepare<[number, number, Buffer], never>(
				'INSERT INTO text_blocks (codec, bytes, data) VALUES (?, ?, ?)',
			)
			.run(codec, bytes, data);
		return Number(lastInsertRowid);
	}

	/** Bytes of blocks written since the last call. */
	takeBytes(): number {
		const bytes = this.#bytes;
		this.#bytes = 0;
		return bytes;
	}

	/** The text of a number; the mark `removedText` for one that was removed. */
	get(number: number): string {
		const row = this.#connection
			.prepare<[number], { block: number; start: number; size: number }>(
				'SELECT block, start, size FROM texts WHERE text = ?',
			)
			.get(number);
		if (row === undefined) return removedText;
		const start = row.start;
		const bytes = this.#block(row.block).subarray(start, start + Math.floor(row.size / 2));
		return decodeText(bytes, row.size % 2 === 1);
	}

	#block(number: number): Buffer {
		const held = this.#blocks.get(number);
		if (held !== undefined) return held;
		const row = this.#connection
			.prepare<[number], PackedBlock>('SELECT codec, bytes, data FROM text_blocks WHERE block = ?')
			.get(number);
		if (row === undefined) throw new Error(`text block ${number} is missing`);
		const content = unpackBlock(row);
		if (this.#blocks.size >= blocksKept) {
			const oldest = this.#blocks.keys().next().value;
			if (oldest !== undefined) this.#blocks.delete(oldest);
		}
		this.#blocks.set(number, content);
		return content;
	}
}
