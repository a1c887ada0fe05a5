import { describe, expect, it } from 'vitest';
import { explainMetric } from '../../src-main/contract/metrics.ts';
import { fullTreeSize } from '../../src-main/contract/tree.ts';
import { FakePolicy } from '../support/fake-policy.ts';
import { fakeTask } from '../support/fake-task.ts';
import { configOf, metric, runTraining } from '../support/run-training.ts';

const small = {
	num_turns: 2,
	num_generations: 2,
	num_train_epochs: 2,
	max_new_tokens: 4,
	early_termination_threshold: null,
	temperature: 1,
	agent_learning_rate: 0.05,
};

describe('train', () => {
	it('goes through every example of every epoch and ends with finished', async () => {
		const run = await runTraining(configOf(small), fakeTask());
		expect(run.error).toBeNull();
		expect(run.steps.map(({ step, epoch }) => [step, epoch])).toEqual([
			[1, 0],
			[2, 0],
			[3, 0],
			[4, 1],
			[5, 1],
			[6, 1],
		]);
		expect(run.events.at(-1)).toEqual({ kind: 'finished', step: 6 });
		const size = fullTreeSize(2, 2, 2, 'aligned');
		expect(run.steps.at(-1)?.envStep).toBe(6 * size.joints);
		expect(run.steps.at(-1)?.epochProgress).toBe(2);
	});

	it('logs only metrics that the contract explains', async () => {
		const config = configOf({ ...small, reference_kl_enabled: true, eval_interval: 1 });
		const run = await runTraining(config, fakeTask({ eval: ['x'] }));
		const keys = [...run.steps, ...run.evaluations].flatMap(({ metrics }) =>
			metrics.map(({ key }) => key),
		);
		expect(keys.filter((key) => explainMetric(key) === undefined)).toEqual([]);
		expect(keys).toContain('turn_2/reward_leaf_mean');
		expect(keys).toContain('agent_1/kl_to_start');
	});

	it('learns', async () => {
		const config = configOf({
			...small,
			num_generations: 8,
			num_train_epochs: 40,
			max_new_tokens: 8,
		});
		const policies = [new FakePolicy(), new FakePolicy()];
		const run = await runTraining(config, fakeTask(), { policies });
		const first = metric(run.steps[0], 'turn_1/reward_mean') ?? NaN;
		const last = metric(run.steps.at(-1), 'turn_1/reward_mean') ?? NaN;
		expect(last).toBeGreaterThan(first + 0.4);
		expect(metric(run.steps.at(-1), 'turn_2/reward_mean')).toBeGreaterThan(first + 0.4);
	});

	/** Two agents, four prompts, two epochs, four generations, two turns, as the reference runs it. */
	const documented = {
		compat: 'comlrl',
		num_turns: 2,
		num_generations: 4,
		num_train_epochs: 2,
		max_new_tokens: 4,
		temperature: 1,
	};

	it.each([
		['aligned', null, 160, 28],
		['cross', null, 2176, 76],
		['aligned', -0.2, 32, 4],
	])(
		'%s with threshold %s takes the env steps and optimizer steps of the closed forms',
		async (joint_mode, early_termination_threshold, envSteps, updates) => {
			const config = configOf({ ...documented, joint_mode, early_termination_threshold });
			const task = fakeTask({ train: ['a', 'b', 'c', 'd'] });
			const run = await runTraining(config, task);
			expect(run.steps.at(-1)?.envStep).toBe(envSteps);
			expect(metric(run.steps.at(-1), 'agent_1/updates')).toBe(updates);
		},
	);

	it('takes one optimizer step over all turns of a step by default', async () => {
		const config = configOf({ ...documented, compat: 'none', early_termination_threshold: null });
		const policies = [new FakePolicy(), new FakePolicy()];
		const run = await runTraining(config, fakeTask({ reward: ({ joint }) => joint }), { policies });
		expect(policies[0]?.updates.length).toBe(run.steps.length);
		// Five nodes of four completions.
		expect(policies[0]?.updates.every((sequences) => sequences.length === 20)).toBe(true);
	});
});
