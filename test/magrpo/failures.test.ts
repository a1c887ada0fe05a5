/** What a run does when the task, a model or the numbers fail. */
import { describe, expect, it } from 'vitest';
import { GroveError } from '../../src-main/contract/errors.ts';
import type { RewardOutcome, TurnContext } from '../../src-main/tasks/task.ts';
import { FakePolicy } from '../support/fake-policy.ts';
import { fakeTask } from '../support/fake-task.ts';
import { configOf, metric, runTraining, type TrainingRun } from '../support/run-training.ts';

const small = {
	num_turns: 2,
	num_generations: 4,
	num_train_epochs: 1,
	max_new_tokens: 4,
	temperature: 1,
	early_termination_threshold: null,
	agent_learning_rate: 0.01,
};

function failure(run: TrainingRun): GroveError {
	if (run.error instanceof GroveError) return run.error;
	throw new Error('the run did not fail as expected', { cause: run.error });
}

/** A bad reward for one joint completion of the second turn of the second example. */
function oneBad(bad: number | RewardOutcome) {
	return ({ item, turn, joint }: TurnContext) =>
		item.index === 1 && turn === 2 && joint === 2 ? bad : (joint + item.index) / 4;
}

describe('a reward that is no number', () => {
	it.each([
		['NaN', NaN, 'NaN'],
		['infinity', Infinity, 'Infinity'],
		['minus infinity', -Infinity, '-Infinity'],
		['a number beyond single precision', 1.7976931348623157e308, 'at most 1000000000000000000'],
		['an error', { kind: 'error', message: 'returned "high" (text)' } as const, '"high"'],
		[
			'a wrong count',
			{ kind: 'error', message: 'returned 3 values, expected 1' } as const,
			'3 values',
		],
	])('%s ends the run with its whole address', async (_, bad, shown) => {
		const run = await runTraining(configOf(small), fakeTask({ reward: oneBad(bad) }));
		const error = failure(run);
		expect(error.kind).toBe('task');
		expect(error.message).toContain(shown);
		for (const part of [
			'task fake',
			'example 1',
			'"second"',
			'turn 2',
			'joint completion 2',
			'step 2',
		]) {
			expect(error.message).toContain(part);
		}
		expect(error.message).toContain('on_reward_error');
		// The first step was whole before; nothing of the second is told.
		expect(run.steps.map(({ step }) => step)).toEqual([1]);
	});

	it('may be skipped: left out of mean, deviation and count', async () => {
		const config = configOf({ ...small, on_reward_error: 'skip' });
		const run = await runTraining(config, fakeTask({ reward: oneBad(NaN) }));
		expect(run.error).toBeNull();
		expect(run.steps.length).toBe(3);
		const node = run.steps[1]?.trees[0]?.nodes.find(({ turn }) => turn === 2);
		expect(node?.joints.map(({ reward }) => reward)).toEqual([0.25, 0.5, null, 1]);
		expect(node?.rewardMean).toBeCloseTo(1.75 / 3, 12);
		expect(node?.joints[2]?.rewardError).toContain('NaN');
		const advantages = node?.agents[0]?.completions.map(({ advantage }) => advantage) ?? [];
		expect(advantages[2]).toBeNull();
		const known = advantages.filter((a) => a !== null);
		expect(known.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 12);
		expect(Math.hypot(...known) / Math.sqrt(3)).toBeCloseTo(1, 12);
		expect(metric(run.steps[1], 'turn_2/reward_errors')).toBe(4);
		expect(run.logs.filter((text) => text.includes('joint completion 2')).length).toBe(4);
	});

	it('may count as 0, before the processor', async () => {
		const config = configOf({
			...small,
			on_reward_error: 'zero',
			reward_processor: { shift: -2 },
		});
		const run = await runTraining(config, fakeTask({ reward: oneBad(NaN) }));
		const node = run.steps[1]?.trees[0]?.nodes.find(({ turn }) => turn === 2);
		expect(node?.joints.map(({ reward }) => reward)).toEqual([-1.75, -1.5, -2, -1]);
		expect(node?.joints[2]?.rewardError).toContain('NaN');
	});

	it('everywhere leaves nothing to learn, and nothing that is not finite', async () => {
		const config = configOf({ ...small, on_reward_error: 'skip', reference_kl_enabled: true });
		const policies = [new FakePolicy(), new FakePolicy()];
		const run = await runTraining(config, fakeTask({ reward: () => NaN }), { policies });
		expect(run.error).toBeNull();
		expect(policies.flatMap(({ updates }) => updates)).toEqual([]);
		const root = run.steps[0]?.trees[0]?.nodes[0];
		expect([root?.rewardMean, root?.returnMean, root?.ended]).toEqual([null, null, 'error']);
		for (const { metrics } of run.steps) {
			expect(metrics.every(({ value }) => Number.isFinite(value))).toBe(true);
		}
	});

	it('for all but one of a group: the one left has advantage 0', async () => {
		const config = configOf({ ...small, num_turns: 1, on_reward_error: 'skip' });
		const reward = ({ joint }: TurnContext) => (joint === 3 ? 0.7 : NaN);
		const run = await runTraining(config, fakeTask({ reward }));
		const completions = run.steps[0]?.trees[0]?.nodes[0]?.agents[0]?.completions;
		expect(completions?.map(({ advantage }) => advantage)).toEqual([null, null, null, 0]);
	});

	it('after the processor is one too', async () => {
		const config = configOf({ ...small, reward_processor: { scale: 1e30 } });
		const run = await runTraining(config, fakeTask({ reward: () => 1 }));
		expect(failure(run).message).toContain('1e+30');
	});

	it('of a huge size is fine where the processor clips it', async () => {
		const config = configOf({ ...small, reward_processor: { clip: [0, 1] } });
		const run = await runTraining(config, fakeTask({ reward: () => 1e300 }));
		expect(run.error).toBeNull();
		expect(metric(run.steps[0], 'turn_1/reward_mean')).toBe(1);
	});

	it('in the wrong number from the task as a whole names both counts', async () => {
		const task = fakeTask();
		const broken = { ...task, rewards: () => Promise.resolve([]) };
		const error = failure(await runTraining(configOf(small), broken));
		expect(error.message).toMatch(/expected: 12|expected: 4/);
		expect(error.message).toMatch(/given: +0/);
	});
});

