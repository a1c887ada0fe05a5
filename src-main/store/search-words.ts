/**
 * What counts as a word, the same for the index, for queries and for marks in excerpts. SQLite is handed
 * words that are parted and folded already: its own tables of letters are older, and take the vowel signs
 * of many scripts for gaps.
 */

const part = String.raw`[\p{L}\p{N}\p{M}\p{Co}]`;
const scripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
/** In scripts written without spaces each character is a word of its own. */
const unspacedPart = `(?=${part})[${scripts.map((name) => String.raw`\p{Script=${name}}`).join('')}]`;
const unspaced = new RegExp(unspacedPart, 'u');
const eachUnspaced = new RegExp(unspacedPart, 'gu');
const gaps = /[^\p{L}\p{N}\p{Co}]+/gu;

function isAscii(text: string): boolean {
	return /^[\0-\x7f]*$/.test(text);
}

/** What SQLite is handed of a text. Of ASCII it makes the same words as we do, and faster. */
export function wordsForIndex(text: string): string {
	return isAscii(text) ? text : foldedWords(text);
}

/** The words of a text, folded, with spaces between them. */
export function foldedWords(text: string): string {
	const folded = fold(text).replaceAll(gaps, ' ');
	return unspaced.test(folded) ? folded.replaceAll(eachUnspaced, ' $& ') : folded;
}

export interface Word {
	/** Without case and accents; not empty. */
	folded: string;
	/** UTF-16 units in the text, end not included. */
	start: number;
	end: number;
}

const wordPattern = new RegExp(`${unspacedPart}|(?:(?!${unspacedPart})${part})+`, 'gu');

export function fold(text: string): string {
	return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The words of a text in order. */
export function* wordsOf(text: string): Generator<Word> {
	for (const match of text.matchAll(wordPattern)) {
		const folded = fold(match[0]);
		const start = match.index;
		if (folded !== '') yield { folded, start, end: start + match[0].length };
	}
}
