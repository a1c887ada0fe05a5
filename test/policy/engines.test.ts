/**
 * The CPU engine's kernels against plain tfjs, forward and gradient, over random models and batches: shared
 * prompts and none, single tokens, single heads, rows that leave, and weights so large that decoding turns its products round.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTfjs } from '../../src-main/compute/index.ts';
import { Random } from '../../src-main/contract/random.ts';
import { CpuEngine } from '../../src-main/policy/cpu/cpu-engine.ts';
import type { Engine } from '../../src-main/policy/engine.ts';
import type { ModelConfig } from '../../src-main/policy/index.ts';
import { flattenWeights, namedWeights, parameterLayout } from '../../src-main/policy/parameters.ts';
import { TensorflowEngine } from '../../src-main/policy/tensorflow/tensorflow-engine.ts';
import { makeBatches, type ScoredSequence } from '../../src-main/policy/token-batches.ts';
import { worst } from '../support/golden-decoder.ts';
import { randomWeights, tinyConfig } from '../support/tiny-model.ts';

const tolerance = 1e-4;
const tf = loadTfjs();
beforeAll(async () => {
	await tf.setBackend('cpu');
});

const oneOf = <T>(random: Random, ...values: readonly [T, ...T[]]): T =>
	values[random.integer(values.length)] ?? values[0];

function randomConfig(random: Random): ModelConfig {
	const family = oneOf(random, 'qwen2', 'qwen3', 'llama');
	const kvHeads = oneOf(random, 1, 2);
	const biased = family === 'llama' && random.integer(2) === 0;
	return tinyConfig({
		family,
		kvHeads,
		heads: kvHeads * oneOf(random, 1, 2, 3),
		headDim: oneOf(random, 2, 6, 16, 32),
		hiddenSize: oneOf(random, 1, 8, 20),
		intermediateSize: oneOf(random, 1, 9, 24),
		layers: oneOf(random, 1, 2),
		vocabSize: oneOf(random, 2, 23),
		tieWordEmbeddings: random.integer(2) === 0,
		qkvBias: family === 'qwen2' || biased,
		outputBias: biased,
		mlpBias: biased,
		// Few dimensions can be near 0 all together; then everything hangs on this number.
		rmsNormEps: 1e-3,
		ropeScaling: oneOf<ModelConfig['ropeScaling']>(
			random,
			{ kind: 'none' },
			{ kind: 'linear', factor: 3 },
		),
	});
}

interface Engines {
	own: Engine;
	plain: Engine;
	config: ModelConfig;
	dispose: () => void;
}

/** The same model on both; the output vocabulary may be a part of the embedding. */
function openBoth(
	config: ModelConfig,
	{ outputVocabulary = config.vocabSize, spread = 0.3 } = {},
): Engines {
	const layout = parameterLayout(config);
	const weights = flattenWeights(layout, randomWeights(config, 1, spread), 'test');
	const common = { config, layout, weights, outputVocabulary };
	const own = new CpuEngine({ ...common, weights: weights.slice(), reference: null });
	const plain = new TensorflowEngine({ ...common, tf, keepReference: false });
	const dispose = (): void => {
		own.dispose();
		plain.dispose();
	};
	return { own, plain, config, dispose };
}

function randomIds(random: Random, length: number, vocabulary: number): number[] {
	return Array.from({ length }, () => random.integer(vocabulary));
}

function randomSequences(random: Random, vocabulary: number): ScoredSequence[] {
	return Array.from({ length: oneOf(random, 1, 2, 3) }, () => {
		const promptTokenIds = randomIds(random, oneOf(random, 1, 2, 7), vocabulary);
		return Array.from({ length: oneOf(random, 1, 2, 4) }, () => ({
			promptTokenIds,
			completionTokenIds: randomIds(random, oneOf(random, 1, 3, 8), vocabulary),
		}));
	}).flat();
}