describe('feedback that fails', () => {
	const bad = (context: TurnContext) =>
		context.joint === 1 && context.item.index === 0
			? ({ kind: 'error', message: 'no idea' } as const)
			: ['next', 'next'];

	it('ends the run with its address', async () => {
		const error = failure(await runTraining(configOf(small), fakeTask({ feedback: bad })));
		for (const part of ['no idea', 'example 0', 'turn 1', 'joint completion 1', 'step 1']) {
			expect(error.message).toContain(part);
		}
	});

	it('of the wrong count is told so', async () => {
		const task = fakeTask({ feedback: () => ['one', 'two', 'three'] });
		expect(failure(await runTraining(configOf(small), task)).message).toContain(
			'feedback gave 3 prompts, expected 2',
		);
	});

	it('may be skipped: that joint completion has no known return', async () => {
		const config = configOf({ ...small, on_prompt_error: 'skip' });
		const run = await runTraining(config, fakeTask({ feedback: bad }));
		expect(run.error).toBeNull();
		const tree = run.steps[0]?.trees[0];
		const root = tree?.nodes[0];
		expect(root?.joints.map(({ child }) => child)).toEqual([1, null, 2, 3]);
		expect(root?.joints[1]?.feedbackError).toBe('no idea');
		expect(root?.joints[1]?.return).toBeNull();
		expect(root?.agents[0]?.completions[1]?.advantage).toBeNull();
		expect(run.steps[1]?.trees[0]?.nodes.length).toBe(5);
	});
});

