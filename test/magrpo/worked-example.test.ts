/**
 * The worked examples of the algorithm's description, all numbers to 1e-6, through both profiles: two agents,
 * two generations, two turns, aligned and cross, discounts 0.9 and 1.
 */
import { describe, expect, it } from 'vitest';
import { advantagesOf } from '../../src-main/magrpo/advantages.ts';
import { batchesOf, fillBuffer, groupDrain } from '../../src-main/magrpo/buffer.ts';
import { drainEntry } from '../../src-main/magrpo/drain-metrics.ts';
import { type NodeSample, nodeSamples } from '../../src-main/magrpo/node-samples.ts';
import { tokenKl } from '../../src-main/magrpo/reference-kl.ts';
import { withReturns } from '../../src-main/magrpo/returns.ts';
import { trainSequences } from '../../src-main/magrpo/train-sequences.ts';
import { withAdvantages } from '../../src-main/magrpo/tree-advantages.ts';
import { Random } from '../../src-main/contract/random.ts';
import type { RolloutTree } from '../../src-main/contract/tree.ts';
import { type Sketch, treeOf } from '../support/tree-of.ts';

const aligned: Sketch = {
	rewards: [0.4, 0.8],
	children: [{ rewards: [0.5, 1.0] }, { rewards: [0.2, 0.9] }],
};
const cross: Sketch = {
	rewards: [0.1, 0.6, 0.3, 0.9],
	children: [
		{ rewards: [0.2, 0.4, 0.6, 0.8] },
		{ rewards: [0.5, 0.7, 0.9, 1.0] },
		{ rewards: [0.1, 0.3, 0.2, 0.4] },
		{ rewards: [0.6, 0.8, 0.7, 0.9] },
	],
};

type Credit = 'mean' | 'sum';

function alignedTree(discount: number): RolloutTree {
	return withReturns(
		treeOf(aligned, { agents: 2, generations: 2, mode: 'aligned' }),
		discount,
		'mean',
	);
}

function crossTree(discount: number, credit: Credit): RolloutTree {
	return withReturns(treeOf(cross, { agents: 2, generations: 2, mode: 'cross' }), discount, credit);
}

function rule(
	normalize: boolean,
	stdFloor: number,
	mode: 'mean' | 'raw' | 'max' | 'rloo' = 'mean',
) {
	return { mode, normalize, stdFloor, klCoefficient: 0, frozen: [false, false] };
}

/** Sums of scored log-probabilities per node and agent, as given. */
const logProbSums = [
	[
		[-12.5, -9.25],
		[-30.125, -22.75],
	],
	[
		[-8.0, -10.5],
		[-25.0, -27.5],
	],
	[
		[-11.0, -7.5],
		[-20.0, -31.25],
	],
];

const tokens = { padTokenId: 1, eosTokenIds: [0] };

/** Loss of one node sample of the batch: its share of Σ c·ℓ. */
function lossOf(
	batch: readonly NodeSample[],
	sums: readonly (readonly (readonly number[])[])[],
	agent: number,
	scoring: 'padded' | 'to-eos',
): number {
	const sequences = trainSequences(batch, agent, { ...tokens, scoring });
	const flat = sums.flatMap((node) => node[agent] ?? []);
	expect(sequences.length).toBe(flat.length);
	return sequences.reduce(
		(sum, { coefficient }, index) => sum + coefficient * (flat[index] ?? NaN),
		0,
	);
}

function close(ours: readonly (number | null | undefined)[], theirs: readonly number[]): void {
	expect(ours.length).toBe(theirs.length);
	for (const [index, value] of theirs.entries()) expect(ours[index]).toBeCloseTo(value, 6);
}

const profiles = [
	{ profile: 'default', stdFloor: 1e-4, scoring: 'to-eos' },
	{ profile: 'compat', stdFloor: 1e-6, scoring: 'padded' },
] as const;

