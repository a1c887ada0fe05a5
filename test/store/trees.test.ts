/** Rollout trees: what is read is what was recorded, and every point of a reward chart can be computed again from it. */
import { describe, expect, it } from 'vitest';
import { Random } from '../../src-main/contract/random.ts';
import type { RolloutTree } from '../../src-main/contract/tree.ts';
import { turnMetrics } from '../../src-main/magrpo/turn-metrics.ts';
import type { Store } from '../../src-main/store/index.ts';
import { type FillOptions, sampleTree, smallFill } from '../support/fill-store.ts';
import { newRun, stepOf } from '../support/new-run.ts';
import { temporaryStore } from '../support/temporary-store.ts';

function treesOf(options: FillOptions, steps: number): RolloutTree[][] {
	const random = Random.from('trees', options.jointMode);
	return Array.from({ length: steps }, (_, index) =>
		[0, 1].map((itemIndex) => {
			const place = { step: index + 1, epoch: 0, itemIndex, purpose: 'train' as const };
			return sampleTree(random, options, place, 0, index / steps);
		}),
	);
}

/** Rewards that could not be had, an early end in one branch, and a feedback that failed. */
function withGaps(tree: RolloutTree): RolloutTree {
	const [root, ...others] = tree.nodes;
	if (root === undefined) return tree;
	const joints = root.joints.map((joint, index) =>
		index === 0
			? { ...joint, reward: null, rawReward: null, rewardError: 'it threw: "no"' }
			: joint,
	);
	return { ...tree, nodes: [{ ...root, joints }, ...others] };
}

function record(store: Store, steps: readonly (readonly RolloutTree[])[], turns: number): string {
	const id = store.createRun(newRun());
	const recorder = store.recorder(id);
	for (const trees of steps) {
		recorder.record(stepOf(trees[0]?.step ?? 0, turnMetrics(trees, turns), { trees }));
	}
	return id;
}

const modes = ['aligned', 'cross'] as const;

describe.each(modes)('trees of %s joint completions', (jointMode) => {
	const options = { ...smallFill, jointMode, generations: 3, turns: 3, words: 5 };

	it('are read node by node as they were recorded', async () => {
		const store = await temporaryStore();
		const steps = treesOf(options, 2).map((trees) => trees.map(withGaps));
		const runId = record(store, steps, 3);
		for (const tree of steps.flat()) {
			for (const node of tree.nodes) {
				const view = store.treeNode({ runId, ...tree, node: node.index });
				expect(view.node).toEqual(node);
				expect(view).toMatchObject({ agentNames: ['writer', 'critic'], discount: 1 });
			}
		}
	});

	it('have an outline that says of every joint completion what the tree says', async () => {
		const store = await temporaryStore();
		const [[tree, other] = []] = treesOf(options, 1);
		if (tree === undefined || other === undefined) throw new Error();
		const runId = record(store, [[withGaps(tree), other]], 3);
		for (const own of [withGaps(tree), other]) {
			const outline = store.treeOutline({ runId, ...own });
			const joints = own.nodes.flatMap((node) => node.joints);
			const orNaN = (values: readonly (number | null)[]): Float64Array =>
				Float64Array.from(values, (value) => value ?? NaN);
			expect(outline).toMatchObject({
				nodes: own.nodes.length,
				joints: joints.length,
				title: own.title,
				jointMode,
				agentNames: ['writer', 'critic'],
				ended: own.nodes.map((node) => node.ended),
			});
			expect([...outline.turn]).toEqual(own.nodes.map((node) => node.turn));
			expect([...outline.parentNode]).toEqual(own.nodes.map((node) => node.parent?.node ?? -1));
			expect([...outline.parentJoint]).toEqual(own.nodes.map((node) => node.parent?.joint ?? -1));
			expect(outline.rewardMean).toEqual(orNaN(own.nodes.map((node) => node.rewardMean)));
			expect(outline.returnMean).toEqual(orNaN(own.nodes.map((node) => node.returnMean)));
			expect(outline.jointReward).toEqual(orNaN(joints.map((joint) => joint.reward)));
			expect(outline.jointReturn).toEqual(orNaN(joints.map((joint) => joint.return)));
			expect([...outline.jointChild]).toEqual(joints.map((joint) => joint.child ?? -1));
			for (const node of own.nodes) {
				const [start = 0, end = 0] = outline.jointStart.slice(node.index, node.index + 2);
				expect(end - start).toBe(node.joints.length);
				const advantages = node.joints.map(({ picks }) => {
					const each = picks.map(
						(pick, agent) => node.agents[agent]?.completions[pick]?.advantage ?? NaN,
					);
					return each.reduce((sum, value) => sum + value, 0) / each.length;
				});
				expect(outline.jointAdvantage.slice(start, end)).toEqual(Float64Array.from(advantages));
			}
			const rewards = joints.flatMap(({ reward }) => reward ?? []);
			expect(outline.bestReward).toBe(Math.max(...rewards));
		}
	});

	it('give the logged reward metrics again, by the SQL that is shown', async () => {
		const store = await temporaryStore();
		const steps = treesOf(options, 4);
		const runId = record(store, steps, 3);
		let compared = 0;
		for (const trees of steps) {
			const step = trees[0]?.step ?? 0;
			for (const { key, value } of turnMetrics(trees, 3)) {
				if (
					!/(reward_mean|expected_return|reward_leaf_mean|reward_min|reward_max|reward_std)$/.test(
						key,
					)
				)
					continue;
				const found = store.evidence({ runId, key, step });
				expect(found.value).toBe(value);
				expect(found.recomputed).toBeCloseTo(value, 12);
				const turn = Number(/\d+/.exec(key)?.[0]);
				const nodes = trees.flatMap((tree) => tree.nodes.filter((node) => node.turn === turn));
				expect(found.nodes).toHaveLength(nodes.length);
				expect(found.rewards).toEqual(
					nodes.flatMap((node) => node.joints.flatMap(({ reward }) => reward ?? [])),
				);
				compared++;
			}
		}
		expect(compared).toBeGreaterThan(40);
	});
});