describe('an example that cannot be rolled out', () => {
	const prompts = (item: { index: number; prompt: string }) =>
		item.index === 1 ? ['only one'] : [item.prompt, item.prompt];

	it('ends the run with its address', async () => {
		const error = failure(await runTraining(configOf(small), fakeTask({ prompts })));
		expect(error.kind).toBe('task');
		for (const part of ['example 1', '"second"', 'expected: 2', 'given:    1']) {
			expect(error.message).toContain(part);
		}
	});

	it('may be skipped and is counted', async () => {
		const config = configOf({ ...small, on_prompt_error: 'skip' });
		const run = await runTraining(config, fakeTask({ prompts }));
		expect(run.error).toBeNull();
		expect(run.steps.map(({ trees }) => trees.length)).toEqual([1, 0, 1]);
		expect(run.steps.map((step) => metric(step, 'prompts_skipped'))).toEqual([0, 1, 1]);
		expect(run.logs.some((text) => text.includes('example 1'))).toBe(true);
	});

	it('because a model refuses the prompt: the others of the batch have the same texts', async () => {
		const config = configOf({ ...small, on_prompt_error: 'skip', prompts_per_step: 3 });
		const policies = () => [new FakePolicy({ refuses: 'second' }), new FakePolicy()];
		const run = await runTraining(config, fakeTask(), { policies: policies() });
		const whole = await runTraining(config, fakeTask());
		expect(run.steps[0]?.trees.map(({ itemIndex }) => itemIndex)).toEqual([0, 2]);
		const texts = (result: TrainingRun, item: number) =>
			result.steps[0]?.trees
				.find(({ itemIndex }) => itemIndex === item)
				?.nodes.map(({ agents }) => agents.map((turn) => turn.completions.map((c) => c.text)));
		expect(texts(run, 0)).toEqual(texts(whole, 0));
		expect(texts(run, 2)).toEqual(texts(whole, 2));
		const failing = await runTraining(configOf(small), fakeTask(), { policies: policies() });
		expect(failure(failing).message).toContain('example 1');
		expect(failure(failing).message).toContain('agent_1');
	});

	it('because a model refuses the feedback ends only that branch', async () => {
		const config = configOf({ ...small, on_prompt_error: 'skip' });
		const feedback = ({ joint }: TurnContext) => [joint === 2 ? 'too long' : 'next', 'next'];
		const policies = [new FakePolicy({ refuses: 'too long' }), new FakePolicy()];
		const run = await runTraining(config, fakeTask({ feedback }), { policies });
		const root = run.steps[0]?.trees[0]?.nodes[0];
		expect(root?.joints.map(({ child }) => child)).toEqual([1, 2, null, 3]);
		expect(root?.joints[2]?.return).toBeNull();
	});

	it('in the whole epoch ends the run: it would learn nothing', async () => {
		const config = configOf({ ...small, on_prompt_error: 'skip' });
		const run = await runTraining(config, fakeTask({ prompts: () => [] }));
		expect(failure(run).message).toContain('not one example could be rolled out');
		expect(run.steps.length).toBe(3);
	});
});

describe('no examples at all', () => {
	it('is refused in a sentence', async () => {
		const error = failure(await runTraining(configOf(small), fakeTask({ train: [] })));
		expect(error.kind).toBe('bad-input');
		expect(error.message).toContain('no training examples');
	});
});

describe('updates that are not finite', () => {
	it('are skipped and counted; a good one starts the count anew', async () => {
		const flaky = new FakePolicy({ isNotFinite: (update) => update % 2 === 0 });
		const config = configOf({ ...small, num_train_epochs: 2, max_bad_updates: 2 });
		const run = await runTraining(config, fakeTask(), { policies: [flaky, new FakePolicy()] });
		expect(run.error).toBeNull();
		expect(run.steps.map((step) => metric(step, 'agent_1/updates'))).toEqual([0, 1, 1, 2, 2, 3]);
		expect(metric(run.steps.at(-1), 'agent_1/updates_skipped')).toBe(3);
		expect(metric(run.steps[0], 'agent_1/loss')).toBeNaN();
		expect(run.logs.filter((text) => text.startsWith('agent_1: update skipped')).length).toBe(3);
	});

	it('end the run after the set number in a row, with the step kept', async () => {
		const config = configOf({ ...small, max_bad_updates: 2 });
		const policies = [new FakePolicy(), new FakePolicy({ isNotFinite: (update) => update >= 1 })];
		const before: number[][] = [];
		const run = await runTraining(config, fakeTask(), {
			policies,
			onState: () => {
				before.push([...(policies[1]?.logits ?? [])]);
				return Promise.resolve();
			},
		});
		const error = failure(run);
		expect(error.kind).toBe('diverged');
		expect(error.message).toContain('step 3');
		expect(error.message).toContain('agent_2');
		expect(run.steps.map(({ step }) => step)).toEqual([1, 2, 3]);
		expect(run.states.map(({ step }) => step)).toEqual([0, 1, 2]);
		expect(policies[1]?.logits).toEqual(before[1]);
	});
});

