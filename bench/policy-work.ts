/** The two pieces of work that a policy is measured by: sampling, and one update. */
import { Random } from '../src-main/contract/random.ts';
import type { Policy, TrainSequence } from '../src-main/policy/index.ts';
import { promptOf, type RandomModel } from './random-models.ts';

export const promptTokens = 48;
export const newTokens = 48;
/** Completions of one prompt, as a node of a tree gives them. */
export const rowsPerPrompt = 4;

const sampling = { temperature: 0.6, topP: 0.6, topK: 50, minP: 0, repetitionPenalty: 1, stop: [] };
const optimizer = {
	learningRate: 2e-5,
	weightDecay: 0.01,
	beta1: 0.9,
	beta2: 0.999,
	epsilon: 1e-8,
	maxGradNorm: 1,
	microBatchTokens: 8192,
};

/** Every completion has all its new tokens. */
export async function sampleOnce(
	model: RandomModel,
	policy: Policy,
	rows: number,
	maxNewTokens = newTokens,
): Promise<void> {
	const prompts = Math.ceil(rows / rowsPerPrompt);
	const requests = Array.from({ length: prompts }, (_, prompt) => ({
		prompt: promptOf(model, promptTokens, prompt),
		samples: Math.min(rows, rowsPerPrompt),
		random: (sample: number) => Random.from('sample', prompt, sample),
	}));
	await policy.sample(requests, { ...sampling, maxNewTokens });
}

export function trainSequences(
	model: RandomModel,
	rows: number,
	completionTokens = newTokens,
): TrainSequence[] {
	const ids = (length: number, seed: number): number[] =>
		promptOf(model, length, seed).split(' ').map(Number);
	return Array.from({ length: rows }, (_, row) => ({
		promptTokenIds: ids(promptTokens, Math.floor(row / rowsPerPrompt)),
		completionTokenIds: ids(completionTokens, 1000 + row),
		scoredTokens: completionTokens,
		coefficient: row % 2 === 0 ? 1 / rows : -1 / rows,
	}));
}

export async function updateOnce(
	policy: Policy,
	sequences: readonly TrainSequence[],
): Promise<void> {
	const { applied } = await policy.update(sequences, optimizer);
	if (!applied) throw new Error('the update was not finite, so its time means nothing');
}
