import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffSequences } from '../../../../src-renderer/logic/diff/sequence-diff.ts';
import {
	diffLines,
	diffWords,
	likeness,
	type TextPart,
} from '../../../../src-renderer/logic/diff/text-diff.ts';

const side = (parts: TextPart[], without: 'removed' | 'added'): string =>
	parts
		.filter(({ kind }) => kind !== without)
		.map(({ text }) => text)
		.join('');

/** Length of the longest common subsequence, the plain way. */
function commonLength(a: readonly number[], b: readonly number[]): number {
	const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
	for (let i = 1; i <= a.length; i++)
		for (let j = 1; j <= b.length; j++) {
			const row = table[i];
			if (row === undefined) continue;
			row[j] =
				a[i - 1] === b[j - 1]
					? (table[i - 1]?.[j - 1] ?? 0) + 1
					: Math.max(table[i - 1]?.[j] ?? 0, row[j - 1] ?? 0);
		}
	return table[a.length]?.[b.length] ?? 0;
}

describe('a difference', () => {
	test('gives both sides again, and is the shortest there is', () => {
		const sequence = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 40 });
		fc.assert(
			fc.property(sequence, sequence, (before, after) => {
				const parts = diffSequences(before, after);
				const items = (without: string): number[] =>
					parts.filter(({ kind }) => kind !== without).flatMap((part) => part.items);
				expect(items('added')).toEqual(before);
				expect(items('removed')).toEqual(after);
				const same = parts.filter(({ kind }) => kind === 'same').flatMap((part) => part.items);
				expect(same.length).toBe(commonLength(before, after));
			}),
		);
	});

	test('of any texts gives both again', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme' }),
				fc.string({ unit: 'grapheme' }),
				(before, after) => {
					for (const diff of [diffWords, diffLines]) {
						expect(side(diff(before, after), 'added')).toBe(before);
						expect(side(diff(before, after), 'removed')).toBe(after);
					}
				},
			),
		);
	});

	test('is by whole words and numbers', () => {
		expect(diffWords('your answer had 100 characters', 'your answer had 240 characters')).toEqual([
			{ kind: 'same', text: 'your answer had ' },
			{ kind: 'removed', text: '100' },
			{ kind: 'added', text: '240' },
			{ kind: 'same', text: ' characters' },
		]);
	});

	test('is by whole lines', () => {
		expect(diffLines('a\nb\nc', 'a\nx\nc')).toEqual([
			{ kind: 'same', text: 'a\n' },
			{ kind: 'removed', text: 'b\n' },
			{ kind: 'added', text: 'x\n' },
			{ kind: 'same', text: 'c' },
		]);
	});

	test('tells how much two texts have in common', () => {
		expect(likeness(diffWords('one two', 'one two'))).toBe(1);
		expect(likeness(diffWords('one two', 'three'))).toBe(0);
		expect(likeness(diffWords('abc def', 'abc xyz'))).toBe(0.5);
		expect(likeness(diffWords('', ''))).toBe(1);
	});

	test('of long texts without anything in common is one replacement', () => {
		const parts = diffWords('a '.repeat(100_000), 'b '.repeat(100_000));
		expect(side(parts, 'added')).toBe('a '.repeat(100_000));
		expect(side(parts, 'removed')).toBe('b '.repeat(100_000));
	});
});
