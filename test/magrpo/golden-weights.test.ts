/**
 * The weights after the reference's updates, against ours: the recorded completions are replayed, the learning is
 * done by the real decoder on the CPU, and the saved folders are compared tensor by tensor.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunConfig } from '../../src-main/contract/config.ts';
import { loadPolicy } from '../../src-main/policy/load-policy.ts';
import type { Policy } from '../../src-main/policy/policy.ts';
import { readSafetensors } from '../../src-main/policy/safetensors.ts';
import {
	goldenConfig,
	goldenFolder,
	GoldenPolicy,
	goldenTask,
	readGolden,
} from '../support/golden-run.ts';
import { runTraining } from '../support/run-training.ts';

const folder = mkdtempSync(join(tmpdir(), 'grove-golden-'));
afterAll(() => rmSync(folder, { recursive: true }));

function learner(config: RunConfig): Promise<Policy> {
	return loadPolicy({
		model: join(goldenFolder, 'model'),
		revision: null,
		keepReference: false,
		prompts: config,
		onProgress: () => undefined,
	});
}

describe.each(['aligned', 'cross-kl'])('the reference, %s, with a real model', (name) => {
	const golden = readGolden(name);
	const config = goldenConfig(golden);

	it('gives the recorded completions the same log-probabilities before any update', async () => {
		const policy = await learner(config);
		const root = `agent 0, write ${golden.items[0] ?? ''}.`;
		const answer = golden.prompts[JSON.stringify([0, root])]?.[0];
		const sequences = (answer?.completions ?? []).map(({ tokenIds }) => ({
			promptTokenIds: answer?.promptTokenIds ?? [],
			completionTokenIds: tokenIds,
			scoredTokens: tokenIds.length,
			coefficient: 0,
		}));
		const ours = await policy.logProbs(sequences);
		expect(ours.length).toBe(config.num_generations);
		for (const [k, logProbs] of ours.entries()) {
			const theirs = answer?.completions[k]?.logProbs ?? [];
			expect(logProbs.length).toBe(theirs.length);
			for (const [t, value] of theirs.entries()) expect(logProbs[t]).toBeCloseTo(value, 4);
		}
		policy.dispose();
	});

	it('ends with the same weights', async () => {
		const learners = await Promise.all(
			Array.from({ length: config.num_agents }, () => learner(config)),
		);
		const policies = learners.map((policy, agent) => new GoldenPolicy(golden, agent, policy));
		const run = await runTraining(config, goldenTask(golden), { policies });
		expect(run.error).toBeNull();
		const before = await readSafetensors(join(goldenFolder, 'model/model.safetensors'));
		for (const [index, policy] of learners.entries()) {
			const target = join(folder, `${name}-${index}`);
			await policy.save(target);
			const ours = await readSafetensors(join(target, 'model.safetensors'));
			const theirs = await readSafetensors(
				join(goldenFolder, `${name}-agent_${index + 1}.safetensors`),
			);
			let moved = 0;
			let apart = 0;
			for (const [tensor, { data }] of theirs) {
				for (const [at, value] of data.entries()) {
					moved = Math.max(moved, Math.abs(value - (before.get(tensor)?.data[at] ?? NaN)));
					apart = Math.max(apart, Math.abs(value - (ours.get(tensor)?.data[at] ?? NaN)));
				}
			}
			// AdamW divides by the size of a gradient, so rounding of the smallest ones shows most.
			expect(moved).toBeGreaterThan(4e-3);
			expect(apart).toBeLessThan(5e-6);
			policy.dispose();
		}
	});
});
