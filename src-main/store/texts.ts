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

const lookUpAtOnce = 32;
/** Unpacked blocks kept for reading. */
const blocksKept = 64;

/** What is shown in the place of a text that was removed to free space. */
export const removedText = '[text removed to free space]';

interface NewText extends EncodedText {
	text: string;
	hash: Buffer;
}

interface OpenBlock {
	firstText: number;
	texts: readonly (EncodedText | null)[];
}

export class Texts {
	readonly #connection: Connection;
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
	}

	/** The number of each text, storing those that are new. Within a write. */
	put(texts: ReadonlySet<string>): Map<string, number> {
		const numbers = new Map<string, number>();
		const candidates: NewText[] = [];
		for (const text of texts) {
			const encoded = encodeText(text);
			candidates.push({ text, hash: hashText(encoded), ...encoded });
		}
		this.#forgetIfTextsWent();
		const known = this.#known(candidates);
		const fresh: NewText[] = [];
		for (const candidate of candidates) {
			const name = candidate.hash.toString('latin1');
			const number = known.get(name) ?? this.#fresh.get(name);
			if (number === undefined) fresh.push(candidate);
			else numbers.set(candidate.text, number);
		}
		this.#store(fresh, numbers);
		return numbers;
	}

	/** This or another program may have removed texts since the last time. */
	#forgetIfTextsWent(): void {
		const removals =
			this.#connection
				.prepare<[], { texts_removed: number }>('SELECT texts_removed FROM workspace')
				.get()?.texts_removed ?? 0;
		if (removals !== this.#removals) this.#fresh.clear();
		this.#removals = removals;
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
		let firstText = this.newest() + 1;
		let group: NewText[] = [];
		let size = 0;
		const flush = (): void => {
			this.#storeBlock(firstText, group);
			for (const [index, text] of group.entries()) {
				numbers.set(text.text, firstText + index);
				this.#fresh.set(text.hash.toString('latin1'), firstText + index);
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
		this.#fresh.clear();
		this.#blocks.clear();
		this.#latest = null;
	}

	/** Hashes that are known without computing them again, by the number of their text. */
	freshHashes(): Map<number, Buffer> {
		return new Map(
			[...this.#fresh].map(([name, number]) => [number, Buffer.from(name, 'latin1')] as const),
		);
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
