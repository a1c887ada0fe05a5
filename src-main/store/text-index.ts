/**
 * Keeping the two indexes of texts up to date: by hash, so that a text is stored once, and by word, for
 * search. Both lag behind by up to `batch` texts, so that most steps need not pay for them; whoever
 * searches looks through the texts that wait one by one.
 */
import type { Connection } from './connection.ts';
import { insertMany, type SqlValue } from './insert-many.ts';
import { foldedWords } from './search-words.ts';
import { decodeText, hashText } from './text-blocks.ts';
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
	const hashes: { hash: Buffer; number: number }[] = [];
	for (let number = from + 1; number <= newest; number++) {
		const text = texts.read(number);
		if (text === null) continue;
		insert.run(number, foldedWords(decodeText(text)));
		hashes.push({ hash: known.get(number) ?? hashText(text), number });
	}
	// In order: neighbours share a page.
	hashes.sort((a, b) => a.hash.compare(b.hash));
	const rows = hashes.flatMap<SqlValue>(({ hash, number }) => [hash, number]);
	// Two programs may have stored the same text since the last time; either will do.
	insertMany(connection, 'text_hashes', ['hash', 'text'], rows, 'OR IGNORE');
	connection.prepare<[number], never>('UPDATE workspace SET searchable_to = ?').run(newest);
	texts.forgetFresh();
}
