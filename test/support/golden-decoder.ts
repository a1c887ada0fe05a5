/** What PyTorch transformers computes with a few tiny models (test/golden/make_transformers.py), and our engines with them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Tfjs } from '../../src-main/compute/index.ts';
import { CpuEngine } from '../../src-main/policy/cpu/cpu-engine.ts';
import type { Engine } from '../../src-main/policy/engine.ts';
import { parameterLayout, readFolderConfig, type Weights } from '../../src-main/policy/index.ts';
import { flattenWeights, namedWeights } from '../../src-main/policy/parameters.ts';
import { readSafetensors } from '../../src-main/policy/safetensors.ts';
import { TensorflowEngine } from '../../src-main/policy/tensorflow/tensorflow-engine.ts';
import { makeBatches } from '../../src-main/policy/token-batches.ts';

const folder = join(import.meta.dirname, '..', 'golden', 'transformers');
const numbers = z.array(z.number());

export const golden = z
	.object({
		sequences: z.array(z.object({ prompt: numbers, completion: numbers, coefficient: z.number() })),
		adamw: z.object({
			lr: z.number(),
			beta1: z.number(),
			beta2: z.number(),
			eps: z.number(),
			weight_decay: z.number(),
			clip: z.number(),
			steps: z.int(),
		}),
		models: z.record(
			z.string(),
			z.object({
				logits: z.array(numbers),
				log_probs: z.array(numbers),
				padded_log_probs: z.array(numbers),
				greedy: numbers,
				padded_greedy: z.array(numbers),
				loss: z.number(),
				grad_norm: z.number(),
				step_grad_norms: numbers,
			}),
		),
		ropes: z.record(
			z.string(),
			z.object({
				config: z.record(z.string(), z.unknown()),
				inverse_frequencies: numbers,
				position: z.int(),
				cos: numbers,
				sin: numbers,
			}),
		),
		samplers: z.object({
			logits: numbers,
			present: numbers,
			cases: z.array(
				z.object({ settings: z.record(z.string(), z.number()), probabilities: numbers }),
			),
		}),
	})
	.parse(JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8')));

/** Largest difference, as a share of the largest value that is expected. */
export function worst(given: ArrayLike<number>, expected: ArrayLike<number>): number {
	if (given.length !== expected.length)
		throw new Error(`${given.length} values where ${expected.length} are expected`);
	let scale = 0;
	let difference = 0;
	for (let at = 0; at < expected.length; at++) {
		scale = Math.max(scale, Math.abs(expected[at] ?? NaN));
		const own = Math.abs((given[at] ?? NaN) - (expected[at] ?? NaN));
		if (!(own <= difference)) difference = own;
	}
	return difference / Math.max(scale, 1e-12);
}

/** One of the golden models, on tfjs's present backend or on the CPU engine. */
export async function openEngine(name: string, tf: Tfjs | null): Promise<Engine> {
	const { config } = await readFolderConfig(join(folder, name));
	const layout = parameterLayout(config);
	const file = join(folder, name, 'model.safetensors');
	const weights = flattenWeights(layout, await readSafetensors(file), file);
	const common = { config, layout, weights, outputVocabulary: config.vocabSize };
	return tf === null
		? new CpuEngine({ ...common, reference: null })
		: new TensorflowEngine({ ...common, tf, keepReference: false });
}

/** `gradient` of the loss, or the weights that three steps `trained`, by name. */
export function expectedWeights(name: string, kind: 'gradient' | 'trained'): Promise<Weights> {
	return readSafetensors(join(folder, name, `${kind}.safetensors`));
}

/** An engine's flat array by the names of the checkpoint. */
export async function byName(name: string, flat: Float32Array): Promise<Weights> {
	const { config } = await readFolderConfig(join(folder, name));
	return namedWeights(parameterLayout(config), flat);
}

/** Log-probabilities of every golden sequence; adds to the gradient where it `learns`. */
export async function scoreSequences(
	engine: Engine,
	tokenBudget: number,
	learns: boolean,
): Promise<number[][]> {
	const sequences = golden.sequences.map(({ prompt, completion }) => ({
		promptTokenIds: prompt,
		completionTokenIds: completion,
	}));
	const results: number[][] = sequences.map(() => []);
	for (const batch of makeBatches(sequences, tokenBudget)) {
		const coefficients = Float32Array.from(
			batch.owners,
			(owner) => golden.sequences[owner]?.coefficient ?? NaN,
		);
		const logProbs = await engine.score(batch, 'current', learns ? coefficients : null);
		for (const [at, value] of logProbs.entries()) results[batch.owners[at] ?? -1]?.push(value);
	}
	return results;
}

/** Takes the golden AdamW steps, with clipping; gives the gradient's norm before each. */
export async function takeGoldenSteps(engine: Engine): Promise<number[]> {
	const { adamw } = golden;
	const norms: number[] = [];
	for (let step = 1; step <= adamw.steps; step++) {
		engine.clearGradient();
		await scoreSequences(engine, 1000, true);
		const norm = await engine.gradientNorm();
		norms.push(norm);
		await engine.applyAdamW({
			step,
			learningRate: adamw.lr,
			weightDecay: adamw.weight_decay,
			beta1: adamw.beta1,
			beta2: adamw.beta2,
			epsilon: adamw.eps,
			gradientScale: Math.min(1, adamw.clip / (norm + 1e-6)),
		});
	}
	return norms;
}
