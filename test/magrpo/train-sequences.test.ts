import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeSample } from '../../src-main/magrpo/node-samples.ts';
import { tokensToFirstEnd, trainSequences } from '../../src-main/magrpo/train-sequences.ts';

const rule = { padTokenId: 9, eosTokenIds: [0, 7] };

function sampleOf(completions: [number[], number | null][]): NodeSample {
	return {
		turn: 1,
		envStep: 1,
		rewardMean: 0,
		returnMean: 0,
		agents: [
			{
				promptTokenIds: [5, 6],
				completions: completions.map(([tokenIds, advantage]) => ({ tokenIds, advantage })),
				referenceKls: [],
			},
		],
	};
}

describe('training sequences', () => {
	it('score every token up to the first end token, which counts; any of the end tokens ends', () => {
		const sample = sampleOf([
			[[2, 3, 0], 1],
			[[2, 7, 4, 0], -1],
			[[0], 0.5],
			[[2, 3, 4, 5], 2],
		]);
		const sequences = trainSequences([sample], 0, { ...rule, scoring: 'to-eos' });
		expect(sequences.map(({ scoredTokens }) => scoredTokens)).toEqual([3, 2, 1, 4]);
		expect(sequences.map(({ coefficient }) => coefficient)).toEqual([-0.25, 0.25, -0.125, -0.5]);
		expect(sequences[0]?.promptTokenIds).toEqual([5, 6]);
	});

	it('under compat pad to the longest of the group and score all columns but the last', () => {
		const sample = sampleOf([
			[[2, 0], 1],
			[[2, 3, 4, 0], -1],
		]);
		const sequences = trainSequences([sample], 0, { ...rule, scoring: 'padded' });
		expect(sequences.map(({ completionTokenIds }) => completionTokenIds)).toEqual([
			[2, 0, 9, 9],
			[2, 3, 4, 0],
		]);
		expect(sequences.map(({ scoredTokens }) => scoredTokens)).toEqual([3, 3]);
		const oneColumn = sampleOf([
			[[0], 1],
			[[0], -1],
		]);
		expect(trainSequences([oneColumn], 0, { ...rule, scoring: 'padded' })).toEqual([]);
	});

	it('divide by the completions that are trained on, not by those left out', () => {
		const sample = sampleOf([
			[[2, 0], 1],
			[[3, 0], null],
			[[], 3],
			[[4, 0], -1],
		]);
		for (const scoring of ['to-eos', 'padded'] as const) {
			const sequences = trainSequences([sample, sample], 0, { ...rule, scoring });
			const trained = scoring === 'to-eos' ? 2 : 3;
			expect(sequences.length).toBe(2 * trained);
			expect(sequences[0]?.coefficient).toBeCloseTo(-1 / (trained * 2), 12);
		}
		const none = sampleOf([[[2, 0], null]]);
		expect(trainSequences([none], 0, { ...rule, scoring: 'to-eos' })).toEqual([]);
	});

	it('never score a token after the first end token, nor fewer than all before it', () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 0, max: 8 })), (ids) => {
				const count = tokensToFirstEnd(ids, rule.eosTokenIds);
				const isEnd = (id: number) => rule.eosTokenIds.includes(id);
				expect(ids.slice(0, Math.max(0, count - 1)).some(isEnd)).toBe(false);
				expect(count === ids.length || isEnd(ids[count - 1] ?? -1)).toBe(true);
			}),
		);
	});
});
