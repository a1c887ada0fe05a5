/** Arbitrary rollout trees for property tests. */
import fc from 'fast-check';
import type { Shape, Sketch } from './tree-of.ts';

export interface DrawnTree {
	shape: Shape;
	root: Sketch;
	discount: number;
}

const reward = fc.double({ min: -5, max: 5, noNaN: true });

function sketch(joints: number, turns: number, scoredOnly: boolean): fc.Arbitrary<Sketch> {
	const one = scoredOnly ? reward : fc.option(reward, { nil: null, freq: 5 });
	const rewards = fc.array(one, { minLength: joints, maxLength: joints });
	if (turns === 1) return rewards.map((drawn) => ({ rewards: drawn }));
	const child = fc.option(sketch(joints, turns - 1, scoredOnly), { nil: null, freq: 4 });
	return fc.tuple(rewards, fc.array(child, { minLength: joints, maxLength: joints })).map(
		// What was not scored is not continued.
		([drawn, children]) => ({
			rewards: drawn,
			children: children.map((own, j) => (drawn[j] === null ? null : own)),
		}),
	);
}

/** Up to three agents, generations and turns; some joint completions end early, some are not scored. */
export function anyTree(scoredOnly = false): fc.Arbitrary<DrawnTree> {
	return fc
		.record({
			agents: fc.integer({ min: 1, max: 3 }),
			generations: fc.integer({ min: 2, max: 3 }),
			mode: fc.constantFrom('aligned' as const, 'cross' as const),
			turns: fc.integer({ min: 1, max: 3 }),
			discount: fc.double({ min: 0, max: 1, noNaN: true }),
		})
		.chain(({ agents, generations, mode, turns, discount }) => {
			const joints = mode === 'aligned' ? generations : generations ** agents;
			// A full cross tree of three agents and three turns would have 20,439 joint completions.
			const depth = joints > 9 ? Math.min(turns, 2) : turns;
			const root = sketch(joints, depth, scoredOnly);
			return root.map((drawn) => ({ shape: { agents, generations, mode }, root: drawn, discount }));
		});
}