describe('the list of trees', () => {
	it('is newest first, filtered and limited', async () => {
		const store = await temporaryStore();
		const runId = record(store, treesOf({ ...smallFill, generations: 2, turns: 1 }, 9), 1);
		const list = (params: Partial<Parameters<Store['listTrees']>[0]>): string[] =>
			store
				.listTrees({ runId, limit: 100, ...params })
				.trees.map((tree) => `${tree.step}/${tree.itemIndex}`);
		expect(list({})).toHaveLength(18);
		expect(list({ limit: 3 })).toEqual(['9/0', '9/1', '8/0']);
		expect(list({ itemIndex: 1, fromStep: 3, toStep: 5 })).toEqual(['5/1', '4/1', '3/1']);
		expect(list({ purpose: 'eval' })).toEqual([]);
	});

	it('of one example makes a film of evenly chosen steps, first and oldest first', async () => {
		const store = await temporaryStore();
		const runId = record(store, treesOf({ ...smallFill, generations: 2, turns: 1 }, 30), 1);
		const film = (limit: number): number[] =>
			store
				.treeFilm({ runId, itemIndex: 1, purpose: 'train', limit })
				.frames.map((frame) => frame.step);
		expect(film(100)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
		expect(film(10)).toHaveLength(10);
		expect(film(10)).toEqual(film(10).toSorted((a, b) => a - b));
	});
});

describe('what is not there', () => {
	it('is named', async () => {
		const store = await temporaryStore();
		const trees = treesOf({ ...smallFill, generations: 2, turns: 1 }, 1);
		const runId = record(store, trees, 1);
		const place = { step: 1, itemIndex: 0, purpose: 'train' as const };
		expect(() => store.treeOutline({ runId: 'nobody', ...place })).toThrow(/no such run/);
		expect(() => store.treeOutline({ runId, ...place, step: 2 })).toThrow(/no such tree/);
		expect(() => store.treeNode({ runId, ...place, node: 99 })).toThrow(/no such node/);
		expect(() => store.evidence({ runId, key: 'loss', step: 1 })).toThrow(
			/not computed from the rewards/,
		);
		expect(() => store.evidence({ runId, key: 'turn_1/reward_mean', step: 7 })).toThrow(
			/nothing was logged/,
		);
	});
});
