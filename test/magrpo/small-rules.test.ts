/** The rules that are one formula each: learning rate, reward processor, reference KL, statistics. */
import { describe, expect, it } from 'vitest';
import { learningRateAt } from '../../src-main/magrpo/learning-rate.ts';
import { tokenKl } from '../../src-main/magrpo/reference-kl.ts';
import { processReward } from '../../src-main/magrpo/reward-processor.ts';
import { populationStd, quantile } from '../../src-main/magrpo/statistics.ts';
import { FakePolicy } from '../support/fake-policy.ts';
import { fakeTask } from '../support/fake-task.ts';
import { configOf, metric, runTraining } from '../support/run-training.ts';

describe('learning rate', () => {
	it('rises over the warm-up, then follows its schedule to 0', () => {
		const constant = { schedule: 'constant', warmupSteps: 4 } as const;
		const warm = [0, 1, 2, 3, 4, 9].map((updates) => learningRateAt(2, constant, updates, 0.5));
		expect(warm).toEqual([0.5, 1, 1.5, 2, 2, 2]);
		const linear = { schedule: 'linear', warmupSteps: 0 } as const;
		expect([0, 0.25, 1].map((progress) => learningRateAt(2, linear, 5, progress))).toEqual([
			2, 1.5, 0,
		]);
		const cosine = { schedule: 'cosine', warmupSteps: 0 } as const;
		expect(learningRateAt(2, cosine, 5, 0)).toBe(2);
		expect(learningRateAt(2, cosine, 5, 0.5)).toBeCloseTo(1, 12);
		expect(learningRateAt(2, cosine, 5, 1)).toBeCloseTo(0, 12);
	});

	it('is each agent’s own, and logged', async () => {
		const config = configOf({
			num_generations: 4,
			num_train_epochs: 1,
			max_new_tokens: 4,
			temperature: 1,
			agents: [{ learning_rate: 0.1 }, { learning_rate: 0.3 }],
			lr_schedule: 'linear',
		});
		const run = await runTraining(config, fakeTask());
		const rates = (agent: number) =>
			run.steps.map((step) => metric(step, `agent_${agent}/learning_rate`));
		for (const [index, expected] of [0.1, 0.1 * (2 / 3), 0.1 / 3].entries()) {
			expect(rates(1)[index]).toBeCloseTo(expected, 12);
			expect(rates(2)[index]).toBeCloseTo(3 * expected, 12);
		}
	});
});

describe('reward processor', () => {
	it('scales, shifts, clips and squashes in this order', () => {
		expect(processReward(3, {})).toBe(3);
		expect(processReward(3, { scale: 2, shift: -1 })).toBe(5);
		expect(processReward(3, { scale: 2, shift: -1, clip: [0, 4] })).toBe(4);
		expect(processReward(-3, { clip: [-1, 1], sigmoid: true })).toBeCloseTo(1 / (1 + Math.E), 12);
	});

	it('is seen by nothing but the raw reward', async () => {
		const config = configOf({
			num_turns: 1,
			num_generations: 2,
			num_train_epochs: 1,
			max_new_tokens: 4,
			reward_processor: { scale: 100, shift: -50 },
			early_termination_threshold: null,
		});
		const run = await runTraining(config, fakeTask({ reward: ({ joint }) => joint }));
		const joints = run.steps[0]?.trees[0]?.nodes[0]?.joints;
		expect(joints?.map(({ rawReward, reward }) => [rawReward, reward])).toEqual([
			[0, -50],
			[1, 50],
		]);
		expect(metric(run.steps[0], 'turn_1/reward_mean')).toBe(0);
	});
});

describe('reference KL', () => {
	it('of a token is 0 for equal log-probabilities and never negative', () => {
		expect(tokenKl(-1.5, -1.5)).toEqual({ kl: 0, clipped: false });
		for (const [policy, reference] of [
			[-1, -3],
			[-3, -1],
			[-0.1, -0.2],
		] as const) {
			expect(tokenKl(policy, reference).kl).toBeGreaterThan(0);
		}
	});

	it('stays finite where policy and reference are far apart, and says so', async () => {
		for (const [policy, reference] of [
			[-120, -1],
			[-1, -120],
		] as const) {
			const { kl, clipped } = tokenKl(policy, reference);
			expect(Number.isFinite(Math.fround(kl))).toBe(true);
			expect(clipped).toBe(true);
		}
		const far = new FakePolicy();
		far.referenceLogProbs = (sequences) =>
			Promise.resolve(sequences.map((s) => s.completionTokenIds.map(() => -120)));
		const config = configOf({
			num_generations: 2,
			num_train_epochs: 1,
			max_new_tokens: 4,
			reference_kl_enabled: true,
		});
		const run = await runTraining(config, fakeTask(), { policies: [far, new FakePolicy()] });
		expect(metric(run.steps[0], 'agent_1/kl_clipped')).toBe(1);
		expect(metric(run.steps[0], 'agent_2/kl_clipped')).toBe(0);
		expect(Number.isFinite(metric(run.steps[0], 'agent_1/loss') ?? NaN)).toBe(true);
	});
});

describe('statistics', () => {
	it('of a population', () => {
		expect(populationStd([1, 3])).toBe(1);
		expect(quantile([1, 2, 4], 0.5)).toBe(2);
		expect(quantile([1, 2, 4, 8], 0.5)).toBe(3);
		expect(quantile([7], 0.25)).toBe(7);
	});
});
