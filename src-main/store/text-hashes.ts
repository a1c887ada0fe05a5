/**
 * Texts by their hash, so that each is stored once. The table is parted by the number of the text: new
 * hashes, which fall anywhere, then touch few pages, however many texts there are. Of each part a filter
 * tells whether it is worth asking: stored for the parts that are complete, in memory for the one that grows.
 */
import type { Connection } from './connection.ts';
import { HashFilter, partTexts } from './hash-filter.ts';
import { insertMany, type SqlValue } from './insert-many.ts';

const lookUpAtOnce = 32;

export interface HashedText {
	hash: Buffer;
	text: number;
}

function partOf(text: number): number {
	return Math.floor(text / partTexts);
}

/** What is known of the part that grows, up to the text that was indexed last. */
interface GrowingPart {
	part: number;
	indexedTo: number;
	filter: HashFilter;
}

export class TextHashes {
	readonly #connection: Connection;
	readonly #filters = new Map<number, HashFilter>();
	#growing: GrowingPart | null = null;

	constructor(connection: Connection) {
		this.#connection = connection;
	}

	/** The numbers of those that are known, by the hash as Latin-1. `indexedTo`: the last text in the index. */
	find(hashes: readonly Buffer[], indexedTo: number): Map<string, number> {
		const found = new Map<string, number>();
		const growing = this.#growingPart(indexedTo);
		for (const [part, filter] of [...this.#filters, [growing.part, growing.filter] as const]) {
			const likely = hashes.filter((hash) => filter.mayHave(hash));
			if (likely.length > 0) this.#findIn(part, likely, found);
		}
		return found;
	}

	#growingPart(indexedTo: number): GrowingPart {
		if (this.#growing?.indexedTo === indexedTo) return this.#growing;
		const part = partOf(indexedTo + 1);
		this.#loadFilters(part);
		this.#growing = { part, indexedTo, filter: filterOf(this.#connection, part) };
		return this.#growing;
	}

	/** Those of complete parts that are new. A part without hashes has none. */
	#loadFilters(before: number): void {
		const rows = this.#connection
			.prepareRows<[number, number], [number, Buffer]>(
				'SELECT part, bits FROM text_filters WHERE part >= ? AND part < ?',
			)
			.all(this.#growing?.part ?? 0, before);
		for (const [part, bits] of rows) this.#filters.set(part, new HashFilter(bits));
	}

	#findIn(part: number, hashes: readonly Buffer[], found: Map<string, number>): void {
		let at = 0;
		while (at < hashes.length) {
			const left = hashes.length - at;
			const count = left >= lookUpAtOnce ? lookUpAtOnce : left >= 4 ? 4 : 1;
			const rows = this.#connection
				.prepareRows<(number | Buffer)[], [Buffer, number]>(
					`SELECT hash, text FROM text_hashes WHERE part = ? AND hash IN (${Array<string>(count).fill('?').join(',')})`,
				)
				.all(part, ...hashes.slice(at, at + count));
			for (const [hash, text] of rows) found.set(hash.toString('latin1'), text);
			at += count;
		}
	}

	/** Adds hashes of the texts from number `first` to `last`, those that were removed left out. Within a write. */
	add(hashes: readonly HashedText[], first: number, last: number): void {
		const growing = this.#growingPart(first - 1);
		for (let part = partOf(first); part <= partOf(last); part++) {
			const own = hashes.filter(({ text }) => partOf(text) === part);
			// In order: neighbours share a page.
			own.sort((a, b) => a.hash.compare(b.hash));
			const rows = own.flatMap<SqlValue>(({ hash, text }) => [part, hash, text]);
			// Two programs may have stored the same text since the last time; either will do.
			insertMany(this.#connection, 'text_hashes', ['part', 'hash', 'text'], rows, 'OR IGNORE');
			if (part < partOf(last + 1)) this.#complete(part);
			else if (part === growing.part) {
				for (const { hash } of own) growing.filter.add(hash);
				growing.indexedTo = last;
			}
		}
	}

	#complete(part: number): void {
		this.#connection
			.prepare<[number, Buffer], never>(
				'INSERT OR REPLACE INTO text_filters (part, bits) VALUES (?, ?)',
			)
			.run(part, filterOf(this.#connection, part).bytes);
	}

	/** A transaction was undone: what it made is gone. */
	forget(): void {
		this.#filters.clear();
		this.#growing = null;
	}
}

function filterOf(connection: Connection, part: number): HashFilter {
	const filter = new HashFilter();
	const hashes = connection.prepareRows<[number], [Buffer]>(
		'SELECT hash FROM text_hashes WHERE part = ?',
	);
	for (const [hash] of hashes.iterate(part)) filter.add(hash);
	return filter;
}

/** Forgets hashes of texts that were removed. Filters may still name them, which is no harm. Within a write. */
export function removeHashes(connection: Connection, hashes: readonly HashedText[]): void {
	const remove = connection.prepare<[number, Buffer, number], never>(
		'DELETE FROM text_hashes WHERE part = ? AND hash = ? AND text = ?',
	);
	for (const { hash, text } of hashes) remove.run(partOf(text), hash, text);
	for (const part of new Set(hashes.map(({ text }) => partOf(text)))) {
		connection
			.prepare<[number, number], never>(
				'DELETE FROM text_filters WHERE part = ? AND NOT EXISTS (SELECT 1 FROM text_hashes WHERE part = ?)',
			)
			.run(part, part);
	}
}
