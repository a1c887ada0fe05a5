/** Decoding and training as parts of the machine's limits, what the rest of the time goes to, and memory. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Policy } from '../src-main/policy/index.ts';
import { kernelProfile } from './kernel-profile.ts';
import { Limits } from './limits.ts';
import type { Figure } from './part.ts';
import { measureDecoding } from './policy-decoding.ts';
import { measureTraining } from './policy-training.ts';
import { sampleOnce, trainSequences, updateOnce } from './policy-work.ts';
import { groveSmall, randomPolicy, type RandomModel, smolLm2 } from './random-models.ts';

export interface PolicySetting {
	model: RandomModel;
	policy: Policy;
	/** Sequences that go through together. */
	rows: number;
	rounds: number;
	limits: Limits;
}

const plans = [
	{ model: groveSmall, rounds: 15, decode: [1, 4, 16, 64], train: [4, 16, 64] },
	{ model: smolLm2, rounds: 3, decode: [1, 16], train: [4, 16] },
] as const;

export async function measure(): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const { model, rounds, decode, train } of plans) {
		const limits = new Limits();
		const policy = randomPolicy(model);
		for (const rows of decode)
			figures.push(...(await measureDecoding({ model, policy, rows, rounds, limits })));
		for (const rows of train)
			figures.push(...(await measureTraining({ model, policy, rows, rounds, limits })));
		policy.dispose();
		limits.dispose();
		figures.push(...(await kernelShares(model)));
		figures.push(...memoryOf(model));
	}
	return figures;
}

/** A profile slows small kernels down, so it is taken apart from the times above. */
async function kernelShares(model: RandomModel): Promise<Figure[]> {
	const rows = 16;
	const figures: Figure[] = [];
	const works = {
		decoding: (policy: Policy) => sampleOnce(model, policy, rows),
		training: (policy: Policy) => updateOnce(policy, trainSequences(model, rows)),
	};
	for (const [label, work] of Object.entries(works)) {
		const kernels = await kernelProfile(async () => {
			const policy = randomPolicy(model);
			await work(policy);
			return () => policy.dispose();
		});
		const total = [...kernels.values()].reduce((sum, ms) => sum + ms, 0);
		for (const [kernel, ms] of [...kernels].slice(0, 6)) {
			figures.push({
				name: `${model.name}, ${label} ${rows} sequences: kernel ${kernel}`,
				value: ms / total,
				unit: 'of all kernels',
				kind: 'absolute',
			});
		}
	}
	return figures;
}

/** In a process of its own, so that nothing else counts. */
function memoryOf(model: RandomModel): Figure[] {
	const script = fileURLToPath(new URL('./policy-memory.ts', import.meta.url));
	const { stdout, status } = spawnSync(process.execPath, ['--expose-gc', script, model.name], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	if (status !== 0) throw new Error(`the memory of ${model.name} could not be measured`);
	return JSON.parse(stdout) as Figure[];
}
