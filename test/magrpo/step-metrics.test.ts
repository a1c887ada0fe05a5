import { describe, expect, it } from 'vitest';
import type { StepRecord } from '../../src-main/contract/events.ts';
import type { AgentCompletion, RolloutTree } from '../../src-main/contract/tree.ts';
import { completionMetrics } from '../../src-main/magrpo/agent-metrics.ts';
import { withReturns } from '../../src-main/magrpo/returns.ts';
import { throttleByKey, throttleShared } from '../../src-main/magrpo/throttle.ts';
import { turnMetrics } from '../../src-main/magrpo/turn-metrics.ts';
import { scored } from '../support/fake-task.ts';
import { fakeTask } from '../support/fake-task.ts';
import { configOf, metric, runTraining } from '../support/run-training.ts';
import { plainCompletion, type Sketch, treeOf } from '../support/tree-of.ts';

const shape = { agents: 1, generations: 2, mode: 'aligned' } as const;

function valuesOf(trees: readonly RolloutTree[], turns: number): Record<string, number> {
	const returned = trees.map((tree) => withReturns(tree, 1, 'mean'));
	return Object.fromEntries(turnMetrics(returned, turns).map(({ key, value }) => [key, value]));
}

describe('metrics of a turn', () => {
	const solved: Sketch = { rewards: [0.9, 1.0] };
	const open: Sketch = {
		rewards: [0.1, 0.3],
		children: [{ rewards: [0.2, 0.4] }, { rewards: [0.6, 0.8] }],
	};

	it('weigh nodes equally in means, and ended branches by what they stand for in leaf means', () => {
		const early = treeOf(solved, shape);
		const ended = {
			...early,
			nodes: early.nodes.map((node) => ({ ...node, ended: 'threshold' as const })),
		};
		const values = valuesOf([ended, treeOf(open, shape)], 2);
		expect(values['turn_1/reward_mean']).toBeCloseTo((0.95 + 0.2) / 2, 12);
		expect(values['turn_2/reward_mean']).toBeCloseTo(0.5, 12);
		// The solved root stands for the two nodes that would have followed: (2 · 0.95 + 0.3 + 0.7) / 4.
		expect(values['turn_2/reward_leaf_mean']).toBeCloseTo(0.725, 12);
		expect(values['turn_1/reward_leaf_mean']).toBeCloseTo(0.575, 12);
		expect(values['turn_1/ended_early']).toBe(0.5);
		expect(values['turn_2/ended_early']).toBeUndefined();
		expect(values['turn_2/nodes']).toBe(2);
		expect(values['turn_1/expected_return']).toBeCloseTo((0.95 + 0.7) / 2, 12);
	});

	it('describe the rewards of all joint completions of the turn', () => {
		const values = valuesOf([treeOf(open, shape)], 2);
		expect(values['turn_2/reward_min']).toBe(0.2);
		expect(values['turn_2/reward_max']).toBe(0.8);
		expect(values['turn_2/reward_median']).toBeCloseTo(0.5, 12);
		expect(values['turn_2/reward_q25']).toBeCloseTo(0.35, 12);
		expect(values['turn_2/reward_q75']).toBeCloseTo(0.65, 12);
		expect(values['turn_2/reward_std']).toBeCloseTo(Math.sqrt(0.05), 12);
	});

	it('take the mean of named parts over the joint completions that have them', async () => {
		const config = configOf({
			num_turns: 1,
			num_generations: 4,
			num_train_epochs: 1,
			max_new_tokens: 4,
			early_termination_threshold: null,
		});
		const reward = ({ joint }: { joint: number }) =>
			scored(joint, { parts: joint < 2 ? { 'a/b': joint } : {}, metrics: { words: 7 } });
		const run = await runTraining(config, fakeTask({ reward }));
		expect(metric(run.steps[0], 'turn_1/reward_part/a/b')).toBe(0.5);
		expect(metric(run.steps[0], 'turn_1/task/words')).toBe(7);
	});

	it('of an epoch are means over all its nodes', async () => {
		const config = configOf({
			num_generations: 2,
			num_train_epochs: 2,
			max_new_tokens: 4,
			temperature: 1,
			early_termination_threshold: null,
		});
		const run = await runTraining(config, fakeTask());
		expect(run.steps.map((step) => metric(step, 'turn_1/epoch_reward_mean') !== undefined)).toEqual(
			[false, false, true, false, false, true],
		);
		const own = run.steps.slice(3).flatMap(({ trees }) => trees.flatMap(({ nodes }) => nodes));
		for (const turn of [1, 2]) {
			const nodes = own.filter((node) => node.turn === turn);
			const mean = (values: readonly (number | null)[]) =>
				values.reduce<number>((sum, value) => sum + (value ?? NaN), 0) / values.length;
			const last = run.steps[5];
			expect(metric(last, `turn_${turn}/epoch_reward_mean`)).toBeCloseTo(
				mean(nodes.map((node) => node.rewardMean)),
				12,
			);
			expect(metric(last, `turn_${turn}/epoch_avg_return`)).toBeCloseTo(
				mean(nodes.map((node) => node.returnMean)),
				12,
			);
		}
	});
});

