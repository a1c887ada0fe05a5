/**
 * What a person types into the search box: words that must all occur in one text, "words in this order",
 * -without, and beginn*. Everything else is taken as plain characters; nothing is a syntax error.
 */
import { type Word, wordsOf } from './search-words.ts';

export interface Term {
	/** Folded, one after another in the text. */
	words: string[];
	/** As typed. */
	text: string;
	/** The last word may go on. */
	isPrefix: boolean;
	isExcluded: boolean;
}

export interface SearchQuery {
	terms: Term[];
	/** For a query without a single word, such as `=>`: this text is looked for as it is. */
	literal: string | null;
}

export function parseQuery(query: string): SearchQuery {
	const terms: Term[] = [];
	for (const match of query.matchAll(/(-?)(?:"([^"]*)("?)|([^\s"]+))(\*?)/gu)) {
		const text = match[2] ?? match[4] ?? '';
		const words = [...wordsOf(text)].map((word) => word.folded);
		if (words.length === 0) continue;
		const isPrefix = text.endsWith('*') || match[5] === '*';
		terms.push({ words, text, isPrefix, isExcluded: match[1] === '-' });
	}
	const literal = query.trim();
	const hasWords = terms.some((term) => !term.isExcluded);
	return { terms, literal: hasWords || literal === '' ? null : literal };
}

/** The texts that may match, as the index is asked; a superset of those that do. */
export function indexExpression({ terms }: SearchQuery): string {
	const wanted = terms.filter((term) => !term.isExcluded).flatMap(expressionsOf);
	const excluded = terms.filter((term) => term.isExcluded && term.words.length === 1);
	const all = wanted.join(' AND ');
	return excluded.length === 0
		? all
		: `(${all}) NOT (${excluded.flatMap(expressionsOf).join(' OR ')})`;
}

function expressionsOf(term: Term): string[] {
	return term.words.map((word, index) => {
		const isPrefix = term.isPrefix && index === term.words.length - 1;
		return `"${word}"${isPrefix ? ' *' : ''}`;
	});
}

/** Whether the index alone decides: no phrases. */
export function isDecidedByIndex({ terms }: SearchQuery): boolean {
	return terms.every((term) => term.words.length === 1);
}

/** Places of all wanted terms in a text, as [start, end); null where the text does not match. */
export function findMarks(query: SearchQuery, text: string): [number, number][] | null {
	if (query.literal !== null) return findLiteral(text, query.literal);
	const words = [...wordsOf(text)];
	const marks: [number, number][] = [];
	for (const term of query.terms) {
		const found = findTerm(words, term);
		if (found.length > 0 === term.isExcluded) return null;
		if (!term.isExcluded) marks.push(...found);
	}
	return marks.sort(([a], [b]) => a - b);
}

function findTerm(words: readonly Word[], term: Term): [number, number][] {
	const found: [number, number][] = [];
	const last = term.words.length - 1;
	for (let at = 0; at + last < words.length; at++) {
		const fits = term.words.every((wanted, index) => {
			const own = words[at + index]?.folded ?? '';
			return index === last && term.isPrefix ? own.startsWith(wanted) : own === wanted;
		});
		const [start, end] = [words[at]?.start, words[at + last]?.end];
		if (fits && start !== undefined && end !== undefined) found.push([start, end]);
	}
	return found;
}

function findLiteral(text: string, literal: string): [number, number][] | null {
	const marks: [number, number][] = [];
	for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length)) {
		marks.push([at, at + literal.length]);
	}
	return marks.length === 0 ? null : marks;
}
