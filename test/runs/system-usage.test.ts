import { describe, expect, it } from 'vitest';
import { explainMetric } from '../../src-main/contract/metrics.ts';
import { SystemUsage } from '../../src-main/runs/system-usage.ts';

describe('what a trainer takes of the machine', () => {
	it('is processor and memory, each explained', () => {
		const metrics = new SystemUsage(1000, () => null).read(1100);
		expect(metrics.map(({ key }) => key)).toEqual(['system/cpu', 'system/memory']);
		for (const { key, value } of metrics) {
			expect(explainMetric(key)).toBeDefined();
			expect(value).toBeGreaterThan(0);
		}
	});

	it('is the memory of a GPU too, where there is one', () => {
		let held = 100;
		const usage = new SystemUsage(0, () => held);
		const gpu = (nowMs: number): number | undefined =>
			usage.read(nowMs).find(({ key }) => key === 'system/gpu_memory')?.value;
		expect(gpu(10)).toBe(100);
		held = 250;
		expect(gpu(20)).toBe(250);
		expect(explainMetric('system/gpu_memory')).toBeDefined();
	});

	it('has no share of the processor where the clock was set back', () => {
		const metrics = new SystemUsage(1000, () => null).read(900);
		expect(metrics.map(({ key }) => key)).toEqual(['system/memory']);
	});
});
