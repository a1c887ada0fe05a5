/** The pretraining loop: cross entropy on the corpus by the policy's own update, seeded and resumable. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Policy, TrainSequence } from '../../src-main/policy/index.ts';
import { batchMaker } from './batches.ts';
import type { ModelRecipe } from './model-shapes.ts';
import { learningRateAt } from './schedule.ts';
import type { Encode } from './tokenizer/encode.ts';

export const trainSeed = 'train';
const stateEverySteps = 250;
const evaluateEverySteps = 250;
const microBatchTokens = 8192;
const progressSchema = z.object({ step: z.int().min(0) });

export interface PretrainStep {
	/** 1-based. */
	step: number;
	/** Nats per answer token, on the batch before its update. */
	loss: number;
	learningRate: number;
	/** Tokens through the model so far in this process, and per second since the last step that is reported. */
	tokens: number;
	tokensPerSecond: number;
	/** On held-out text, where it was measured after this step. */
	evalLoss: number | null;
}

/** Mean negative log-probability of the scored tokens, in nats. */
export async function crossEntropyOf(
	policy: Policy,
	sequences: readonly TrainSequence[],
): Promise<number> {
	let sum = 0;
	let tokens = 0;
	for (let at = 0; at < sequences.length; at += 64) {
		const logProbs = await policy.logProbs(sequences.slice(at, at + 64));
		for (const row of logProbs) for (const value of row) sum -= value;
		for (const row of logProbs) tokens += row.length;
	}
	return sum / tokens;
}

/** Number of updates whose result `folder` holds; 0 where there is none. */
export function savedSteps(folder: string): number {
	const file = join(folder, 'progress.json');
	if (!existsSync(file)) return 0;
	return progressSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).step;
}

async function resume(policy: Policy, folder: string): Promise<number> {
	const step = savedSteps(folder);
	if (step > 0) await policy.loadTrainingState(join(folder, `state-${step}`));
	return step;
}

async function saveState(policy: Policy, folder: string, step: number): Promise<void> {
	const state = join(folder, `state-${step}`);
	mkdirSync(state, { recursive: true });
	await policy.saveTrainingState(state);
	const file = join(folder, 'progress.json');
	writeFileSync(`${file}.new`, JSON.stringify({ step }));
	renameSync(`${file}.new`, file);
	rmSync(join(folder, `state-${step - stateEverySteps}`), { recursive: true, force: true });
}

/** Trains to the end of the recipe, from the last state in `folder`. */
export async function* train(
	policy: Policy,
	recipe: ModelRecipe,
	encode: Encode,
	evaluation: readonly TrainSequence[],
	folder: string,
): AsyncGenerator<PretrainStep> {
	const batchAt = batchMaker(trainSeed, recipe.batch, encode);
	let tokens = 0;
	const first = await resume(policy, folder);
	for (let step = first; step < recipe.steps; step++) {
		const startedAt = performance.now();
		const learningRate = learningRateAt(step, recipe.steps, recipe.learningRate);
		const result = await policy.update(batchAt(step), {
			learningRate,
			weightDecay: 0.05,
			beta1: 0.9,
			beta2: 0.98,
			epsilon: 1e-8,
			maxGradNorm: 1,
			microBatchTokens,
		});
		if (!result.applied) throw new Error(`the loss of step ${step + 1} is not finite`);
		tokens += result.tokens;
		const seconds = (performance.now() - startedAt) / 1000;
		const done = step + 1;
		const last = done === recipe.steps;
		if (done % stateEverySteps === 0 || last) await saveState(policy, folder, done);
		const evalLoss =
			done % evaluateEverySteps === 0 || last ? await crossEntropyOf(policy, evaluation) : null;
		yield {
			step: done,
			loss: result.loss,
			learningRate,
			tokens,
			tokensPerSecond: result.tokens / seconds,
			evalLoss,
		};
	}
}
