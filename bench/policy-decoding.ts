/** One decoding step against the roofline: the larger of bytes / read rate and operations / GEMM rate. */
import { CpuDecoding } from '../src-main/policy/cpu/cpu-decoding.ts';
import { CpuEngine } from '../src-main/policy/cpu/cpu-engine.ts';
import { decodingCost } from './decoder-cost.ts';
import { type Figure, median } from './part.ts';
import { newTokens, promptTokens, sampleOnce } from './policy-work.ts';
import type { PolicySetting } from './policy.ts';
import { groveSmall } from './random-models.ts';
import { Watch } from './watch.ts';

export async function measureDecoding(setting: PolicySetting): Promise<Figure[]> {
	const { model, policy, rows, rounds, limits } = setting;
	const watch = new Watch();
	watch.method(CpuEngine.prototype, 'decode');
	watch.method(CpuDecoding.prototype, 'advance');
	const parts: number[] = [];
	const steps: number[] = [];
	const choosing: number[] = [];
	const { flops, bytes } = decodingCost(model.config, rows, promptTokens + newTokens / 2);
	try {
		await sampleOnce(model, policy, rows);
		for (let round = 0; round < rounds; round++) {
			const least = Math.max(flops / limits.gemm(), bytes / limits.read()) * 1000;
			watch.reset();
			const start = performance.now();
			await sampleOnce(model, policy, rows);
			// The first token comes from the prompts, which `decode` computes.
			const step = (performance.now() - start - watch.get('decode')) / (newTokens - 1);
			parts.push(least / step);
			steps.push(step);
			choosing.push(1 - watch.get('advance') / (newTokens - 1) / step);
		}
	} finally {
		watch.stop();
	}
	const name = `${model.name}, decoding ${rows} sequences`;
	return [
		{
			name: `${name}: part of the roofline`,
			value: median(parts),
			unit: '',
			kind: 'ratio',
			...(rows === 16 && { goal: { atLeast: 0.3 } }),
		},
		{
			name: `${name}: one step`,
			value: median(steps),
			unit: 'ms',
			kind: 'absolute',
			...(rows === 16 && model === groveSmall && { goal: { atMost: 2 } }),
		},
		{
			name: `${name}: choosing tokens`,
			value: median(choosing),
			unit: 'of the step',
			kind: 'absolute',
		},
	];
}
