import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withReturns } from '../../src-main/magrpo/returns.ts';
import { anyTree } from '../support/random-sketch.ts';
import { type Sketch, treeOf } from '../support/tree-of.ts';

/** The definition, word for word, on the sketch: recursive where the trainer goes backwards through a list. */
function naiveReturns(sketch: Sketch, discount: number): (number | null)[] {
	return sketch.rewards.map((reward, joint) => {
		if (reward === null) return null;
		const child = sketch.children?.[joint];
		if (child == null) return reward;
		const following = naiveReturns(child, discount).filter((value) => value !== null);
		if (following.length === 0) return null;
		let total = 0;
		for (const value of following) total += value;
		return reward + (discount * total) / following.length;
	});
}

/** Which completion of an agent a joint index holds: the digits of the index in base G. */
function pickOf(joint: number, agent: number, agents: number, generations: number): number {
	return Math.floor(joint / generations ** (agents - 1 - agent)) % generations;
}

describe('returns', () => {
	it('equal the definition on any tree', () => {
		fc.assert(
			fc.property(anyTree(), ({ shape, root, discount }) => {
				const tree = withReturns(treeOf(root, shape), discount, 'mean');
				const ours = tree.nodes[0]?.joints.map((joint) => joint.return) ?? [];
				const theirs = naiveReturns(root, discount);
				expect(ours.map((value) => value === null)).toEqual(theirs.map((value) => value === null));
				for (const [j, value] of theirs.entries()) {
					if (value !== null) expect(ours[j]).toBeCloseTo(value, 9);
				}
			}),
		);
	});

	it('of a completion are the mean or sum over the tuples that it takes part in', () => {
		fc.assert(
			fc.property(anyTree(true), ({ shape, root, discount }) => {
				const joints = naiveReturns(root, discount);
				// A tree of which all is scored has no unknown return at the root.
				for (const credit of ['mean', 'sum'] as const) {
					const tree = withReturns(treeOf(root, shape), discount, credit);
					for (const [agent, turn] of (tree.nodes[0]?.agents ?? []).entries()) {
						for (const [k, completion] of turn.completions.entries()) {
							const own = joints.filter((_, joint) =>
								shape.mode === 'aligned'
									? joint === k
									: pickOf(joint, agent, shape.agents, shape.generations) === k,
							);
							const sum = own.reduce<number>((total, value) => total + (value ?? NaN), 0);
							const expected = credit === 'sum' && shape.mode === 'cross' ? sum : sum / own.length;
							expect(completion.return).toBeCloseTo(expected, 9);
						}
					}
				}
			}),
		);
	});

	it('permute with the siblings', () => {
		fc.assert(
			fc.property(anyTree(), fc.nat(), ({ root, discount, shape }, turnBy) => {
				const aligned = { ...shape, mode: 'aligned' as const };
				const count = shape.generations;
				const order = Array.from({ length: count }, (_, j) => (j + turnBy) % count);
				const permuted: Sketch = {
					rewards: order.map((j) => root.rewards[j] ?? null),
					children: order.map((j) => cut(root.children?.[j] ?? null, count)),
				};
				const plain: Sketch = {
					rewards: root.rewards.slice(0, count),
					children: order.map((_, j) => cut(root.children?.[j] ?? null, count)),
				};
				const returnsOf = (sketch: Sketch) =>
					withReturns(treeOf(sketch, aligned), discount, 'mean').nodes[0]?.joints.map(
						(joint) => joint.return,
					) ?? [];
				const before = returnsOf(plain);
				expect(returnsOf(permuted)).toEqual(order.map((j) => before[j]));
			}),
		);
	});

	it('leave out what is unknown instead of counting it as 0', () => {
		const shape = { agents: 2, generations: 2, mode: 'cross' } as const;
		const tree = treeOf({ rewards: [1, null, 3, 5] }, shape);
		for (const [credit, first] of [
			['mean', [1, 4]],
			['sum', [2, 8]],
		] as const) {
			const [node] = withReturns(tree, 1, credit).nodes;
			expect(node?.agents[0]?.completions.map((c) => c.return)).toEqual(first);
			expect(node?.returnMean).toBe(3);
		}
		const unscored = treeOf({ rewards: [null, null] }, { ...shape, mode: 'aligned' });
		expect(withReturns(unscored, 1, 'mean').nodes[0]?.returnMean).toBeNull();
	});

	it('are unknown where feedback failed, since what would have followed is', () => {
		const tree = treeOf({ rewards: [1, 2] }, { agents: 1, generations: 2, mode: 'aligned' });
		const failed = {
			...tree,
			nodes: tree.nodes.map((node) => ({
				...node,
				joints: node.joints.map((joint, j) =>
					j === 0 ? { ...joint, feedbackError: 'no answer' } : joint,
				),
			})),
		};
		const returns = withReturns(failed, 1, 'mean').nodes[0]?.joints.map((joint) => joint.return);
		expect(returns).toEqual([null, 2]);
	});
});

function cut(sketch: Sketch | null, count: number): Sketch | null {
	if (sketch === null) return null;
	return {
		rewards: sketch.rewards.slice(0, count),
		...(sketch.children === undefined
			? {}
			: { children: sketch.children.slice(0, count).map((child) => cut(child, count)) }),
	};
}