describe('metrics of an agent', () => {
	const completion = (length: number, finishReason: AgentCompletion['finishReason']) => ({
		...plainCompletion,
		tokenIds: Array.from({ length }, () => 2),
		logProbs: Array.from({ length }, () => -0.5),
		finishReason,
	});

	it('count lengths by what was sampled, cut or not', () => {
		const tree = treeOf({ rewards: [0, 1, 2] }, { ...shape, generations: 3 });
		const completions = [completion(2, 'eos'), completion(3, 'eos'), completion(8, 'length')];
		const trees = [
			{
				...tree,
				nodes: tree.nodes.map((node) => ({
					...node,
					agents: node.agents.map((turn) => ({ ...turn, completions })),
				})),
			},
		];
		const values = new Map(completionMetrics(trees, ['one']).map(({ key, value }) => [key, value]));
		expect(values.get('one/completion_length_min')).toBe(2);
		expect(values.get('one/completion_length_mean')).toBeCloseTo(13 / 3, 12);
		expect(values.get('one/completion_length_max')).toBe(8);
		expect(values.get('one/finish_length')).toBeCloseTo(1 / 3, 12);
		expect(values.get('one/finish_eos')).toBeCloseTo(2 / 3, 12);
		expect(values.get('one/entropy')).toBe(0.5);
	});
});

describe('thinning out', () => {
	const point = (key: string) => [{ key, value: 1 }];

	it('goes by key, so that no series starves another', () => {
		let state = { byKey: {}, shared: null };
		const kept: [string, number][] = [];
		for (const [envStep, keys] of [
			[4, ['a', 'b']],
			[8, ['a']],
			[15, ['a', 'b']],
			[24, ['a', 'c']],
		] as const) {
			const values = keys.map((key) => ({ key, value: 1 }));
			const result = throttleByKey(values, envStep, 10, state);
			state = { byKey: result.state.byKey, shared: null };
			kept.push(...result.kept.map(({ key }): [string, number] => [key, envStep]));
		}
		expect(kept).toEqual([
			['a', 4],
			['b', 4],
			['a', 15],
			['b', 15],
			['c', 24],
		]);
	});

	it('of the reference shares one counter: whole turns vanish', () => {
		// One tree a drain: the root at 4, its children at 8 to 20, then the next tree.
		let state = { byKey: {}, shared: null as number | null };
		let firstTurn = 0;
		let secondTurn = 0;
		for (let tree = 0; tree < 100; tree++) {
			const entries = [
				{ envStep: tree * 20 + 20, values: point('turn_2/reward_mean') },
				{ envStep: tree * 20 + 4, values: point('turn_1/reward_mean') },
			];
			const result = throttleShared(entries, 50, state);
			state = { byKey: {}, shared: result.state.shared };
			firstTurn += result.kept.filter(({ key }) => key.startsWith('turn_1')).length;
			secondTurn += result.kept.filter(({ key }) => key.startsWith('turn_2')).length;
		}
		expect([firstTurn, secondTurn]).toEqual([1, 33]);
	});
});

describe('warnings', () => {
	const base = {
		num_generations: 2,
		num_train_epochs: 2,
		max_new_tokens: 2,
		temperature: 1,
		early_termination_threshold: null,
	};
	const warned = (logs: readonly string[], word: string) =>
		logs.filter((text) => text.includes(word)).length;

	it('say once that most completions are cut and most groups are equal', async () => {
		const run = await runTraining(configOf(base), fakeTask({ reward: () => 0 }));
		expect(warned(run.logs, 'max_new_tokens')).toBe(1);
		expect(warned(run.logs, 'no variance')).toBe(1);
	});

	it('come at the end of a run that is shorter than the window', async () => {
		const config = configOf({ ...base, max_steps: 1 });
		const run = await runTraining(config, fakeTask({ reward: () => 0 }));
		expect(warned(run.logs, 'no variance')).toBe(1);
	});

	it('say that the threshold ends every tree at turn one', async () => {
		const config = configOf({ ...base, early_termination_threshold: -0.2 });
		const run = await runTraining(config, fakeTask({ reward: ({ joint }) => joint }));
		expect(warned(run.logs, 'early_termination_threshold (-0.2)')).toBe(1);
		expect(warned(run.logs, 'no variance')).toBe(0);
	});

	it('do not come in a healthy run', async () => {
		const config = configOf({ ...base, max_new_tokens: 60 });
		const run = await runTraining(config, fakeTask({ reward: ({ joint }) => joint }));
		expect(run.logs).toEqual([]);
	});
});

describe('speed and time', () => {
	it('are told per phase', async () => {
		const config = configOf({
			num_generations: 2,
			num_train_epochs: 1,
			max_new_tokens: 4,
			temperature: 1,
		});
		const run = await runTraining(config, fakeTask());
		const step: StepRecord | undefined = run.steps[0];
		const parts = ['generate', 'reward', 'update'].map(
			(name) => metric(step, `time/${name}`) ?? NaN,
		);
		expect(parts.every((seconds) => seconds > 0)).toBe(true);
		expect(metric(step, 'time/step')).toBeGreaterThan(parts.reduce((a, b) => a + b, 0));
		expect(metric(step, 'speed/generate_tokens_per_second')).toBeGreaterThan(0);
		expect(metric(step, 'speed/train_tokens_per_second')).toBeGreaterThan(0);
	});
});
