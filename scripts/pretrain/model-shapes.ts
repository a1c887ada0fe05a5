/** The bundled models: their shapes, and how long and how fast each is trained. */

import type { ModelConfig } from '../../src-main/policy/model-config.ts';

export interface ModelShape {
	hiddenSize: number;
	intermediateSize: number;
	layers: number;
	heads: number;
	kvHeads: number;
	maxPositions: number;
}

export interface ModelRecipe {
	name: string;
	purpose: string;
	shape: ModelShape;
	steps: number;
	/** Examples an update. */
	batch: number;
	learningRate: number;
}

export const vocabularySize = 2048;
export const ropeTheta = 10_000;
export const rmsNormEps = 1e-6;

export const recipes: readonly ModelRecipe[] = [
	{
		name: 'grove-small',
		purpose: 'the demo, a first look at the application, and learning experiments on a CPU',
		shape: {
			hiddenSize: 192,
			intermediateSize: 512,
			layers: 3,
			heads: 6,
			kvHeads: 3,
			maxPositions: 512,
		},
		steps: 4000,
		batch: 64,
		learningRate: 3e-3,
	},
	{
		name: 'grove-tiny',
		purpose: 'fast tests',
		shape: {
			hiddenSize: 32,
			intermediateSize: 96,
			layers: 2,
			heads: 2,
			kvHeads: 1,
			maxPositions: 512,
		},
		steps: 1000,
		batch: 64,
		learningRate: 8e-3,
	},
];

/** config.json of a shape, as transformers writes it for Qwen2. */
export function configJson(shape: ModelShape): string {
	const content = {
		architectures: ['Qwen2ForCausalLM'],
		attention_dropout: 0,
		bos_token_id: 0,
		eos_token_id: 0,
		hidden_act: 'silu',
		hidden_size: shape.hiddenSize,
		initializer_range: 0.02,
		intermediate_size: shape.intermediateSize,
		max_position_embeddings: shape.maxPositions,
		max_window_layers: shape.layers,
		model_type: 'qwen2',
		num_attention_heads: shape.heads,
		num_hidden_layers: shape.layers,
		num_key_value_heads: shape.kvHeads,
		pad_token_id: 0,
		rms_norm_eps: rmsNormEps,
		rope_theta: ropeTheta,
		sliding_window: null,
		tie_word_embeddings: true,
		torch_dtype: 'float16',
		use_cache: true,
		use_sliding_window: false,
		vocab_size: vocabularySize,
	};
	return `${JSON.stringify(content, null, 2)}\n`;
}

export function generationConfigJson(): string {
	const content = { bos_token_id: 0, do_sample: true, eos_token_id: 0, pad_token_id: 0 };
	return `${JSON.stringify(content, null, 2)}\n`;
}

/** The same shape in the words of the policy. */
export function modelConfig(shape: ModelShape): ModelConfig {
	return {
		...shape,
		family: 'qwen2',
		vocabSize: vocabularySize,
		headDim: shape.hiddenSize / shape.heads,
		rmsNormEps,
		ropeTheta,
		ropeScaling: { kind: 'none' },
		tieWordEmbeddings: true,
		qkvBias: true,
		outputBias: false,
		mlpBias: false,
		qkNorm: false,
	};
}
