/** Words are the same for the index, for queries and for marks, in any script. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMarks, parseQuery } from '../../src-main/store/search-query.ts';
import { fold, foldedWords, wordsOf } from '../../src-main/store/search-words.ts';

const words = (text: string): string[] => [...wordsOf(text)].map((word) => word.folded);

describe('words', () => {
	it.each([
		[
			'Once upon a time, there was 1 fox.',
			['once', 'upon', 'a', 'time', 'there', 'was', '1', 'fox'],
		],
		['snake_case kebab-case a.b(c)', ['snake', 'case', 'kebab', 'case', 'a', 'b', 'c']],
		['GRÖßE naïve café', ['große', 'naive', 'cafe']],
		['हिन्दी में', ['हनद', 'म']],
		['森の木 and', ['森', 'の', '木', 'and']],
		['привет мир', ['привет', 'мир']],
		['🌳 => \u0301', []],
	])('of %s', (text, expected) => {
		expect(words(text)).toEqual(expected);
	});

	it('are the same one by one and all at once', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				expect(
					foldedWords(text)
						.split(' ')
						.filter((word) => word !== ''),
				).toEqual(words(text));
			}),
			{ numRuns: 2000 },
		);
	});

	it('lie where they say', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), (text) => {
				let last = 0;
				for (const { folded, start, end } of wordsOf(text)) {
					expect(start).toBeGreaterThanOrEqual(last);
					expect(fold(text.slice(start, end))).toBe(folded);
					last = end;
				}
			}),
		);
	});
});

describe('a query', () => {
	const marked = (query: string, text: string): string[] | null =>
		findMarks(parseQuery(query), text)?.map(([start, end]) => text.slice(start, end)) ?? null;

	it.each([
		['fox', 'a Fox, a box', ['Fox']],
		['fox owl', 'an owl and a fox', ['owl', 'fox']],
		['fox owl', 'a fox', null],
		['"red fox"', 'a red, fox', ['red, fox']],
		['"red fox"', 'a fox red', null],
		['-fox owl', 'an owl', ['owl']],
		['-fox owl', 'an owl, a fox', null],
		['fo*', 'fox fog of', ['fox', 'fog']],
		['"red f*"', 'red fox', ['red fox']],
		['=>', 'a => b => c', ['=>', '=>']],
		['-fox', 'a -fox b', ['-fox']],
		['"unfinished quote', 'an unfinished quote', ['unfinished quote']],
		['木', '森の木', ['木']],
		['森の', '森の木', ['森の']],
	])('%s in "%s" marks %s', (query, text, expected) => {
		expect(marked(query, text)).toEqual(expected);
	});
});
