/**
 * Keeping the full-text index up with the texts. It lags behind by up to `batch` texts, so that a step
 * need not pay for it; whoever searches looks through those one by one (search-texts.ts).
 */
import type { Connection } from './connection.ts';
import { indexedWords } from './search-words.ts';
import type { Texts } from './texts.ts';

const batch = 1024;

export interface IndexState {
	/** Number of the newest text in the index. */
	searchableTo: number;
	/** Number of the newest text there is. */
	newest: number;
}

export function indexState(connection: Connection): IndexState {
	const state = connection
		.prepare<[], { to: number; newest: number | null }>(
			'SELECT searchable_to AS "to", (SELECT max(text) FROM texts) AS newest FROM workspace',
		)
		.get();
	const searchableTo = state?.to ?? 0;
	return { searchableTo, newest: Math.max(searchableTo, state?.newest ?? 0) };
}

/** Adds the texts that wait, if they are at least `least`. Within a write. */
export function indexNewTexts(connection: Connection, texts: Texts, least = batch): void {
	const { searchableTo, newest } = indexState(connection);
	if (newest - searchableTo < least || newest === searchableTo) return;
	const numbers = connection
		.prepareRows<[number], [number]>('SELECT text FROM texts WHERE text > ? ORDER BY text')
		.all(searchableTo);
	const insert = connection.prepare<[number, string], never>(
		'INSERT INTO text_search (rowid, words) VALUES (?, ?)',
	);
	for (const [number] of numbers) insert.run(number, indexedWords(texts.get(number)));
	connection.prepare<[number], never>('UPDATE workspace SET searchable_to = ?').run(newest);
}
