import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	layoutTree,
	nodesByPath,
	type OutlineShape,
	pathTo,
	visibleNodes,
} from '../../../../src-renderer/logic/tree/layout.ts';

/** A random tree in pre-order: each node has `joints` joint completions, some of which lead on. */
function outlineOf(choices: readonly number[], turns: number): OutlineShape {
	const turn: number[] = [];
	const parentNode: number[] = [];
	const parentJoint: number[] = [];
	const jointStart = [0];
	let at = 0;
	const choose = (): number => choices[at++ % choices.length] ?? 1;
	const grow = (depth: number, parent: number, joint: number): void => {
		const node = turn.length;
		const joints = 1 + (choose() % 4);
		turn.push(depth);
		parentNode.push(parent);
		parentJoint.push(joint);
		jointStart.push((jointStart.at(-1) ?? 0) + joints);
		if (depth < turns)
			for (let j = 0; j < joints; j++) if (choose() % 3 > 0) grow(depth + 1, node, j);
	};
	grow(1, -1, -1);
	return {
		turn: Int32Array.from(turn),
		parentNode: Int32Array.from(parentNode),
		parentJoint: Int32Array.from(parentJoint),
		jointStart: Int32Array.from(jointStart),
	};
}

const outlines = fc
	.tuple(fc.array(fc.nat(100), { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 5 }))
	.map(([choices, turns]) => outlineOf(choices, turns));

describe('layoutTree', () => {
	it('never lets nodes of one column overlap, keeps order, and stays inside its height', () => {
		fc.assert(
			fc.property(outlines, (outline) => {
				const layout = layoutTree(outline);
				for (const list of layout.byColumn) {
					for (let i = 0; i < list.length; i++) {
						const node = list[i] ?? 0;
						const bottom = (layout.top[node] ?? 0) + (layout.rows[node] ?? 0);
						expect(layout.top[node]).toBeGreaterThanOrEqual(0);
						expect(bottom).toBeLessThanOrEqual(layout.height + 1e-9);
						const next = list[i + 1];
						if (next !== undefined)
							expect(layout.top[next]).toBeGreaterThanOrEqual(bottom + 1 - 1e-9);
					}
				}
			}),
		);
	});

	it('finds exactly the nodes that touch a range of rows', () => {
		fc.assert(
			fc.property(
				outlines,
				fc.double({ min: 0, max: 60, noNaN: true }),
				fc.double({ min: 0, max: 30, noNaN: true }),
				(outline, from, size) => {
					const layout = layoutTree(outline);
					const expected = [...layout.top.keys()].filter(
						(node) =>
							(layout.top[node] ?? 0) < from + size &&
							(layout.top[node] ?? 0) + (layout.rows[node] ?? 0) > from,
					);
					expect(visibleNodes(layout, from, from + size).sort((a, b) => a - b)).toEqual(expected);
				},
			),
		);
	});

	it('gives every node a path of its own, by which it is found again', () => {
		fc.assert(
			fc.property(outlines, (outline) => {
				const byPath = nodesByPath(outline);
				expect(byPath.size).toBe(outline.turn.length);
				for (let node = 0; node < outline.turn.length; node++) {
					expect(
						byPath.get(
							pathTo(outline, node)
								.map((joint) => `/${joint}`)
								.join(''),
						),
					).toBe(node);
				}
			}),
		);
	});

	it('lays out 50,000 nodes in memory that grows with the nodes only', () => {
		const count = 50_000;
		const outline: OutlineShape = {
			turn: Int32Array.from({ length: count }, (_, i) => (i === 0 ? 1 : 2)),
			parentNode: Int32Array.from({ length: count }, (_, i) => (i === 0 ? -1 : 0)),
			parentJoint: Int32Array.from({ length: count }, (_, i) => i - 1),
			jointStart: Int32Array.from({ length: count + 1 }, (_, i) =>
				i === 0 ? 0 : count - 1 + (i - 1) * 2,
			),
		};
		const layout = layoutTree(outline);
		expect(layout.columns).toBe(2);
		expect(visibleNodes(layout, 1000, 1030).length).toBeLessThan(20);
	});
});
