/** A policy with random weights in a recipe's shape, on the tokenizer trained here. */
import { createDecoderPolicy, type Policy } from '../../src-main/policy/index.ts';
import { endTokenId } from './batches.ts';
import { initialWeights } from './initial-weights.ts';
import { writeModelFiles } from './model-files.ts';
import { modelConfig, vocabularySize, type ModelRecipe } from './model-shapes.ts';
import { byteSymbols } from './tokenizer/bytes.ts';
import type { Encode } from './tokenizer/encode.ts';
import { vocabularyOf } from './tokenizer/tokenizer-files.ts';
import type { Merge } from './tokenizer/train-bpe.ts';

export interface TrainedTokenizer {
	merges: readonly Merge[];
	encode: Encode;
}

/** `Policy.save` of the result writes the bundled model's files. */
export function freshPolicy(
	recipe: ModelRecipe,
	{ merges, encode }: TrainedTokenizer,
	seed: number,
): Policy {
	const symbols = [...vocabularyOf(merges).keys()];
	const byteOf = new Map(byteSymbols.map((symbol, byte) => [symbol, byte]));
	const decode = (tokenIds: readonly number[]): string => {
		const bytes = tokenIds
			.filter((id) => id !== endTokenId)
			.flatMap((id) => Array.from(symbols[id] ?? '', (symbol) => byteOf.get(symbol) ?? 0));
		return new TextDecoder().decode(Uint8Array.from(bytes));
	};
	return createDecoderPolicy({
		model: recipe.name,
		where: recipe.name,
		config: modelConfig(recipe.shape),
		weights: initialWeights(recipe.shape, seed),
		tokenizer: {
			vocabSize: vocabularySize,
			hasChatTemplate: false,
			encode,
			applyChatTemplate: (messages) => messages.map(({ content }) => content).join('\n'),
			decode,
			tokenPieces: (tokenIds) => tokenIds.map((id) => decode([id])),
			isSpecial: (id) => id === endTokenId,
		},
		generation: { eosTokenIds: [endTokenId], padTokenId: endTokenId, bosTokenId: endTokenId },
		notes: [],
		keepReference: false,
		prompts: {
			chatTemplate: 'never',
			specialTokensInText: 'literal',
			maxPromptTokens: null,
			promptOverflow: 'refuse',
		},
		saveFolder: (folder, weights) => {
			writeModelFiles(folder, recipe, merges, weights);
			return Promise.resolve();
		},
	});
}
