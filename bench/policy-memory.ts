/**
 * Memory of one trained agent, measured in a process of its own: `node --expose-gc bench/policy-memory.ts MODEL`
 * prints its figures as JSON.
 */
import {
	activationBytesPerToken,
	cacheBytesPerToken,
	trainingBytes,
} from '../src-main/policy/memory.ts';
import type { Figure } from './part.ts';
import { newTokens, promptTokens, sampleOnce, trainSequences, updateOnce } from './policy-work.ts';
import { groveSmall, randomPolicy, smolLm2 } from './random-models.ts';

const rows = 16;
/** As in src-main/policy/cpu/passes.ts. */
const headElements = 8_000_000;
/** Growth shows by the number of steps, not by their size. */
const steps = 500;
const warmSteps = 100;
const fewRows = 4;
const fewTokens = 8;

async function measureMemory(name: string | undefined): Promise<Figure[]> {
	const model = [groveSmall, smolLm2].find((one) => one.name === name);
	if (model === undefined) throw new Error(`no model ${name}`);
	await loadCode();
	const before = settled();
	const policy = randomPolicy(model);
	const sequences = trainSequences(model, rows);
	const isLarge = model === smolLm2;
	// Loading holds the checkpoint beside the weights for a moment; what follows is training's own.
	global.gc?.();
	const watching = watchResident();
	for (let step = 0; step < 2; step++) {
		await sampleOnce(model, policy, rows);
		await updateOnce(policy, sequences);
		watching.look();
	}
	const peak = watching.peak - before;
	const states = trainingBytes(policy.info.parameters);
	const tokens = (rows / 4) * promptTokens + rows * newTokens;
	const activations = tokens * activationBytesPerToken(model.config);
	const caches = rows * (promptTokens + newTokens) * cacheBytesPerToken(model.config);
	// Logits and probabilities of the piece of the vocabulary's matrix that is held at once.
	const head = 2 * 4 * Math.min(headElements, rows * newTokens * model.config.vocabSize);
	const allowed = states + activations + caches + head;
	const figures: Figure[] = [
		{
			name: `${model.name}: peak memory, of weights × (1 + 1 + 2) and one micro-batch`,
			value: peak / allowed,
			unit: '',
			kind: 'absolute',
			goal: { atMost: 1 },
			note: `peak ${megabytes(peak)} MB; weights ${megabytes(states / 4)} MB each time, activations ${megabytes(activations)} MB, caches ${megabytes(caches)} MB, head ${megabytes(head)} MB`,
		},
	];
	if (isLarge) return figures;
	const few = trainSequences(model, fewRows, fewTokens);
	let early = 0;
	for (let step = -warmSteps; step < steps; step++) {
		if (step === 0) early = settled();
		await sampleOnce(model, policy, fewRows, fewTokens);
		await updateOnce(policy, few);
	}
	figures.push({
		name: `${model.name}: growth of resident memory over ${steps} steps`,
		value: (settled() - early) / 1e6,
		unit: 'MB',
		kind: 'absolute',
		goal: { atMost: 5 },
	});
	return figures;
}

/** ONNX Runtime and compiled code take some tens of megabytes that no model is to be charged with. */
async function loadCode(): Promise<void> {
	const policy = randomPolicy(groveSmall, 2);
	await sampleOnce(groveSmall, policy, 2, 4);
	await updateOnce(policy, trainSequences(groveSmall, 2, 4));
	policy.dispose();
}

function resident(): number {
	return process.memoryUsage.rss();
}

function settled(): number {
	global.gc?.();
	global.gc?.();
	return resident();
}

function megabytes(bytes: number): string {
	return (bytes / 1e6).toFixed(0);
}

function watchResident() {
	return {
		peak: resident(),
		look(): void {
			this.peak = Math.max(this.peak, resident());
		},
	};
}

process.stdout.write(JSON.stringify(await measureMemory(process.argv[2])));
