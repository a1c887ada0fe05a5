/** What counts as a word, the same for the index, for queries and for marks in excerpts. */

/** Scripts written without spaces: each character is a word of its own. */
const unspaced =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const eachUnspaced = new RegExp(unspaced, 'gu');

/** A text as it is handed to the index. */
export function indexedWords(text: string): string {
	return unspaced.test(text) ? text.replaceAll(eachUnspaced, ' $& ') : text;
}

export interface Word {
	/** Without case and accents. */
	folded: string;
	/** UTF-16 units in the text, end not included. */
	start: number;
	end: number;
}

const wordPattern = new RegExp(
	`${unspaced.source}|(?:(?!${unspaced.source})[\\p{L}\\p{N}\\p{M}\\p{Co}])+`,
	'gu',
);

export function fold(text: string): string {
	return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The words of a text in order. */
export function* wordsOf(text: string): Generator<Word> {
	for (const match of text.matchAll(wordPattern)) {
		const start = match.index;
		yield { folded: fold(match[0]), start, end: start + match[0].length };
	}
}
