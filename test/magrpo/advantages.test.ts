import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AdvantageRule, advantagesOf, hasVariance } from '../../src-main/magrpo/advantages.ts';
import { withReturns } from '../../src-main/magrpo/returns.ts';
import { withAdvantages } from '../../src-main/magrpo/tree-advantages.ts';
import { anyTree } from '../support/random-sketch.ts';
import { type Sketch, treeOf } from '../support/tree-of.ts';

const value = fc.double({ min: -100, max: 100, noNaN: true });
const group = fc.array(fc.option(value, { nil: null, freq: 4 }), { minLength: 1, maxLength: 9 });
const rules = fc.record({
	mode: fc.constantFrom('mean' as const, 'raw' as const, 'max' as const, 'rloo' as const),
	normalize: fc.boolean(),
	stdFloor: fc.constantFrom(1e-4, 1e-6),
});

/** The formulas as they are written down, one member of the group at a time. */
function naive(returns: readonly (number | null)[], rule: AdvantageRule): (number | null)[] {
	const known = returns.filter((r) => r !== null);
	const n = known.length;
	let sum = 0;
	for (const r of known) sum += r;
	const plain = known.map((r) => {
		if (rule.mode === 'raw') return r;
		if (rule.mode === 'max') return r - known.reduce((a, b) => (a > b ? a : b));
		if (rule.mode === 'mean' || n === 1) return r - sum / n;
		return r - (sum - r) / (n - 1);
	});
	let result = plain;
	if (rule.normalize) {
		const centre = plain.reduce((a, b) => a + b, 0) / n;
		let squares = 0;
		for (const a of plain) squares += (a - centre) * (a - centre);
		result = plain.map((a) => (a - centre) / Math.max(Math.sqrt(squares / n), rule.stdFloor));
	}
	const queue = [...result];
	return returns.map((r) => (r === null ? null : (queue.shift() ?? null)));
}

function expectClose(ours: readonly (number | null)[], theirs: readonly (number | null)[]): void {
	expect(ours.length).toBe(theirs.length);
	for (const [k, expected] of theirs.entries()) {
		if (expected === null) expect(ours[k]).toBeNull();
		else expect(Math.abs((ours[k] ?? NaN) - expected)).toBeLessThan(1e-6);
	}
}

describe('advantages', () => {
	it('equal the formulas on any group', () => {
		fc.assert(
			fc.property(group, rules, (returns, rule) => {
				const known = returns.filter((r) => r !== null);
				const spread = known.length === 0 ? 0 : Math.max(...known) - Math.min(...known);
				// Nearly equal returns are the subject of a rule of their own.
				fc.pre(spread === 0 || spread > 1e-3);
				expectClose(advantagesOf(returns, rule), naive(returns, rule));
			}),
		);
	});

	it('are always finite, and sum to 0 where a mean is subtracted', () => {
		fc.assert(
			fc.property(group, rules, (returns, rule) => {
				const known = advantagesOf(returns, rule).filter((a) => a !== null);
				expect(known.every(Number.isFinite)).toBe(true);
				if (rule.mode === 'mean' || rule.mode === 'rloo' || rule.normalize) {
					const sum = known.reduce((a, b) => a + b, 0);
					expect(Math.abs(sum)).toBeLessThan(1e-6);
				}
			}),
		);
	});

	it('permute with their group', () => {
		fc.assert(
			fc.property(group, rules, fc.nat(), (returns, rule, turnBy) => {
				const order = returns.map((_, k) => (k + turnBy) % returns.length);
				const before = advantagesOf(returns, rule);
				const after = advantagesOf(
					order.map((k) => returns[k] ?? null),
					rule,
				);
				expectClose(
					after,
					order.map((k) => before[k] ?? null),
				);
			}),
		);
	});

	it('are the same in all modes once normalised', () => {
		fc.assert(
			fc.property(group, (returns) => {
				fc.pre(hasVariance(returns));
				const known = returns.filter((r) => r !== null);
				fc.pre(Math.max(...known) - Math.min(...known) > 0.1);
				const inMode = (mode: AdvantageRule['mode']) =>
					advantagesOf(returns, { mode, normalize: true, stdFloor: 1e-4 });
				for (const mode of ['raw', 'max', 'rloo'] as const) {
					expectClose(inMode(mode), inMode('mean'));
				}
			}),
		);
	});

	it('of a group without variance are exactly 0, as are those of its only scored member', () => {
		const plain = { stdFloor: 1e-4, normalize: false };
		// Three tenths in two ways: equal on paper, not in doubles.
		const equal = [0.1 + 0.2, 0.3, null, 0.3];
		for (const mode of ['mean', 'max', 'rloo'] as const) {
			expect(advantagesOf(equal, { ...plain, mode })).toEqual([0, 0, null, 0]);
			expect(advantagesOf([null, 0.7, null], { ...plain, mode })).toEqual([null, 0, null]);
		}
		expect(advantagesOf([5, 5], { stdFloor: 1e-4, normalize: true, mode: 'raw' })).toEqual([0, 0]);
		expect(advantagesOf([5, 5], { ...plain, mode: 'raw' })).toEqual([5, 5]);
		expect(advantagesOf([null, null], { ...plain, mode: 'mean' })).toEqual([null, null]);
	});

	it('of nearly equal returns are not blown up beyond the floor', () => {
		const returns = [1, 1 + 1e-6];
		const [low, high] = advantagesOf(returns, { mode: 'mean', normalize: true, stdFloor: 1e-4 });
		expect(Math.abs(low ?? NaN)).toBeLessThan(0.01);
		expect(high).toBeGreaterThan(0);
	});

	it('agree with GRPO computed by hand, population deviation', () => {
		const rule = { mode: 'mean', normalize: true, stdFloor: 1e-4 } as const;
		expectClose(advantagesOf([1, 0, 0.5, 0.5], rule), [Math.SQRT2, -Math.SQRT2, 0, 0]);
		expectClose(advantagesOf([1, 1, 1, 1], rule), [0, 0, 0, 0]);
		const third = 1 / Math.sqrt(3);
		expectClose(advantagesOf([-2, -2, -2, 6], rule), [-third, -third, -third, 3 * third]);
		expectClose(advantagesOf([0, 1], rule), [-1, 1]);
		const others = { ...rule, mode: 'rloo', normalize: false } as const;
		expectClose(advantagesOf([1, 0, 0.5, 0.5], others), [2 / 3, -2 / 3, 0, 0]);
	});
});

