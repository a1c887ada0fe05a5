import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteSymbols, toSymbols } from '../../scripts/pretrain/tokenizer/bytes.ts';
import { bpeEncoder } from '../../scripts/pretrain/tokenizer/encode.ts';
import { preTokenize } from '../../scripts/pretrain/tokenizer/pre-tokenize.ts';
import { vocabularyOf } from '../../scripts/pretrain/tokenizer/tokenizer-files.ts';
import { mergePair, trainMerges, type Merge } from '../../scripts/pretrain/tokenizer/train-bpe.ts';

/** Counts all pairs anew before each merge. */
function naiveMerges(texts: readonly string[], mergeCount: number): Merge[] {
	const order = [...byteSymbols];
	let words = texts.flatMap(preTokenize).map(toSymbols);
	const merges: Merge[] = [];
	while (merges.length < mergeCount) {
		const counts = new Map<string, { pair: Merge; count: number }>();
		for (const word of words) {
			for (let at = 1; at < word.length; at++) {
				const pair: Merge = [word[at - 1] ?? '', word[at] ?? ''];
				const entry = counts.get(pair.join(' ')) ?? { pair, count: 0 };
				entry.count++;
				counts.set(pair.join(' '), entry);
			}
		}
		const rank = ({ pair }: { pair: Merge }): number =>
			order.indexOf(pair[0]) * 1e6 + order.indexOf(pair[1]);
		const [best] = [...counts.values()].sort((a, b) => b.count - a.count || rank(a) - rank(b));
		if (best === undefined || best.count < 2) break;
		const [left, right] = best.pair;
		merges.push(best.pair);
		if (!order.includes(left + right)) order.push(left + right);
		words = words.map((word) => mergePair(word, left, right, left + right));
	}
	return merges;
}

const anyText = fc.string({ unit: 'binary' });
const wordy = fc
	.array(
		fc.constantFrom('low', 'lower', 'newest', 'aaaa', 'ababa', '12', '1a1', '日本', ' ', '\n', '!'),
		{
			maxLength: 30,
		},
	)
	.map((parts) => parts.join(' '));

test('training equals counting everything anew each time', () => {
	fc.assert(
		fc.property(
			fc.array(fc.oneof(wordy, anyText), { maxLength: 8 }),
			fc.nat(40),
			(texts, count) => {
				expect(trainMerges(texts, count)).toEqual(naiveMerges(texts, count));
			},
		),
		{ numRuns: 60 },
	);
});

test('pieces are the text, whole and in order', () => {
	fc.assert(
		fc.property(anyText, (text) => {
			expect(preTokenize(text).join('')).toBe(text);
		}),
	);
});

test('every text encodes, and its tokens join to its bytes', () => {
	const merges = trainMerges(['the cat sat on the mat, the cat sat', 'naïve naïve 日本日本'], 50);
	const vocabulary = vocabularyOf(merges);
	const texts = [...vocabulary.keys()];
	const encode = bpeEncoder(vocabulary, merges);
	fc.assert(
		fc.property(fc.oneof(anyText, wordy), (text) => {
			const joined = encode(text)
				.map((id) => texts[id])
				.join('');
			expect(joined).toBe(toSymbols(text).join(''));
		}),
	);
	expect(encode(' cat')).toHaveLength(1);
});
