import { expect, test } from 'vitest';
import { layoutTree } from '../../../../src-renderer/logic/tree/layout.ts';
import { jointAt } from '../../../../src-renderer/logic/tree/overview.ts';
import { fullTree } from '../../../support/full-tree.ts';

test('every joint completion is found in the middle of its row, and nothing between nodes', () => {
	const outline = fullTree(3, 3);
	const layout = layoutTree(outline);
	for (let node = 0; node < outline.turn.length; node++) {
		const column = layout.column[node] ?? 0;
		const top = layout.top[node] ?? 0;
		for (let joint = 0; joint < 3; joint++)
			expect(jointAt(layout, outline, column, top + joint + 0.5)).toBe(node * 3 + joint);
		expect(jointAt(layout, outline, column, top + 3.5)).toBe(-1);
		expect(jointAt(layout, outline, column, top - 0.5)).toBe(-1);
	}
	expect(jointAt(layout, outline, 3, 0)).toBe(-1);
});
