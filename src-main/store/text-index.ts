/**
 * Keeping the two indexes of texts up to date: by hash, so that a text is stored once, and by word, for
 * search. Both lag behind by up to `batch` texts, so that most steps need not pay for them; whoever
 * searches looks through the texts that wait one by one.
 */
import type { Connection } from './connection.ts';
import { wordsForIndex } from './search-words.ts';
import { decodeText, type EncodedText, hashText } from './text-blocks.ts';
import type { HashedText } from './text-hashes.ts';
import type { Texts } from './texts.ts';

const batch = 1024;

/** Number of the newest text in the indexes. */
export function searchableTo(connection: Connection): number {
	return (
		connection.prepare<[], { searchable_to: number }>('SELECT searchable_to FROM workspace').get()
			?.searchable_to ?? 0
	);
}

/** Adds the texts that wait, if they are at least `least`. Within a write. */
export function indexNewTexts(connection: Connection, texts: Texts, least = batch): void {
	const from = searchableTo(connection);
	const newest = texts.newest();
	if (newest - from < least || newest === from) return;
	const insert = connection.prepare<[number, string], never>(
		'INSERT INTO text_search (rowid, words) VALUES (?, ?)',
	);
	const known = texts.freshHashes();
	const hashes: HashedText[] = [];
	for (let number = from + 1; number <= newest; number++) {
		const text = texts.read(number);
		if (text === null) continue;
		insert.run(number, wordsOf(text));
		const hash = Buffer.from(known.get(number) ?? hashText(text), 'latin1');
		hashes.push({ hash, text: number });
	}
	texts.hashes.add(hashes, from + 1, newest);
	connection.prepare<[number], never>('UPDATE workspace SET searchable_to = ?').run(newest);
	texts.forgetFresh();
}

function wordsOf(text: EncodedText): string {
	return wordsForIndex(decodeText(text));
}

/** Takes a text that goes out of the index of words. Within a write. */
export function unindexText(connection: Connection, number: number, text: EncodedText): void {
	connection
		.prepare<[number, string], never>(
			"INSERT INTO text_search (text_search, rowid, words) VALUES ('delete', ?, ?)",
		)
		.run(number, wordsOf(text));
}

/** Pages that a piece of the work below moves. */
const mergedAtOnce = 500;

/** Gives back what texts that went take in the index of words. In short transactions, between which others can write. */
export function tidySearchIndex(connection: Connection): void {
	// The first time all parts of the index are put in a row; then they are merged piece by piece.
	for (let pages = -mergedAtOnce; ; pages = mergedAtOnce) {
		const changes = connection.write(() => {
			const before = connection.number('SELECT total_changes()');
			connection
				.prepare<[number], never>("INSERT INTO text_search (text_search, rank) VALUES ('merge', ?)")
				.run(pages);
			return connection.number('SELECT total_changes()') - before;
		});
		// Less than two: nothing was left to merge.
		if (changes < 2) return;
	}
}
