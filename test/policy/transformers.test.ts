/**
 * The decoder against PyTorch transformers, on every engine that runs here: logits, log-probabilities, loss,
 * gradient of every weight, weights after AdamW, greedy text, samplers. Made by test/golden/make_transformers.py.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadTfjs } from '../../src-main/compute/index.ts';
import { Random } from '../../src-main/contract/random.ts';
import { CpuEngine } from '../../src-main/policy/cpu/cpu-engine.ts';
import type { Engine } from '../../src-main/policy/engine.ts';
import { readFolderConfig, parameterLayout } from '../../src-main/policy/index.ts';
import { flattenWeights, namedWeights } from '../../src-main/policy/parameters.ts';
import { readSafetensors } from '../../src-main/policy/safetensors.ts';
import { chooseToken, tokenDistribution } from '../../src-main/policy/sampler.ts';
import { TensorflowEngine } from '../../src-main/policy/tensorflow/tensorflow-engine.ts';
import { makeBatches } from '../../src-main/policy/token-batches.ts';

const folder = join(import.meta.dirname, '..', 'golden', 'transformers');
const numbers = z.array(z.number());
const golden = z
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
				loss: z.number(),
				grad_norm: z.number(),
				step_grad_norms: numbers,
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

const sequences = golden.sequences.map(({ prompt, completion }) => ({
	promptTokenIds: prompt,
	completionTokenIds: completion,
}));

/** Largest difference, as a share of the largest value that is expected. */
function worst(given: ArrayLike<number>, expected: ArrayLike<number>): number {
	expect(given.length).toBe(expected.length);
	let scale = 0;
	let difference = 0;
	for (let at = 0; at < expected.length; at++) {
		scale = Math.max(scale, Math.abs(expected[at] ?? NaN));
		const own = Math.abs((given[at] ?? NaN) - (expected[at] ?? NaN));
		if (!(own <= difference)) difference = own;
	}
	return difference / Math.max(scale, 1e-12);
}

const tolerance = 1e-4;

async function openEngine(name: string, kind: string): Promise<Engine> {
	const { config } = await readFolderConfig(join(folder, name));
	const layout = parameterLayout(config);
	const file = join(folder, name, 'model.safetensors');
	const weights = flattenWeights(layout, await readSafetensors(file), file);
	const common = { config, layout, weights, outputVocabulary: config.vocabSize };
	if (kind === 'cpu') return new CpuEngine({ ...common, reference: null });
	const tf = loadTfjs();
	await tf.setBackend('cpu');
	return new TensorflowEngine({ ...common, tf, keepReference: false });
}

/** Log-probabilities of every sequence; adds to the gradient where coefficients are wanted. */
async function score(engine: Engine, budget: number, learns: boolean): Promise<number[][]> {
	const results: number[][] = sequences.map(() => []);
	for (const batch of makeBatches(sequences, budget)) {
		const coefficients = Float32Array.from(
			batch.owners,
			(owner) => golden.sequences[owner]?.coefficient ?? NaN,
		);
		const logProbs = await engine.score(batch, 'current', learns ? coefficients : null);
		for (const [at, value] of logProbs.entries()) results[batch.owners[at] ?? -1]?.push(value);
	}
	return results;
}

const cases = Object.keys(golden.models).flatMap((name) =>
	['cpu', 'tfjs'].map((kind) => [name, kind] as const),
);