describe('advantages of a tree', () => {
	const rule = {
		mode: 'mean',
		normalize: false,
		stdFloor: 1e-4,
		klCoefficient: 0,
		frozen: [false, false, false],
	} as const;

	it('do not notice a constant added to all rewards of a turn of full trees', () => {
		fc.assert(
			fc.property(
				anyTree(true),
				fc.integer({ min: 1, max: 3 }),
				fc.double({ min: -3, max: 3, noNaN: true }),
				({ shape, root, discount }, turn, constant) => {
					const full = deepened(root);
					const advantages = (sketch: Sketch) =>
						withAdvantages(
							withReturns(treeOf(sketch, shape), discount, 'mean'),
							rule,
						).nodes.flatMap((node) =>
							node.agents.flatMap((own) => own.completions.map((c) => c.advantage)),
						);
					expectClose(advantages(shifted(full, turn, constant)), advantages(full));
				},
			),
		);
	});

	it('are not given to a frozen agent', () => {
		const tree = treeOf({ rewards: [0, 1] }, { agents: 2, generations: 2, mode: 'aligned' });
		const [node] = withAdvantages(withReturns(tree, 1, 'mean'), {
			...rule,
			frozen: [true, false],
		}).nodes;
		expect(node?.agents[0]?.completions.map((c) => c.advantage)).toEqual([null, null]);
		expect(node?.agents[1]?.completions.map((c) => c.advantage)).toEqual([-0.5, 0.5]);
		expect(node?.zeroVariance).toBe(false);
	});

	it('have variance through the reference KL alone, if there is one', () => {
		const tree = withReturns(
			treeOf({ rewards: [1, 1] }, { agents: 1, generations: 2, mode: 'aligned' }),
			1,
			'mean',
		);
		expect(withAdvantages(tree, rule).nodes[0]?.zeroVariance).toBe(true);
		const withKl = {
			...tree,
			nodes: tree.nodes.map((node) => ({
				...node,
				agents: node.agents.map((turn) => ({
					...turn,
					completions: turn.completions.map((c, k) => ({ ...c, referenceKl: k })),
				})),
			})),
		};
		const [node] = withAdvantages(withKl, { ...rule, klCoefficient: 0.2 }).nodes;
		expect(node?.zeroVariance).toBe(false);
		expectClose(node?.agents[0]?.completions.map((c) => c.advantage) ?? [], [0.1, -0.1]);
	});
});

/** Children where any sibling has them, so that a turn is whole. */
function deepened(sketch: Sketch): Sketch {
	const sample = sketch.children?.find((child) => child !== null);
	if (sample == null) return { rewards: sketch.rewards };
	const children = sketch.rewards.map((_, j) => ({
		rewards: (sketch.children?.[j] ?? sample).rewards,
	}));
	return { rewards: sketch.rewards, children };
}

function shifted(sketch: Sketch, turn: number, constant: number): Sketch {
	return {
		rewards: sketch.rewards.map((r) => (turn === 1 && r !== null ? r + constant : r)),
		...(sketch.children === undefined
			? {}
			: {
					children: sketch.children.map((child) =>
						child === null ? null : shifted(child, turn - 1, constant),
					),
				}),
	};
}
