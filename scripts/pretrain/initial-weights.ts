/** Random starting weights of a Qwen2 decoder, drawn in the order of the checkpoint's names. */
import { Random } from '../../src-main/contract/random.ts';
import type { Weights } from '../../src-main/policy/model-config.ts';
import { vocabularySize, type ModelShape } from './model-shapes.ts';

/**
 * Matrices are normal with a deviation of 1/sqrt(inputs); those that write to the residual stream are
 * divided by sqrt(2 · layers) (Radford et al. 2019), the tied embedding has 0.02. Norms are 1, biases 0.
 */
export function initialWeights(shape: ModelShape, seed: number): Weights {
	const { hiddenSize, intermediateSize, layers, heads, kvHeads } = shape;
	const headDim = hiddenSize / heads;
	const weights: Weights = new Map();
	const add = (name: string, dims: readonly number[], fill: (random: Random) => number): void => {
		const random = Random.from(seed, 'weights', name);
		const size = dims.reduce((product, dim) => product * dim, 1);
		weights.set(name, {
			shape: dims,
			data: Float32Array.from({ length: size }, () => fill(random)),
		});
	};
	const normal = (deviation: number) => (random: Random) => deviation * random.normal();
	const residual = 1 / Math.sqrt(2 * layers);
	const matrix = (name: string, outputs: number, inputs: number, scale = 1): void => {
		add(`${name}.weight`, [outputs, inputs], normal(scale / Math.sqrt(inputs)));
	};
	const constant = (name: string, size: number, value: number): void => {
		add(name, [size], () => value);
	};
	add('model.embed_tokens.weight', [vocabularySize, hiddenSize], normal(0.02));
	for (let layer = 0; layer < layers; layer++) {
		const prefix = `model.layers.${layer}`;
		constant(`${prefix}.input_layernorm.weight`, hiddenSize, 1);
		for (const [part, count] of [
			['q_proj', heads],
			['k_proj', kvHeads],
			['v_proj', kvHeads],
		] as const) {
			matrix(`${prefix}.self_attn.${part}`, count * headDim, hiddenSize);
			constant(`${prefix}.self_attn.${part}.bias`, count * headDim, 0);
		}
		matrix(`${prefix}.self_attn.o_proj`, hiddenSize, hiddenSize, residual);
		constant(`${prefix}.post_attention_layernorm.weight`, hiddenSize, 1);
		matrix(`${prefix}.mlp.gate_proj`, intermediateSize, hiddenSize);
		matrix(`${prefix}.mlp.up_proj`, intermediateSize, hiddenSize);
		matrix(`${prefix}.mlp.down_proj`, hiddenSize, intermediateSize, residual);
	}
	constant('model.norm.weight', hiddenSize, 1);
	return weights;
}