describe.each(cases)('%s on %s', (name, kind) => {
	const expected = golden.models[name];
	if (expected === undefined) throw new Error(`no golden data of ${name}`);

	test('logits of every position, cached and uncached', async () => {
		const engine = await openEngine(name, kind);
		const prompt = golden.sequences[0]?.prompt ?? [];
		// All at once, and with all but the first token through the cache.
		for (const [at, row] of expected.logits.entries()) {
			const whole = await engine.decode([prompt.slice(0, at + 1)], [1], 1);
			expect(worst(whole.logits, row)).toBeLessThan(tolerance);
			whole.dispose();
		}
		const stepwise = await engine.decode([prompt.slice(0, 1)], [1], prompt.length);
		for (const [at, row] of expected.logits.entries()) {
			if (at > 0) await stepwise.advance(Int32Array.of(prompt[at] ?? 0));
			expect(worst(stepwise.logits, row)).toBeLessThan(tolerance);
		}
		stepwise.dispose();
		engine.dispose();
	});

	test.each([
		['together', 1000],
		['alone', 1],
	])('log-probabilities of completions, %s', async (_, budget) => {
		const engine = await openEngine(name, kind);
		const given = await score(engine, budget, false);
		for (const at of sequences.keys()) {
			expect(worst(given[at] ?? [], expected.log_probs[at] ?? [])).toBeLessThan(tolerance);
			expect(worst(given[at] ?? [], expected.padded_log_probs[at] ?? [])).toBeLessThan(tolerance);
		}
		engine.dispose();
	});

	test.each([
		['together', 1000],
		['alone', 1],
	])('the loss and the gradient of every weight, %s', async (_, budget) => {
		const engine = await openEngine(name, kind);
		engine.clearGradient();
		const logProbs = await score(engine, budget, true);
		const loss = logProbs.reduce(
			(sum, row, at) =>
				sum + (golden.sequences[at]?.coefficient ?? NaN) * row.reduce((a, b) => a + b, 0),
			0,
		);
		expect(loss).toBeCloseTo(expected.loss, 3);
		expect((await engine.gradientNorm()) / expected.grad_norm).toBeCloseTo(1, 4);
		const { config } = await readFolderConfig(join(folder, name));
		const given = namedWeights(parameterLayout(config), await engine.readGradient());
		const wanted = await readSafetensors(join(folder, name, 'gradient.safetensors'));
		expect([...given.keys()].toSorted()).toEqual([...wanted.keys()].toSorted());
		for (const [weight, { data }] of wanted)
			expect(worst(given.get(weight)?.data ?? [], data), weight).toBeLessThan(tolerance);
		engine.dispose();
	});

	test('the weights after three AdamW steps with clipping', async () => {
		const engine = await openEngine(name, kind);
		const { adamw } = golden;
		for (let step = 1; step <= adamw.steps; step++) {
			engine.clearGradient();
			await score(engine, 1000, true);
			const norm = await engine.gradientNorm();
			expect(norm / (expected.step_grad_norms[step - 1] ?? NaN)).toBeCloseTo(1, 3);
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
		const { config } = await readFolderConfig(join(folder, name));
		const given = namedWeights(parameterLayout(config), await engine.readWeights());
		for (const [weight, { data }] of await readSafetensors(
			join(folder, name, 'trained.safetensors'),
		))
			expect(worst(given.get(weight)?.data ?? [], data), weight).toBeLessThan(tolerance);
		engine.dispose();
	});

	test('greedy text', async () => {
		const engine = await openEngine(name, kind);
		const decoding = await engine.decode([golden.sequences[0]?.prompt ?? []], [1], 16);
		const greedy = { temperature: 0, topP: 1, topK: null, minP: 0, repetitionPenalty: 1 };
		const given: number[] = [];
		for (let at = 0; at < expected.greedy.length; at++) {
			const token = chooseToken(decoding.logits, greedy, null, Random.from(1));
			given.push(token);
			if (at < expected.greedy.length - 1) await decoding.advance(Int32Array.of(token));
		}
		expect(given).toEqual(expected.greedy);
		decoding.dispose();
		engine.dispose();
	});
});

test.each(golden.samplers.cases)(
	'the samplers leave what transformers leaves: $settings',
	(one) => {
		const { settings, probabilities } = one;
		const choice = {
			temperature: settings['temperature'] ?? NaN,
			topP: settings['top_p'] ?? 1,
			topK: settings['top_k'] ?? null,
			minP: settings['min_p'] ?? 0,
			repetitionPenalty: settings['repetition_penalty'] ?? 1,
		};
		const logits = Float32Array.from(golden.samplers.logits);
		const kept = tokenDistribution(logits, choice, new Set(golden.samplers.present));
		const given = probabilities.map(() => 0);
		for (const { id, probability } of kept) given[id] = probability;
		for (const [id, value] of probabilities.entries()) expect(given[id]).toBeCloseTo(value, 5);
	},
);