describe.each(profiles)('aligned, $profile', ({ stdFloor, scoring }) => {
	it.each([
		[0.9, [1.075, 1.295], 1.185, [-0.11, 0.11], [-0.22, 0], [-0.22, 0.22]],
		[1.0, [1.15, 1.35], 1.25, [-0.1, 0.1], [-0.2, 0], [-0.2, 0.2]],
	])('returns and advantages at discount %d', (discount, returns, meanReturn, mean, max, rloo) => {
		const root = alignedTree(discount).nodes[0];
		close(root?.joints.map((joint) => joint.return) ?? [], returns);
		close([root?.returnMean], [meanReturn]);
		for (const turn of root?.agents ?? []) {
			const own = turn.completions.map((completion) => completion.return);
			close(own, returns);
			close(advantagesOf(own, rule(false, stdFloor, 'mean')), mean);
			close(advantagesOf(own, rule(false, stdFloor, 'raw')), returns);
			close(advantagesOf(own, rule(false, stdFloor, 'max')), max);
			close(advantagesOf(own, rule(false, stdFloor, 'rloo')), rloo);
			for (const mode of ['mean', 'raw', 'max', 'rloo'] as const) {
				close(advantagesOf(own, rule(true, stdFloor, mode)), [-1, 1]);
			}
		}
	});

	it('numbers the nodes in depth-first order', () => {
		const { nodes } = alignedTree(1);
		expect(nodes.map(({ envStep }) => envStep)).toEqual([2, 4, 6]);
		close(
			nodes.map(({ rewardMean }) => rewardMean),
			[0.6, 0.75, 0.55],
		);
	});

	it('advantages of the children do not depend on the discount', () => {
		for (const discount of [0.9, 1]) {
			const tree = withAdvantages(alignedTree(discount), rule(false, stdFloor));
			for (const [index, advantage] of [
				[1, 0.25],
				[2, 0.35],
			] as const) {
				const own = tree.nodes[index]?.agents[0]?.completions.map((c) => c.advantage) ?? [];
				close(own, [-advantage, advantage]);
			}
		}
	});

	it.each([
		[
			0.9,
			false,
			[
				[-0.17875, -0.405625],
				[0.3125, 0.3125],
				[-0.6125, 1.96875],
			],
		],
		[
			1.0,
			false,
			[
				[-0.1625, -0.36875],
				[0.3125, 0.3125],
				[-0.6125, 1.96875],
			],
		],
		[
			0.9,
			true,
			[
				[-1.625, -3.6875],
				[1.25, 1.25],
				[-1.75, 5.625],
			],
		],
		[
			1.0,
			true,
			[
				[-1.625, -3.6875],
				[1.25, 1.25],
				[-1.75, 5.625],
			],
		],
	])('losses at discount %d, normalised: %s', (discount, normalize, expected) => {
		const tree = withAdvantages(alignedTree(discount), rule(normalize, stdFloor));
		for (const [index, sample] of nodeSamples(tree).entries()) {
			const losses = [0, 1].map((agent) =>
				lossOf([sample], [logProbSums[index] ?? []], agent, scoring),
			);
			close(losses, expected[index] ?? []);
		}
	});

	it('a batch of both children has the mean of their losses', () => {
		for (const [normalize, expected] of [
			[false, [-0.15, 1.140625]],
			[true, [-0.25, 3.4375]],
		] as const) {
			const samples = nodeSamples(withAdvantages(alignedTree(1), rule(normalize, stdFloor)));
			const losses = [0, 1].map((agent) =>
				lossOf(samples.slice(1), logProbSums.slice(1), agent, scoring),
			);
			close(losses, expected);
		}
	});
});

describe('the buffer of the reference', () => {
	const samples = nodeSamples(withAdvantages(alignedTree(1), rule(true, 1e-6)));
	const turnsOf = (groups: readonly (readonly NodeSample[])[]) =>
		groups.map((group) => group.map(({ turn, envStep }) => [turn, envStep]));

	it('of size 2 drains the root with its first child; the second child waits', () => {
		const { drains, rest } = fillBuffer([], samples, 2, false);
		expect(drains.length).toBe(1);
		const groups = groupDrain(drains[0] ?? [], 'by-turn');
		expect(turnsOf(groups)).toEqual([[[1, 2]], [[2, 4]]]);
		expect(turnsOf([rest])).toEqual([[[2, 6]]]);
		const entries = groups.map((group) => drainEntry(group, 0, 0));
		expect(entries.map(({ envStep }) => envStep)).toEqual([2, 4]);
		close(
			entries.map(({ values }) => values[0]?.value),
			[0.6, 0.75],
		);
	});

	it('of size 3 takes two steps, one per turn', () => {
		const { drains, rest } = fillBuffer([], samples, 3, false);
		const groups = groupDrain(drains[0] ?? [], 'by-turn');
		const batches = groups.flatMap((group) => batchesOf(group, 3, Random.from(1)));
		expect(turnsOf(batches)).toEqual([
			[[1, 2]],
			[
				[2, 4],
				[2, 6],
			],
		]);
		expect(rest).toEqual([]);
		const entry = drainEntry(groups[1] ?? [], 0, 0);
		expect(entry.envStep).toBe(6);
		close([entry.values[0]?.value], [0.65]);
	});

	it('pairs what is left over with the next tree', () => {
		const five = [2, 6, 10, 14, 18].map((envStep, index) => ({
			turn: index === 0 ? 1 : 2,
			envStep,
			rewardMean: 0,
			returnMean: 0,
			agents: [],
		}));
		const first = fillBuffer([], five, 2, false);
		const second = fillBuffer(first.rest, five, 2, false);
		expect(turnsOf(second.drains)[0]).toEqual([
			[2, 18],
			[1, 2],
		]);
	});
});

