/** Checks of one device against the CPU backend (`run.ts` starts this file). Small models: what is tried is the arithmetic. */
import assert from 'node:assert/strict';
import process from 'node:process';
import { chooseDevice, tellingMemory, type Tfjs } from '../../src-main/compute/index.ts';
import { Random } from '../../src-main/contract/random.ts';
import { namedWeights, parameterLayout } from '../../src-main/policy/parameters.ts';
import type {
	Policy,
	SamplingSettings,
	TrainSequence,
	UpdateSettings,
} from '../../src-main/policy/policy.ts';
import type { Weights } from '../../src-main/policy/model-config.ts';
import { tinyConfig, tinyPolicy } from '../support/tiny-model.ts';

const tolerance = 1e-4;

const sequences: TrainSequence[] = Array.from({ length: 6 }, (_, row) => ({
	promptTokenIds: Array.from({ length: 3 + row }, (_, i) => 1 + ((7 * i + row) % 39)),
	completionTokenIds: Array.from({ length: 9 - row }, (_, i) => 1 + ((5 * i + 3 * row) % 39)),
	scoredTokens: 9 - row,
	coefficient: row % 2 === 0 ? 0.3 : -0.2,
}));

const update: UpdateSettings = {
	learningRate: 1e-2,
	weightDecay: 0.01,
	beta1: 0.9,
	beta2: 0.999,
	epsilon: 1e-8,
	maxGradNorm: 1,
	microBatchTokens: 64,
};

const greedy: SamplingSettings = {
	maxNewTokens: 12,
	temperature: 0,
	topP: 1,
	topK: null,
	minP: 0,
	repetitionPenalty: 1,
	stop: [],
};

/** Largest difference over the largest value. */
function difference(found: readonly number[], expected: readonly number[]): number {
	assert.equal(found.length, expected.length);
	const scale = Math.max(...expected.map(Math.abs), 1e-30);
	return Math.max(...found.map((value, i) => Math.abs(value - (expected[i] ?? NaN)))) / scale;
}

function agree(what: string, found: readonly number[], expected: readonly number[]): void {
	const worst = difference(found, expected);
	assert.ok(worst <= tolerance, `${what} differ by ${worst.toExponential(2)} of the largest`);
}

/** A policy whose weights can be read. */
function readable(
	tf: Tfjs | null,
	family: 'qwen2' | 'qwen3' | 'llama',
): {
	policy: Policy;
	weights: () => Promise<number[]>;
} {
	let saved: Weights = namedWeights(parameterLayout(tinyConfig({ family })), new Float32Array());
	const policy = tinyPolicy(
		{ family },
		{
			tf,
			saveFolder: (_, weights) => {
				saved = weights;
				return Promise.resolve();
			},
		},
	);
	return {
		policy,
		weights: async () => {
			await policy.save('');
			return [...saved.values()].flatMap(({ data }) => [...data]);
		},
	};
}

async function checkFamily(tf: Tfjs, family: 'qwen2' | 'qwen3' | 'llama'): Promise<void> {
	const [own, cpu] = [readable(tf, family), readable(null, family)];
	const scores = async (policy: Policy): Promise<number[]> =>
		(await policy.logProbs(sequences)).flat();
	agree('log-probabilities', await scores(own.policy), await scores(cpu.policy));
	const texts = async (policy: Policy): Promise<string[]> => {
		const requests = ['abc', 'the fox', 'z'].map((prompt) => ({
			prompt,
			samples: 2,
			random: (sample: number) => Random.from('gpu', prompt, sample),
		}));
		const answers = await policy.sample(requests, greedy);
		return answers.flatMap(({ completions }) => completions.map(({ text }) => text));
	};
	assert.deepEqual(await texts(own.policy), await texts(cpu.policy));
	for (let step = 1; step <= 3; step++) {
		const [found, expected] = [
			await own.policy.update(sequences, update),
			await cpu.policy.update(sequences, update),
		];
		agree(
			'loss and gradient norm',
			[found.loss, found.gradNorm],
			[expected.loss, expected.gradNorm],
		);
	}
	agree('weights after three steps', await own.weights(), await cpu.weights());
	own.policy.dispose();
	cpu.policy.dispose();
}

async function checkLeaks(tf: Tfjs): Promise<void> {
	const policy = tinyPolicy({}, { tf });
	const work = async (): Promise<void> => {
		await policy.update(sequences, update);
		await policy.logProbs(sequences);
	};
	await work();
	const { numTensors, numBytes } = tf.memory();
	for (let i = 0; i < 5; i++) await work();
	const after = tf.memory();
	assert.deepEqual(
		{ numTensors: after.numTensors, numBytes: after.numBytes },
		{ numTensors, numBytes },
		'tensors are left over after an update',
	);
	policy.dispose();
}

/** A terabyte is more than any one device has. After it the device counts as lost: this check is the last. */
async function checkMemory(tf: Tfjs): Promise<void> {
	const side = 2 ** 19;
	const work = async (): Promise<number> => {
		const most = tf.tidy(() => tf.max(tf.add(tf.fill([side, side], 1), 1)));
		return (await most.data())[0] ?? NaN;
	};
	await assert.rejects(
		tellingMemory({ what: 'a terabyte', bytes: 4 * side * side }, work),
		/not enough memory for a terabyte[^]*num_generations/u,
	);
}

async function main(backend: string): Promise<void> {
	if (backend !== 'cuda' && backend !== 'webgpu') throw new Error(`unknown device ${backend}`);
	const { name, detail, tf } = await chooseDevice(backend);
	if (tf === null) throw new Error('a GPU device has tfjs');
	console.log(`${name} (${detail})`);
	const checks: [string, () => Promise<void>][] = [
		['a Qwen2 agrees with the CPU', () => checkFamily(tf, 'qwen2')],
		['a Qwen3 agrees with the CPU', () => checkFamily(tf, 'qwen3')],
		['a Llama agrees with the CPU', () => checkFamily(tf, 'llama')],
		['no tensor is left over', () => checkLeaks(tf)],
		['too little memory is told', () => checkMemory(tf)],
	];
	for (const [what, check] of checks) {
		const start = performance.now();
		let verdict = 'ok  ';
		try {
			await check();
		} catch (error) {
			verdict = 'FAIL';
			process.exitCode = 1;
			console.error(error instanceof Error ? error.message : error);
		}
		console.log(`  ${verdict} ${what} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
	}
}

await main(process.argv[2] ?? '');
