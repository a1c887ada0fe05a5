import { expect, test } from 'vitest';
import { cutText, visibleSpans } from '../../../src-renderer/logic/visible-text.ts';

const shown = (text: string): string =>
	visibleSpans(text)
		.map(({ text: part, kind }) => (kind === 'code' ? `[${part}]` : part))
		.join('');

test.each([
	['a\u202Eb', 'a[U+202E]b'],
	['\u0000\u001b[31m', '[U+0000][U+001B][31m'],
	['line\n\ttab', 'line\n\ttab'],
	['zero\u200Bwidth \u200D', 'zero[U+200B]width [U+200D]'],
	['\uFEFFx', '[U+FEFF]x'],
	['half \ud800 pair', 'half [U+D800] pair'],
	['whole 🍣 pair', 'whole 🍣 pair'],
	['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
	['👩🏽‍🚀', '👩🏽‍🚀'],
	['می\u200Cخواهم', 'می\u200Cخواهم'],
	['<img src=x onerror="x">', '<img src=x onerror="x">'],
	['', ''],
])('%j', (text, expected) => {
	expect(shown(text)).toBe(expected);
});

test('a cut never leaves half a character', () => {
	expect(cutText('a🍣b', 2)).toBe('a');
	expect(cutText('a🍣b', 3)).toBe('a🍣');
	expect(cutText('abc', 5)).toBe('abc');
});