describe('normalisation of three returns', () => {
	it.each([
		['mean', [-4 / 3, -1 / 3, 5 / 3]],
		['max', [-3, -2, 0]],
		['rloo', [-2, -0.5, 2.5]],
		['raw', [1, 2, 4]],
	] as const)('%s', (mode, expected) => {
		close(advantagesOf([1, 2, 4], rule(false, 1e-4, mode)), expected);
		const normalised = [-1.069045, -0.267261, 1.336306];
		close(advantagesOf([1, 2, 4], rule(true, 1e-4, mode)), normalised);
	});
});

describe('cross', () => {
	it.each([
		[0.9, [0.55, 1.2975, 0.525, 1.575], 0.986875],
		[1.0, [0.6, 1.375, 0.55, 1.65], 1.04375],
	])('joint returns at discount %d', (discount, returns, meanReturn) => {
		const tree = crossTree(discount, 'sum');
		close(tree.nodes[0]?.joints.map((joint) => joint.return) ?? [], returns);
		close([tree.nodes[0]?.returnMean, tree.nodes[0]?.rewardMean], [meanReturn, 0.475]);
		expect(tree.nodes.map(({ envStep }) => envStep)).toEqual([4, 8, 12, 16, 20]);
		close(
			tree.nodes.slice(1).map(({ rewardMean }) => rewardMean),
			[0.5, 0.775, 0.25, 0.75],
		);
	});

	it.each([
		['sum', 0.9, [1.8475, 2.1], [1.075, 2.8725], 0.12625, 0.89875],
		['sum', 1.0, [1.975, 2.2], [1.15, 3.025], 0.1125, 0.9375],
		['mean', 0.9, [0.92375, 1.05], [0.5375, 1.43625], 0.063125, 0.449375],
		['mean', 1.0, [0.9875, 1.1], [0.575, 1.5125], 0.05625, 0.46875],
	] as const)('%s of an agent at discount %d', (credit, discount, first, second, a0, a1) => {
		const root = crossTree(discount, credit).nodes[0];
		const returns = root?.agents.map((turn) => turn.completions.map((c) => c.return)) ?? [];
		close(returns[0] ?? [], first);
		close(returns[1] ?? [], second);
		close(advantagesOf(returns[0] ?? [], rule(false, 1e-6)), [-a0, a0]);
		close(advantagesOf(returns[1] ?? [], rule(false, 1e-6)), [-a1, a1]);
	});

	it.each([
		[0.9, false, [-0.205156, -3.314141]],
		[1.0, false, [-0.182813, -3.457031]],
		[0.9, true, [-1.625, -3.6875]],
		[1.0, true, [-1.625, -3.6875]],
	])('losses of the root at discount %d, normalised: %s', (discount, normalize, expected) => {
		const tree = withAdvantages(crossTree(discount, 'sum'), rule(normalize, 1e-6));
		const root = nodeSamples(tree).slice(0, 1);
		const losses = [0, 1].map((agent) => lossOf(root, logProbSums.slice(0, 1), agent, 'padded'));
		for (const [agent, loss] of expected.entries()) {
			expect(Math.abs((losses[agent] ?? NaN) - loss)).toBeLessThan(1e-6);
		}
	});

	it('sums of the children', () => {
		const sums = crossTree(1, 'sum')
			.nodes.slice(1)
			.map((node) => node.agents.map((turn) => turn.completions.map((c) => c.return)));
		const expected = [
			[
				[0.6, 1.4],
				[0.8, 1.2],
			],
			[
				[1.2, 1.9],
				[1.4, 1.7],
			],
			[
				[0.4, 0.6],
				[0.3, 0.7],
			],
			[
				[1.4, 1.6],
				[1.3, 1.7],
			],
		];
		close(sums.flat(2), expected.flat(2));
	});
});

describe('further vectors', () => {
	it('k3 of a token', () => {
		close([tokenKl(-1.0, -1.2).kl, tokenKl(-2.0, -1.5).kl], [0.018731, 0.148721]);
	});

	it('the reference KL is subtracted before anything else', () => {
		const tree = treeOf({ rewards: [1, 2] }, { agents: 1, generations: 2, mode: 'aligned' });
		const returned = withReturns(tree, 1, 'mean');
		const withKl = {
			...returned,
			nodes: returned.nodes.map((node) => ({
				...node,
				agents: node.agents.map((turn) => ({
					...turn,
					completions: turn.completions.map((c, k) => ({ ...c, referenceKl: [0.2, 0.4][k] ?? 0 })),
				})),
			})),
		};
		const raw = { ...rule(false, 1e-4, 'raw'), klCoefficient: 0.5 };
		const advantages = withAdvantages(withKl, raw).nodes[0]?.agents[0]?.completions;
		close(advantages?.map(({ advantage }) => advantage) ?? [], [0.9, 1.8]);
	});
});
