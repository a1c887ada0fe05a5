/** Every text once: found by the hash of its content, kept in compressed blocks of neighbours. */
import type { Connection } from './connection.ts';
import {
	blockBytes,
	decodeText,
	type EncodedText,
	encodeText,
	hashText,
	packBlock,
	type PackedBlock,
	unpackBlock,
} from './text-blocks.ts';
import { TextHashes } from './text-hashes.ts';

/** Unpacked blocks kept for reading. */
const blocksKept = 64;

/** What is shown in the place of a text that was removed to free space. */
export const removedText = '[text removed to free space]';

interface NewText extends EncodedText {
	text: string;
	hash: string;
}

interface OpenBlock {
	firstText: number;
	texts: readonly (EncodedText | null)[];
}

export class Texts {
	readonly #connection: Connection;
	readonly hashes: TextHashes;
	/** By number of the first text. What a block says of a text that is in use never changes. */
	readonly #blocks = new Map<number, OpenBlock>();
	/** The block read last: neighbours are read together. */
	#latest: OpenBlock | null = null;
	/** Texts of this process that are not in the table of hashes yet (text-index.ts), by hash. */
	readonly #fresh = new Map<string, number>();
	/** The state of removals that `fresh` is good for. */
	#removals = -1;
	#bytes = 0;

	constructor(connection: Connection) {
		this.#connection = connection;
		this.hashes = new TextHashes(connection);
	}

	/** The number of each text, storing those that are new. Within a write. */
	put(texts: ReadonlySet<string>): Map<string, number> {
		const numbers = new Map<string, number>();
		const candidates: NewText[] = [];
		for (const text of texts) {
			const encoded = encodeText(text);
			candidates.push({ text, hash: hashText(encoded), ...encoded });
		}
		const { newest, indexedTo } = this.#look();
		const hashes = candidates.map((candidate) => Buffer.from(candidate.hash, 'latin1'));
		const known = this.hashes.find(hashes, indexedTo);
		const fresh: NewText[] = [];
		for (const candidate of candidates) {
			const number = known.get(candidate.hash) ?? this.#fresh.get(candidate.hash);
			if (number === undefined) fresh.push(candidate);
			else numbers.set(candidate.text, number);
		}
		if (fresh.length > 0) this.#store(fresh, newest + 1, numbers);
		return numbers;
	}

	/** How far the texts and their index go. This or another program may have removed some since the last time. */
	#look(): { newest: number; indexedTo: number } {
		const row = this.#connection
			.prepare<[], { newest_text: number; searchable_to: number; texts_removed: number }>(
				'SELECT newest_text, searchable_to, texts_removed FROM workspace',
			)
			.get();
		if (row?.texts_removed !== this.#removals) this.#fresh.clear();
		this.#removals = row?.texts_removed ?? -1;
		return { newest: row?.newest_text ?? 0, indexedTo: row?.searchable_to ?? 0 };
	}

	#store(fresh: readonly NewText[], first: number, numbers: Map<string, number>): void {
		let firstText = first;
		let group: NewText[] = [];
		let size = 0;
		const flush = (): void => {
			this.#storeBlock(firstText, group);
			for (const [index, text] of group.entries()) {
				numbers.set(text.text, firstText + index);
				this.#fresh.set(text.hash, firstText + index);
			}
			firstText += group.length;
			group = [];
			size = 0;
		};
		for (const text of fresh) {
			group.push(text);
			size += text.bytes.length;
			if (size >= blockBytes) flush();
		}
		if (group.length > 0) flush();
		this.#connection
			.prepare<[number], never>('UPDATE workspace SET newest_text = ?')
			.run(firstText - 1);
	}

	#storeBlock(firstText: number, texts: readonly EncodedText[]): void {
		const { codec, bytes, data } = packBlock(texts);
		this.#bytes += data.length;
		this.#connection
			.prepare<[number, number, number, number, Buffer], never>(
				'INSERT INTO text_blocks (first_text, texts, codec, bytes, data) VALUES (?, ?, ?, ?, ?)',
			)
			.run(firstText, texts.length, codec, bytes, data);
		this.#keep({ firstText, texts });
	}

	/** The highest number that was ever given. */
	newest(): number {
		return (
			this.#connection
				.prepare<[], { newest_text: number }>('SELECT newest_text FROM workspace')
				.get()?.newest_text ?? 0
		);
	}

	/** Takes note that these texts are in the table of hashes, or that a transaction was undone. */
	forgetFresh(): void {
		this.#fresh.clear();
	}

	/** A transaction was undone: numbers it gave out may be given again. */
	forgetAll(): void {
		this.hashes.forget();
		this.#fresh.clear();
		this.#blocks.clear();
		this.#latest = null;
	}

	/** Hashes that are known without computing them again, by the number of their text. */
	freshHashes(): Map<number, string> {
		return new Map([...this.#fresh].map(([hash, number]) => [number, hash] as const));
	}

	/** Bytes of blocks written since the last call. */
	takeBytes(): number {
		const bytes = this.#bytes;
		this.#bytes = 0;
		return bytes;
	}

	/** The text of a number; the mark `removedText` for one that was removed. */
	get(number: number): string {
		const text = this.read(number);
		return text === null ? removedText : decodeText(text);
	}

	/** A text as it is stored; null for one that was removed. */
	read(number: number): EncodedText | null {
		const latest = this.#latest;
		const offset = latest === null ? -1 : number - latest.firstText;
		if (latest !== null && offset >= 0 && offset < latest.texts.length) {
			return latest.texts[offset] ?? null;
		}
		const block = this.#open(number);
		this.#latest = block;
		return block?.texts[number - block.firstText] ?? null;
	}

	#open(number: number): OpenBlock | null {
		const place = this.#connection
			.prepare<[number], { first_text: number; texts: number }>(
				'SELECT first_text, texts FROM text_blocks WHERE first_text <= ? ORDER BY first_text DESC LIMIT 1',
			)
			.get(number);
		if (place === undefined || number >= place.first_text + place.texts) return null;
		const held = this.#blocks.get(place.first_text);
		if (held !== undefined) return held;
		const packed = this.#connection
			.prepare<[number], PackedBlock>(
				'SELECT codec, bytes, data FROM text_blocks WHERE first_text = ?',
			)
			.get(place.first_text);
		if (packed === undefined) return null;
		const block = { firstText: place.first_text, texts: unpackBlock(packed, place.texts) };
		this.#keep(block);
		return block;
	}

	#keep(block: OpenBlock): void {
		if (this.#blocks.size >= blocksKept) {
			const oldest = this.#blocks.keys().next().value;
			if (oldest !== undefined) this.#blocks.delete(oldest);
		}
		this.#blocks.set(block.firstText, block);
	}
}
