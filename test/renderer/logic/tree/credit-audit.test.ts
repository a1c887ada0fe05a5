import { describe, expect, it } from 'vitest';
import type { JointCompletion, RolloutNode } from '../../../../src-main/contract/tree.ts';
import { type AuditSettings, auditNode } from '../../../../src-renderer/logic/tree/credit-audit.ts';
import { crossMatrix } from '../../../../src-renderer/logic/tree/cross-matrix.ts';
import { valueScale } from '../../../../src-renderer/logic/tree/value-scale.ts';

const settings: AuditSettings = {
	discount: 0.9,
	advantageMode: 'mean',
	normalization: false,
	klCoefficient: 0,
	compat: false,
	jointMode: 'aligned',
};

function joint(
	picks: number[],
	reward: number | null,
	returned: number | null,
	child: number | null = null,
): JointCompletion {
	return {
		picks,
		reward,
		rawReward: reward,
		rewardParts: {},
		taskMetrics: {},
		rewardError: null,
		return: returned,
		child,
	};
}

/** A node of two agents whose completions carry the given advantages. */
function node(joints: JointCompletion[], advantages: (number | null)[][]): RolloutNode {
	return {
		index: 0,
		turn: 1,
		parent: null,
		envStep: joints.length,
		joints,
		rewardMean: null,
		returnMean: null,
		ended: null,
		zeroVariance: false,
		agents: advantages.map((list) => ({
			prompt: '',
			rawPrompt: '',
			promptTokenIds: [],
			promptTokensCut: 0,
			completions: list.map((advantage) => ({
				text: '',
				tokenIds: [],
				logProbs: [],
				finishReason: 'eos',
				return: null,
				advantage,
				referenceKl: null,
			})),
		})),
	};
}

// The worked example of two agents, two generations, two turns: root rewards 0.4 and 0.8, children's mean returns 0.75 and 0.55.
const root = node(
	[joint([0, 0], 0.4, 1.075, 1), joint([1, 1], 0.8, 1.295, 2)],
	[
		[-0.11, 0.11],
		[-0.11, 0.11],
	],
);
const children = [
	[0.5, 1.0],
	[0.2, 0.9],
];

describe('the credit audit', () => {
	it('recomputes the worked example and finds nothing to flag', () => {
		const audit = auditNode(root, settings, (index) => children[index] ?? []);
		expect(audit.differences).toBe(0);
		expect(audit.joints.map((entry) => entry.recomputed)).toEqual([
			expect.closeTo(1.075, 9),
			expect.closeTo(1.295, 9),
		]);
		expect(audit.agents[0]?.map((entry) => [entry.recomputed, entry.push])).toEqual([
			[expect.closeTo(-0.11, 9), 'down'],
			[expect.closeTo(0.11, 9), 'up'],
		]);
	});

	it('flags a stored value that is not what the rewards give', () => {
		const wrong = node(
			[joint([0, 0], 0.4, 1.08, 1), joint([1, 1], 0.8, 1.295, 2)],
			[
				[-0.11, 0.11],
				[-0.2, 0.11],
			],
		);
		const audit = auditNode(wrong, settings, (index) => children[index] ?? []);
		expect(audit.joints.map((entry) => entry.differs)).toEqual([true, false]);
		expect(audit.agents[1]?.map((entry) => entry.differs)).toEqual([true, false]);
		expect(audit.differences).toBe(2);
	});

	it.each([
		['max', [-0.22, 0]],
		['rloo', [-0.22, 0.22]],
		['raw', [1.075, 1.295]],
	] as const)('knows the mode %s', (advantageMode, expected) => {
		const audit = auditNode(root, { ...settings, advantageMode }, (index) => children[index] ?? []);
		expect(audit.agents[0]?.map((entry) => (entry.effective ?? 0) - (entry.baseline ?? 0))).toEqual(
			expected.map((value) => expect.closeTo(value, 9) as number),
		);
	});

	it('normalises by the population deviation, three generations', () => {
		const three = node(
			[joint([0, 0], 1, 1), joint([1, 1], 2, 2), joint([2, 2], 4, 4)],
			[[-1.069045, -0.267261, 1.336306]],
		);
		expect(auditNode(three, { ...settings, normalization: true }, () => []).differences).toBe(0);
	});

	it('credits cross returns by mean, or by sum in the compat profile', () => {
		const rewards = [0.55, 1.2975, 0.525, 1.575];
		const joints = rewards.map((reward, index) => joint([index >> 1, index & 1], reward, reward));
		const credited = (compat: boolean): (number | null)[] =>
			auditNode(
				node(joints, [
					[0, 0],
					[0, 0],
				]),
				{ ...settings, jointMode: 'cross', compat },
				() => [],
			)
				.agents.flat()
				.map((entry) => entry.credited);
		expect(credited(true)).toEqual(
			[1.8475, 2.1, 1.075, 2.8725].map((value) => expect.closeTo(value, 9) as number),
		);
		expect(credited(false)).toEqual(
			[0.92375, 1.05, 0.5375, 1.43625].map((value) => expect.closeTo(value, 9) as number),
		);
	});

	it('leaves what was not scored out, and a frozen agent unjudged', () => {
		const audit = auditNode(
			node(
				[joint([0, 0], null, null), joint([1, 1], 1, 1), joint([2, 2], 3, 3)],
				[
					[null, -1, 1],
					[null, null, null],
				],
			),
			settings,
			() => [],
		);
		expect(audit.differences).toBe(0);
		expect(audit.agents[0]?.[0]).toMatchObject({ credited: null, recomputed: null });
	});
});