describe('equal rewards', () => {
	it('change nothing by default; the compat profile steps anyway', async () => {
		for (const [compat, moved] of [
			['none', false],
			['comlrl', true],
		] as const) {
			const config = configOf({ ...small, compat });
			const policies = [0, 1].map(() => new FakePolicy({ logits: [1, 0, 0, 0, 0, 0, 0, 0, 0] }));
			const run = await runTraining(config, fakeTask({ reward: () => 1 }), { policies });
			expect(run.error).toBeNull();
			expect(policies[0]?.logits[0] !== 1).toBe(moved);
			expect(metric(run.steps[0], 'turn_1/zero_variance')).toBe(1);
			expect((metric(run.steps[2], 'agent_1/updates') ?? 0) > 0).toBe(moved);
		}
	});

	it('with parts that cancel: the parts vary, the advantages are 0', async () => {
		const config = configOf({ ...small, num_turns: 1 });
		const reward = ({ joint }: TurnContext): RewardOutcome => {
			const content = joint % 2 === 0 ? 3 : -3;
			return {
				kind: 'scored',
				total: 0,
				parts: { content, format: -content },
				metrics: {},
				done: false,
			};
		};
		const run = await runTraining(config, fakeTask({ reward }));
		expect(metric(run.steps[0], 'turn_1/zero_variance')).toBe(1);
		expect(metric(run.steps[0], 'turn_1/reward_part/content')).toBe(0);
		expect(metric(run.steps[0], 'agent_1/advantage_std')).toBe(0);
	});

	it('with a reference KL are moved by it alone', async () => {
		const config = configOf({ ...small, num_train_epochs: 4, reference_kl_enabled: true });
		// Away from its start in the first epoch, then only the KL is left to pull.
		const reward = ({ joint, step }: TurnContext) => (step <= 3 ? joint : 1);
		const run = await runTraining(config, fakeTask({ reward }));
		expect(metric(run.steps[0], 'turn_1/reference_kl_mean')).toBeCloseTo(0, 12);
		expect(metric(run.steps[5], 'turn_1/reference_kl_mean')).toBeGreaterThan(0);
		expect(metric(run.steps[5], 'turn_1/zero_variance')).toBeLessThan(1);
		expect(metric(run.steps[5], 'agent_1/grad_norm')).toBeGreaterThan(0);
	});
});

describe('frozen agents', () => {
	it('are sampled and never updated', async () => {
		const config = configOf({ ...small, agents: [{ frozen: true }, {}] });
		const policies = [new FakePolicy(), new FakePolicy()];
		const run = await runTraining(config, fakeTask(), { policies });
		expect(policies[0]?.updates).toEqual([]);
		expect(policies[0]?.sampledBatches.length).toBeGreaterThan(0);
		expect(policies[1]?.updates.length).toBe(3);
		expect(metric(run.steps[0], 'agent_1/grad_norm')).toBeUndefined();
		expect(metric(run.steps[0], 'agent_2/grad_norm')).toBeGreaterThan(0);
	});
});

describe('an answer without text', () => {
	it('counts in its group like any other, and its end token is what is learnt', async () => {
		const config = configOf({ ...small, num_turns: 1, num_generations: 8, max_new_tokens: 8 });
		const reward = ({ completions }: TurnContext) =>
			completions.every(({ text }) => text === '') ? 100 : 1;
		const policies = [0, 1].map(() => new FakePolicy({ logits: [1, 0, 0, 0, 0, 0, 0, 0, 0] }));
		const run = await runTraining(config, fakeTask({ reward }), { policies });
		const completions = run.steps.flatMap(({ trees }) =>
			trees.flatMap(({ nodes }) => nodes.flatMap(({ agents }) => agents[0]?.completions ?? [])),
		);
		expect(completions.some(({ text, tokenIds }) => text === '' && tokenIds.length === 1)).toBe(
			true,
		);
		expect(completions.every(({ advantage }) => Number.isFinite(advantage))).toBe(true);
	});
});
