/** Models with random weights in the shapes that are measured; the arithmetic does not depend on what a model knows. */
import { Random } from '../src-main/contract/random.ts';
import {
	createDecoderPolicy,
	parameterLayout,
	type ModelConfig,
	type Policy,
	type Weights,
} from '../src-main/policy/index.ts';

export interface RandomModel {
	name: string;
	config: ModelConfig;
}

const common = {
	rmsNormEps: 1e-5,
	ropeTheta: 10_000,
	ropeScaling: { kind: 'none' },
	tieWordEmbeddings: true,
	outputBias: false,
	mlpBias: false,
	qkNorm: false,
} as const;

export const groveSmall: RandomModel = {
	name: 'grove-small',
	config: {
		...common,
		family: 'qwen2',
		vocabSize: 2048,
		hiddenSize: 192,
		intermediateSize: 512,
		layers: 3,
		heads: 6,
		kvHeads: 3,
		headDim: 32,
		qkvBias: true,
		maxPositions: 512,
	},
};

export const smolLm2: RandomModel = {
	name: 'SmolLM2-135M',
	config: {
		...common,
		family: 'llama',
		vocabSize: 49_152,
		hiddenSize: 576,
		intermediateSize: 1536,
		layers: 30,
		heads: 9,
		kvHeads: 3,
		headDim: 64,
		qkvBias: false,
		maxPositions: 8192,
	},
};

/** Entropy of the next token is near that of a trained model then, and so is the work of the sampler. */
const logitDeviation = 4;
const embeddingDeviation = 0.02;

/** Prompts are texts of token ids with spaces between (`promptOf`); no token ends a completion. */
export function randomPolicy({ name, config }: RandomModel, seed = 1): Policy {
	return createDecoderPolicy({
		model: name,
		where: name,
		config,
		weights: randomWeights(config, seed),
		tokenizer: {
			vocabSize: config.vocabSize,
			hasChatTemplate: false,
			encode: (text) => text.split(' ').map(Number),
			applyChatTemplate: (messages) => messages.map(({ content }) => content).join(' '),
			decode: (tokenIds) => tokenIds.join(' '),
			tokenPieces: (tokenIds) => tokenIds.map((id) => `${id} `),
			isSpecial: () => false,
		},
		generation: { eosTokenIds: [], padTokenId: null, bosTokenId: null },
		notes: [],
		keepReference: false,
		prompts: {
			chatTemplate: 'never',
			specialTokensInText: 'literal',
			maxPromptTokens: null,
			promptOverflow: 'refuse',
		},
		saveFolder: () => Promise.resolve(),
	});
}

export function promptOf({ config }: RandomModel, length: number, seed: number): string {
	const random = Random.from(seed, 'prompt');
	return Array.from({ length }, () => random.integer(config.vocabSize)).join(' ');
}

function randomWeights(config: ModelConfig, seed: number): Weights {
	const layout = parameterLayout(config);
	// Drawing each of a hundred million weights would take longer than the measurements.
	const random = Random.from(seed, 'weights');
	const table = Float32Array.from({ length: 1_000_003 }, () => random.normal());
	const finalNorm = logitDeviation / (embeddingDeviation * Math.sqrt(config.hiddenSize));
	let drawn = 0;
	const normals = (size: number, deviation: number): Float32Array => {
		const data = new Float32Array(size);
		for (let i = 0; i < size; i++)
			data[i] = deviation * (table[(drawn + i) % table.length] as number);
		drawn += size;
		return data;
	};
	return new Map(
		layout.parameters.map(({ name, shape, size }) => {
			const inputs = shape[1];
			const data =
				inputs === undefined
					? new Float32Array(size).fill(
							name === 'model.norm.weight' ? finalNorm : name.endsWith('bias') ? 0 : 1,
						)
					: normals(
							size,
							name.includes('embed_tokens') ? embeddingDeviation : 1 / Math.sqrt(2 * inputs),
						);
			return [name, { shape, data }];
		}),
	);
}
