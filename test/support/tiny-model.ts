/** Small random decoders for tests: no files, no network. */
import { Random } from '../../src-main/contract/random.ts';
import { createDecoderPolicy, type DecoderOptions } from '../../src-main/policy/decoder-policy.ts';
import type { ModelConfig, Weights } from '../../src-main/policy/model-config.ts';
import { namedWeights, parameterLayout } from '../../src-main/policy/parameters.ts';
import type { Policy } from '../../src-main/policy/policy.ts';
import type { DecoderTokenizer } from '../../src-main/policy/prompt-tokens.ts';

export function tinyConfig(changes: Partial<ModelConfig> = {}): ModelConfig {
	const family = changes.family ?? 'qwen2';
	return {
		family,
		vocabSize: 40,
		hiddenSize: 32,
		intermediateSize: 48,
		layers: 2,
		heads: 4,
		kvHeads: 2,
		headDim: 16,
		rmsNormEps: 1e-6,
		ropeTheta: 10_000,
		ropeScaling: { kind: 'none' },
		tieWordEmbeddings: family !== 'llama',
		qkvBias: family === 'qwen2',
		outputBias: false,
		mlpBias: false,
		qkNorm: family === 'qwen3',
		maxPositions: 128,
		...changes,
	};
}

/** Seeded weights of a size at which the softmax is far from flat. */
export function randomWeights(config: ModelConfig, seed = 1, spread = 0.3): Weights {
	const random = Random.from(seed, 'weights');
	const layout = parameterLayout(config);
	const flat = Float32Array.from({ length: layout.total }, () => spread * random.normal());
	for (const { name, offset, size } of layout.parameters) {
		if (/norm\.weight$/.test(name)) {
			for (let i = offset; i < offset + size; i++) flat[i] = 1 + (flat[i] ?? 0);
		}
	}
	return namedWeights(layout, flat);
}

/** One id per character, from `a`; id 0 is the end token. */
export function letterTokenizer(vocabSize: number): DecoderTokenizer {
	const piece = (id: number): string => (id === 0 ? '' : String.fromCodePoint(96 + id));
	return {
		vocabSize,
		hasChatTemplate: false,
		encode: (text) => [...text].map((char) => Math.max(1, (char.codePointAt(0) ?? 97) - 96)),
		applyChatTemplate: (messages) => messages.map(({ content }) => content).join(''),
		decode: (ids) => ids.map(piece).join(''),
		tokenPieces: (ids) => ids.map(piece),
		isSpecial: (id) => id === 0,
	};
}

export function tinyPolicy(
	changes: Partial<ModelConfig> = {},
	options: Partial<DecoderOptions> = {},
): Policy {
	const config = options.config ?? tinyConfig(changes);
	return createDecoderPolicy({
		model: 'tiny',
		where: 'tiny',
		config,
		weights: randomWeights(config),
		tokenizer: letterTokenizer(config.vocabSize),
		generation: { eosTokenIds: [0], padTokenId: null, bosTokenId: null },
		notes: [],
		keepReference: false,
		tf: null,
		prompts: {
			chatTemplate: 'auto',
			specialTokensInText: 'literal',
			maxPromptTokens: null,
			promptOverflow: 'cut-left',
		},
		saveFolder: () => Promise.resolve(),
		...options,
	});
}
