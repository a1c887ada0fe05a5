import { describe, expect, it } from 'vitest';
import { evaluationItems } from '../../src-main/magrpo/evaluate.ts';
import type { TurnContext } from '../../src-main/tasks/task.ts';
import { FakePolicy } from '../support/fake-policy.ts';
import { fakeTask } from '../support/fake-task.ts';
import { configOf, metric, runTraining } from '../support/run-training.ts';

const base = {
	num_turns: 3,
	num_generations: 2,
	num_train_epochs: 2,
	max_new_tokens: 4,
	temperature: 1,
	early_termination_threshold: null,
	eval_interval: 2,
	eval_num_samples: 2,
};
const evalItems = ['e0', 'e1', 'e2', 'e3', 'e4'];

describe('evaluation', () => {
	it('comes before every so many batches of each epoch, and after the last update', async () => {
		const run = await runTraining(configOf(base), fakeTask({ eval: evalItems }));
		// Three steps an epoch: before the first and third of each.
		expect(run.evaluations.map(({ step }) => step)).toEqual([0, 2, 3, 5, 6]);
		expect(run.evaluations.map(({ envStep }) => envStep)).toEqual([0, 28, 42, 70, 84]);
		const compat = configOf({ ...base, compat: 'comlrl' });
		const second = await runTraining(compat, fakeTask({ eval: evalItems }));
		expect(second.evaluations.map(({ step }) => step)).toEqual([0, 2, 3, 5]);
	});

	it('does not come where it is off or has no examples', async () => {
		for (const [config, items] of [
			[{ ...base, eval_interval: 0 }, evalItems],
			[{ ...base, eval_num_samples: 0 }, evalItems],
			[base, []],
		] as const) {
			const run = await runTraining(configOf(config), fakeTask({ eval: items }));
			expect(run.evaluations).toEqual([]);
		}
	});

	it('uses the same examples each time: a seeded subset, or the first ones under compat', () => {
		const { eval: items } = fakeTask({ eval: evalItems });
		const chosen = evaluationItems(items, configOf(base), 'seeded').map(({ index }) => index);
		expect(chosen.length).toBe(2);
		expect(evaluationItems(items, configOf(base), 'seeded').map(({ index }) => index)).toEqual(
			chosen,
		);
		const seeds = Array.from({ length: 20 }, (_, seed) => configOf({ ...base, seed }));
		const subsets = seeds.map((config) =>
			evaluationItems(items, config, 'seeded').map(({ index }) => index),
		);
		expect(new Set(subsets.map(String)).size).toBeGreaterThan(3);
		expect(subsets.every(([a = 0, b = 0]) => a < b)).toBe(true);
		const none = configOf({ ...base, eval_num_samples: 0 });
		expect(evaluationItems(items, configOf(base), 'first').map(({ id }) => id)).toEqual(['0', '1']);
		// The reference evaluates one example where 0 are asked for.
		expect(evaluationItems(items, none, 'first').length).toBe(1);
		expect(evaluationItems(items, none, 'seeded')).toEqual([]);
	});

	it('goes one path per example, and neither learns nor advances the env step', async () => {
		const task = fakeTask({ eval: evalItems });
		const run = await runTraining(configOf(base), task);
		for (const { trees, envStep } of run.evaluations) {
			expect(trees.length).toBe(2);
			for (const tree of trees) {
				expect(tree.purpose).toBe('eval');
				expect(tree.nodes.map(({ turn }) => turn)).toEqual([1, 2, 3]);
				for (const node of tree.nodes) {
					expect(node.envStep).toBe(envStep);
					expect(node.agents.every(({ completions }) => completions.length === 1)).toBe(true);
				}
			}
		}
		const without = await runTraining(configOf({ ...base, eval_interval: 0 }), fakeTask());
		expect(run.steps.map(({ trees }) => trees)).toEqual(without.steps.map(({ trees }) => trees));
	});

	it('ends branches early as training does; compat goes through all turns', async () => {
		// The first of the two examples is solved at once, the second never.
		const reward = ({ item, turn }: TurnContext) => (item.index === 0 ? 0.9 : turn / 10);
		const config = { ...base, early_termination_threshold: 0.8 };
		const task = () => fakeTask({ eval: ['e0', 'e1'], reward });
		const [first] = (await runTraining(configOf(config), task())).evaluations;
		expect(metric(first, 'eval/turn_1/reward_mean')).toBeCloseTo(0.5, 12);
		expect(metric(first, 'eval/turn_3/reward_mean')).toBeCloseTo(0.3, 12);
		expect(metric(first, 'eval/turn_3/reward_leaf_mean')).toBeCloseTo(0.6, 12);
		// Undiscounted: 0.9 and 0.1 + 0.2 + 0.3.
		expect(metric(first, 'eval/turn_1/expected_return')).toBeCloseTo(0.75, 12);
		const compat = configOf({ ...config, compat: 'comlrl' });
		const [second] = (await runTraining(compat, task())).evaluations;
		expect(metric(second, 'eval/turn_3/reward_mean')).toBeCloseTo(0.6, 12);
		expect(metric(second, 'eval/turn_1/expected_return')).toBeCloseTo((2.7 + 0.6) / 2, 12);
	});

	it('may be greedy', async () => {
		const policies = () =>
			[0, 1].map(() => new FakePolicy({ logits: [0, 0, 0, 0, 0.1, 0, 0, 0, 0] }));
		const config = configOf({ ...base, eval_greedy: true, agent_learning_rate: 1e-9 });
		const run = await runTraining(config, fakeTask({ eval: evalItems }), { policies: policies() });
		const texts = run.evaluations.flatMap(({ trees }) =>
			trees.flatMap(({ nodes }) =>
				nodes.flatMap(({ agents }) =>
					agents.flatMap((turn) => turn.completions.map((c) => c.text)),
				),
			),
		);
		expect(new Set(texts)).toEqual(new Set(['cccc']));
	});

	it("adds the task's own numbers over the ends of the paths", async () => {
		const ends: TurnContext[] = [];
		const task = fakeTask({
			eval: evalItems,
			evaluate: (contexts) => {
				ends.push(...contexts);
				return { solved: contexts.length / 4 };
			},
		});
		const run = await runTraining(configOf({ ...base, num_train_epochs: 1 }), task);
		expect(metric(run.evaluations[0], 'eval/solved')).toBe(0.5);
		expect(ends[0]?.turn).toBe(3);
		expect(ends[0]?.responseHistory.map((own) => own.length)).toEqual([3, 3]);
		expect(ends[0]?.responseHistory.map((own) => own.at(-1))).toEqual(
			ends[0]?.completions.map(({ text }) => text),
		);
	});

	it('is interrupted by the signal', async () => {
		const abort = new AbortController();
		const run = await runTraining(configOf(base), fakeTask({ eval: evalItems }), {
			control: { signal: abort.signal },
			onEvent: (event) => {
				if (event.kind === 'phase' && event.phase === 'evaluating') abort.abort();
			},
		});
		expect(run.evaluations).toEqual([]);
		expect(run.events.at(-1)).toEqual({ kind: 'stopped', step: 0 });
	});
});
