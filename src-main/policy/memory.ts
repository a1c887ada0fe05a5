/** How much memory a model takes, in bytes; fp32 throughout. */
import type { ModelConfig } from './model-config.ts';

/** Keys and values of one token in all layers. */
export function cacheBytesPerToken(config: ModelConfig): number {
	return 4 * config.layers * 2 * config.kvHeads * config.headDim;
}

/** What the backward pass needs of one token: per layer what the blocks keep, and once the widest scratch. */
export function activationBytesPerToken(config: ModelConfig): number {
	const { hiddenSize, intermediateSize, heads, kvHeads, headDim } = config;
	const attention = (2 * heads + 2 * kvHeads) * headDim * (config.qkNorm ? 2 : 1);
	const kept = 2 * hiddenSize + 2 * intermediateSize + attention;
	const scratch = 8 * intermediateSize + 8 * hiddenSize;
	return 4 * (config.layers * kept + scratch);
}

/** Weights, gradient and two moments of one trained agent. */
export function trainingBytes(parameters: number): number {
	return 4 * parameters * 4;
}
