import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	icicle,
	icicleColumns,
	type IcicleShape,
} from '../../../../src-renderer/logic/tree/icicle.ts';
import { fullTree } from '../../../support/full-tree.ts';

/** A root with two joint completions; the second leads to a node with three. */
const small: IcicleShape = {
	turn: Int32Array.of(1, 2),
	parentNode: Int32Array.of(-1, 0),
	jointStart: Int32Array.of(0, 2, 5),
	jointChild: Int32Array.of(-1, 1, -1, -1, -1),
};

describe('a tree in a few pixels', () => {
	test('gives every joint completion its share of the paths, beside the one that led to it', () => {
		const third = 0.5 / 3;
		expect(icicleColumns(small)).toBe(2);
		expect(icicle(small, 0)).toEqual([
			{ column: 0, from: 0, to: 0.5, joint: 0 },
			{ column: 0, from: 0.5, to: 1, joint: 1 },
			{ column: 1, from: 0.5, to: 0.5 + third, joint: 2 },
			{ column: 1, from: 0.5 + third, to: 0.5 + 2 * third, joint: 3 },
			{ column: 1, from: 0.5 + 2 * third, to: 1, joint: 4 },
		]);
	});

	test('fills every column of a full tree without overlap', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 4 }),
				fc.integer({ min: 1, max: 4 }),
				(joints, turns) => {
					const strips = icicle(fullTree(joints, turns), 0);
					for (let column = 0; column < turns; column++) {
						const own = strips
							.filter((strip) => strip.column === column)
							.sort((a, b) => a.from - b.from);
						expect(own[0]?.from).toBe(0);
						expect(own.at(-1)?.to).toBeCloseTo(1, 9);
						for (const [index, strip] of own.entries())
							if (index > 0) expect(strip.from).toBeCloseTo(own[index - 1]?.to ?? NaN, 9);
					}
				},
			),
		);
	});

	test('does not draw what is lower than a pixel, however large the tree is', () => {
		const strips = icicle(fullTree(6, 7), 1 / 50);
		expect(strips.length).toBeLessThan(7 * 60);
		for (const strip of strips) expect(strip.joint).toBeGreaterThanOrEqual(0);
	});
});
