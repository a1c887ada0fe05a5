import { describe, expect, test } from 'vitest';
import type { TreeOutline, TreeSummary } from '../../../../src-main/contract/requests.ts';
import { alignTrees, pairTrees } from '../../../../src-renderer/logic/tree/align-trees.ts';

const summary: TreeSummary = {
	runId: 'r',
	step: 1,
	itemIndex: 0,
	itemId: '0',
	purpose: 'train',
	epoch: 0,
	envStep: 4,
	title: 'A prompt',
	nodes: 1,
	joints: 2,
	rewardByTurn: [0.5],
	bestReward: 1,
	zeroVarianceShare: 0,
};

/** [parent, joint, mean reward] of every node. */
function outlineOf(nodes: readonly (readonly [number, number, number])[]): TreeOutline {
	const turns: number[] = [];
	for (const [parent] of nodes) turns.push(parent < 0 ? 1 : (turns[parent] ?? 0) + 1);
	return {
		...summary,
		agentNames: ['a', 'b'],
		jointMode: 'aligned',
		turn: Int32Array.from(turns),
		parentNode: Int32Array.from(nodes, ([parent]) => parent),
		parentJoint: Int32Array.from(nodes, ([, joint]) => joint),
		envSteps: new Float64Array(nodes.length),
		rewardMean: Float64Array.from(nodes, ([, , reward]) => reward),
		returnMean: new Float64Array(nodes.length),
		ended: nodes.map(() => null),
		zeroVariance: new Uint8Array(nodes.length),
		jointStart: new Int32Array(nodes.length + 1),
		jointReward: new Float64Array(),
		jointReturn: new Float64Array(),
		jointAdvantage: new Float64Array(),
		jointChild: new Int32Array(),
	};
}

describe('two trees', () => {
	test('are matched by path, also where one ended earlier', () => {
		const a = outlineOf([
			[-1, -1, 0.5],
			[0, 0, 0.6],
			[1, 1, 0.7],
			[0, 1, NaN],
		]);
		const b = outlineOf([
			[-1, -1, 0.4],
			[0, 1, 0.9],
			[0, 2, 0.3],
		]);
		expect(alignTrees(a, b)).toEqual([
			{ path: [], turn: 1, a: 0, b: 0, rewardA: 0.5, rewardB: 0.4 },
			{ path: [0], turn: 2, a: 1, b: null, rewardA: 0.6, rewardB: null },
			{ path: [0, 1], turn: 3, a: 2, b: null, rewardA: 0.7, rewardB: null },
			{ path: [1], turn: 2, a: 3, b: 1, rewardA: null, rewardB: 0.9 },
			{ path: [2], turn: 2, a: null, b: 2, rewardA: null, rewardB: 0.3 },
		]);
	});

	test('of the same prompt and step are paired, the largest change first', () => {
		const of = (step: number, title: string, rewardByTurn: (number | null)[]): TreeSummary => ({
			...summary,
			step,
			title,
			rewardByTurn,
		});
		const pairs = pairTrees(
			[of(1, 'x', [0.5, 0.5]), of(2, 'x', [0.1, 0.9]), of(3, 'x', [0.2]), of(4, 'other', [1])],
			[of(1, 'x', [0.5, 0.6]), of(2, 'x', [0.3, 0.1]), of(3, 'x', [0.2, 0.8]), of(4, 'x', [0])],
		);
		expect(pairs.map(({ a, change }) => [a.step, change])).toEqual([
			[2, -0.8],
			[1, 0.6 - 0.5],
			[3, 0],
		]);
	});
});
