/**
 * The decoder against PyTorch transformers, on every engine that runs here: logits, log-probabilities, loss,
 * gradient of every weight, weights after AdamW, greedy text, samplers. Made by test/golden/make_transformers.py.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTfjs, type Tfjs } from '../../src-main/compute/index.ts';
import { Random } from '../../src-main/contract/random.ts';
import { readModelConfig } from '../../src-main/policy/config-json.ts';
import { generate } from '../../src-main/policy/generate.ts';
import { inverseFrequencies, rotaryTable } from '../../src-main/policy/rotary.ts';
import { tokenDistribution } from '../../src-main/policy/sampler.ts';
import {
	byName,
	expectedWeights,
	golden,
	openEngine,
	scoreSequences,
	takeGoldenSteps,
	worst,
} from '../support/golden-decoder.ts';

const tolerance = 1e-4;
const greedy = {
	maxNewTokens: 16,
	temperature: 0,
	topP: 1,
	topK: null,
	minP: 0,
	repetitionPenalty: 1,
	stop: [],
};

const plainTf = loadTfjs();
beforeAll(async () => {
	await plainTf.setBackend('cpu');
});
const engines: Readonly<Record<string, Tfjs | null>> = { cpu: null, tfjs: plainTf };
const cases = Object.keys(golden.models).flatMap((name) =>
	Object.keys(engines).map((kind) => [name, kind] as const),
);

describe.each(cases)('%s on %s', (name, kind) => {
	const expected = golden.models[name];
	if (expected === undefined) throw new Error(`no golden data of ${name}`);
	const open = () => openEngine(name, engines[kind] ?? null);

	test('logits of every position, cached and uncached', async () => {
		const engine = await open();
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
		const engine = await open();
		const given = await scoreSequences(engine, budget, false);
		for (const at of golden.sequences.keys()) {
			expect(worst(given[at] ?? [], expected.log_probs[at] ?? [])).toBeLessThan(tolerance);
			expect(worst(given[at] ?? [], expected.padded_log_probs[at] ?? [])).toBeLessThan(tolerance);
		}
		engine.dispose();
	});

	test.each([
		['together', 1000],
		['alone', 1],
	])('the loss and the gradient of every weight, %s', async (_, budget) => {
		const engine = await open();
		engine.clearGradient();
		const logProbs = await scoreSequences(engine, budget, true);
		const loss = logProbs.reduce(
			(sum, row, at) =>
				sum + (golden.sequences[at]?.coefficient ?? NaN) * row.reduce((a, b) => a + b, 0),
			0,
		);
		expect(loss).toBeCloseTo(expected.loss, 3);
		expect((await engine.gradientNorm()) / expected.grad_norm).toBeCloseTo(1, 4);
		const given = await byName(name, await engine.readGradient());
		const wanted = await expectedWeights(name, 'gradient');
		expect([...given.keys()].toSorted()).toEqual([...wanted.keys()].toSorted());
		for (const [weight, { data }] of wanted)
			expect(worst(given.get(weight)?.data ?? [], data), weight).toBeLessThan(tolerance);
		engine.dispose();
	});

	test('the weights after three AdamW steps with clipping', async () => {
		const engine = await open();
		const norms = await takeGoldenSteps(engine);
		expect(worst(norms, expected.step_grad_norms)).toBeLessThan(tolerance);
		const given = await byName(name, await engine.readWeights());
		for (const [weight, { data }] of await expectedWeights(name, 'trained'))
			expect(worst(given.get(weight)?.data ?? [], data), weight).toBeLessThan(tolerance);
		engine.dispose();
	});

	test('greedy text, alone and in a batch', async () => {
		const engine = await open();
		const complete = async (prompts: readonly (readonly number[])[]): Promise<number[][]> => {
			const requests = prompts.map((promptTokenIds) => ({
				promptTokenIds,
				samples: 1,
				random: () => Random.from(1),
			}));
			const ending = { eosTokenIds: new Set<number>(), decode: () => '' };
			const rows = await generate(engine, requests, greedy, ending);
			return rows.flatMap((samples) => samples.map(({ tokenIds }) => tokenIds));
		};
		const prompts = golden.sequences.map(({ prompt }) => prompt);
		expect(await complete(prompts.slice(0, 1))).toEqual([expected.greedy]);
		expect(await complete(prompts)).toEqual(expected.padded_greedy);
		engine.dispose();
	});
});

test.each(Object.entries(golden.ropes))('rotary angles of %s', (_, one) => {
	const config = readModelConfig(one.config, 'config.json');
	expect(worst(inverseFrequencies(config), one.inverse_frequencies)).toBeLessThan(1e-7);
	const table = rotaryTable(config, one.position + 1);
	const half = one.cos.length;
	const last = (values: Float32Array): Float32Array => values.subarray(one.position * half);
	// An angle of many thousand turns has few digits left in fp32: both must lose the same ones.
	expect(worst(last(table.cos), one.cos)).toBeLessThan(tolerance);
	expect(worst(last(table.sin), one.sin)).toBeLessThan(tolerance);
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
