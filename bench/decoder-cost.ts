/** Arithmetic and memory traffic that a decoder cannot do without; what is measured is held against it. */
import { parameterLayout, type ModelConfig } from '../src-main/policy/index.ts';
import type { RolloutTree } from '../src-main/contract/tree.ts';

/** Weights that every token is multiplied with, and those of the head, which only wanted positions are. */
export function matrixWeights(config: ModelConfig): { blocks: number; head: number } {
	const blocks = parameterLayout(config)
		.parameters.filter(({ name, shape }) => shape.length === 2 && name.includes('.layers.'))
		.reduce((sum, { size }) => sum + size, 0);
	return { blocks, head: config.vocabSize * config.hiddenSize };
}

/** Operations of forward and backward pass over `groups` prompts with `rows` completions each: 6·N·tokens, plus attention. */
export function trainingFlops(
	config: ModelConfig,
	size: { groups: number; rows: number; promptTokens: number; completionTokens: number },
): number {
	const { groups, rows, promptTokens: prompt, completionTokens: completion } = size;
	const { blocks, head } = matrixWeights(config);
	const scored = groups * rows * completion;
	const tokens = groups * prompt + scored;
	// Pairs of a query and a key that it may see: below the diagonal, and all of the prompt.
	const pairs = groups * (prompt ** 2 / 2 + rows * completion * (prompt + completion / 2));
	const perPair = 12 * config.layers * config.heads * config.headDim;
	return 6 * blocks * tokens + 6 * head * scored + perPair * pairs;
}

/** Of one decoding step of `rows` sequences that have `past` tokens each. */
export function decodingCost(
	config: ModelConfig,
	rows: number,
	past: number,
): { flops: number; bytes: number } {
	const { blocks, head } = matrixWeights(config);
	const { layers, heads, kvHeads, headDim } = config;
	return {
		flops: rows * (2 * (blocks + head) + 4 * layers * heads * headDim * past),
		bytes: 4 * (blocks + head) + 4 * rows * layers * 2 * kvHeads * headDim * past,
	};
}

/** Of sampling trees and training on all of their completions once; attention is small beside it and left out. */
export function stepFlops(config: ModelConfig, trees: readonly RolloutTree[]): number {
	const { blocks, head } = matrixWeights(config);
	let prompts = 0;
	let completions = 0;
	for (const { agents } of trees.flatMap(({ nodes }) => nodes)) {
		for (const agent of agents) {
			prompts += agent.promptTokenIds.length;
			for (const { tokenIds } of agent.completions) completions += tokenIds.length;
		}
	}
	return (2 + 6) * (blocks * (prompts + completions) + head * completions);
}
