/** One update against the GEMM rate, counted over 6 · weights · tokens plus attention. */
import { CpuEngine } from '../src-main/policy/cpu/cpu-engine.ts';
import { trainingFlops } from './decoder-cost.ts';
import { type Figure, median } from './part.ts';
import {
	newTokens,
	promptTokens,
	rowsPerPrompt,
	trainSequences,
	updateOnce,
} from './policy-work.ts';
import type { PolicySetting } from './policy.ts';
import { Watch } from './watch.ts';

export async function measureTraining(setting: PolicySetting): Promise<Figure[]> {
	const { model, policy, rows, rounds, limits } = setting;
	const watch = new Watch();
	watch.method(CpuEngine.prototype, 'score');
	for (const name of ['gradientNorm', 'applyAdamW', 'clearGradient'])
		watch.method(CpuEngine.prototype, name, 'optimizer');
	const parts: number[] = [];
	const passes: number[] = [];
	const steps: number[] = [];
	const optimizer: number[] = [];
	const sequences = trainSequences(model, rows);
	const flops = trainingFlops(model.config, {
		groups: rows / rowsPerPrompt,
		rows: rowsPerPrompt,
		promptTokens,
		completionTokens: newTokens,
	});
	try {
		await updateOnce(policy, sequences);
		for (let round = 0; round < rounds; round++) {
			const before = limits.gemm();
			watch.reset();
			const start = performance.now();
			await updateOnce(policy, sequences);
			const step = performance.now() - start;
			const least = (flops / ((before + limits.gemm()) / 2)) * 1000;
			parts.push(least / step);
			passes.push(least / watch.get('score'));
			steps.push(step);
			optimizer.push(watch.get('optimizer') / step);
		}
	} finally {
		watch.stop();
	}
	const name = `${model.name}, training on ${rows} sequences`;
	return [
		{
			name: `${name}: part of the GEMM rate`,
			value: median(parts),
			unit: '',
			kind: 'ratio',
			...(rows >= 16 && { goal: { atLeast: 0.5 } }),
		},
		{ name: `${name}: loss and gradient alone`, value: median(passes), unit: '', kind: 'ratio' },
		{ name: `${name}: one update`, value: median(steps), unit: 'ms', kind: 'absolute' },
		{
			name: `${name}: norm, clipping and AdamW`,
			value: median(optimizer),
			unit: 'of the update',
			kind: 'absolute',
		},
	];
}