describe('the cross matrix', () => {
	const joints = [0.1, 0.6, 0.3, 0.9].map((reward, index) =>
		joint([index >> 1, index & 1], reward, reward),
	);

	it('has the means of rows and columns, the best cell, and whose answer made the score', () => {
		const matrix = crossMatrix(joints, 0, 1);
		expect(matrix.cells).toEqual([
			[0.1, 0.6],
			[0.3, 0.9],
		]);
		expect(matrix.rowMeans).toEqual([expect.closeTo(0.35, 9), expect.closeTo(0.6, 9)]);
		expect(matrix.columnMeans).toEqual([expect.closeTo(0.2, 9), expect.closeTo(0.75, 9)]);
		expect(matrix.best).toEqual({ row: 1, column: 1 });
		expect(matrix.joints).toEqual([
			[0, 1],
			[2, 3],
		]);
		const explained = matrix.explained;
		expect(
			(explained?.row ?? 0) + (explained?.column ?? 0) + (explained?.interplay ?? 0),
		).toBeCloseTo(1, 9);
		expect(explained?.column).toBeGreaterThan(explained?.row ?? 1);
	});

	it('marks rows in which the other answer makes no difference, and survives missing cells', () => {
		const flat = [0.5, 0.5, 0.1, null].map((reward, index) =>
			joint([index >> 1, index & 1], reward, reward),
		);
		const matrix = crossMatrix(flat, 0, 1);
		expect(matrix.deadRows).toEqual([true, false]);
		expect(matrix.explained).toBeNull();
	});
});

describe('the value scale', () => {
	it('spans the finite values, centres advantages on 0, and leaves the unscored without colour', () => {
		const rewards = valueScale([0, 1, Number.NaN, Infinity], 'sequential');
		expect([rewards.low, rewards.high, rewards.colour(null)]).toEqual([0, 1, null]);
		expect(rewards.colour(0)).not.toBe(rewards.colour(1));
		const advantages = valueScale([-0.5, 2], 'diverging');
		expect([advantages.low, advantages.high]).toEqual([-2, 2]);
		expect(valueScale([], 'sequential').colour(3)).toBe(valueScale([3], 'sequential').colour(3));
	});
});