async function compareScores({ own, plain, config }: Engines, random: Random): Promise<void> {
	const sequences = randomSequences(random, own.outputVocabulary);
	own.clearGradient();
	plain.clearGradient();
	for (const batch of makeBatches(sequences, oneOf(random, 1, 20, 1000))) {
		const coefficients = Float32Array.from(batch.targets, () => random.normal());
		const expected = await plain.score(batch, 'current', coefficients);
		expect(worst(await own.score(batch, 'current', coefficients), expected)).toBeLessThan(
			tolerance,
		);
		expect(worst(await own.score(batch, 'current', null), expected)).toBeLessThan(tolerance);
	}
	const layout = parameterLayout(config);
	const given = namedWeights(layout, await own.readGradient());
	const whole = await plain.readGradient();
	// What is zero but for rounding, e.g. all keys' gradients where there is one key, has no digits to compare.
	const scale = whole.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
	for (const [name, { data }] of namedWeights(layout, whole)) {
		const largest = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
		const share = worst(given.get(name)?.data ?? [], data);
		if (largest > 1e-4 * scale) expect(share, name).toBeLessThan(tolerance);
		else expect(share * largest, name).toBeLessThan(1e-6 * scale);
	}
}

async function compareDecoding({ own, plain }: Engines, random: Random): Promise<void> {
	const samples = Array.from({ length: oneOf(random, 1, 2, 3) }, () => oneOf(random, 1, 2, 5));
	const prompts = samples.map(() =>
		randomIds(random, oneOf(random, 1, 2, 9), own.outputVocabulary),
	);
	const steps = 6;
	const [a, b] = [
		await own.decode(prompts, samples, steps + 1),
		await plain.decode(prompts, samples, steps + 1),
	];
	let rows = samples.reduce((sum, count) => sum + count, 0);
	for (let step = 0; step < steps; step++) {
		expect(worst(a.logits, b.logits)).toBeLessThan(tolerance);
		expect(worst(a.logProbs, b.logProbs)).toBeLessThan(tolerance);
		const kept = Array.from({ length: rows }, (_, row) => row).filter(
			(row) => row === 0 || random.integer(4) > 0,
		);
		a.keep(kept);
		b.keep(kept);
		rows = kept.length;
		expect(worst(a.logits, b.logits)).toBeLessThan(tolerance);
		const tokens = Int32Array.from(randomIds(random, rows, own.outputVocabulary));
		await a.advance(tokens);
		await b.advance(tokens);
	}
	a.dispose();
	b.dispose();
}

describe.each(Array.from({ length: 12 }, (_, seed) => seed))('random model %i', (seed) => {
	const config = randomConfig(Random.from(seed, 'config'));

	test('scores and gradients', async () => {
		const engines = openBoth(config);
		const random = Random.from(seed, 'scores');
		for (let round = 0; round < 2; round++) await compareScores(engines, random);
		engines.dispose();
	});

	test('decoding', async () => {
		const engines = openBoth(config);
		const random = Random.from(seed, 'decoding');
		for (let round = 0; round < 2; round++) await compareDecoding(engines, random);
		engines.dispose();
	});
});

test.each(['qwen2', 'qwen3', 'llama'] as const)(
	'large weights of a %s decode alike',
	async (family) => {
		const config = tinyConfig({
			family,
			hiddenSize: 400,
			intermediateSize: 800,
			layers: 1,
			...(family === 'llama' && { qkvBias: true, outputBias: true, mlpBias: true }),
		});
		expect(config.hiddenSize * config.intermediateSize).toBeGreaterThan(300_000);
		const engines = openBoth(config, { spread: 0.05 });
		await compareDecoding(engines, Random.from('large'));
		engines.dispose();
	},
);

test('ids beyond the output vocabulary have no probability on either', async () => {
	const engines = openBoth(tinyConfig({ vocabSize: 40 }), { outputVocabulary: 29 });
	const random = Random.from('narrow');
	await compareScores(engines, random);
	await compareDecoding(engines, random);
	engines.dispose();
});

test('caches grow and long texts agree', async () => {
	// Longer than the step by which the CPU engine's caches and rotary tables grow.
	const config = tinyConfig({ layers: 1, hiddenSize: 8, intermediateSize: 8, maxPositions: 1024 });
	const { own, plain, dispose } = openBoth(config);
	const random = Random.from('long');
	const ids = randomIds(random, 300, config.vocabSize);
	const a = await own.decode([ids.slice(0, 3), ids.slice(0, 2)], [1, 1], 300);
	for (const id of ids.slice(3, -1)) await a.advance(Int32Array.of(id, id));
	await a.advance(Int32Array.of(ids.at(-1) ?? 0, ids.at(-1) ?? 0));
	const whole = await plain.decode([ids], [1], 1);
	expect(worst(a.logits.subarray(0, config.vocabSize), whole.logits)).toBeLessThan(tolerance);
	a.dispose();
	whole.dispose();
	dispose();
});
