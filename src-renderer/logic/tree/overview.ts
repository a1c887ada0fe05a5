/** Finds what stands at a point of a laid out tree, so that a picture of any size can be filled pixel by pixel. */
import type { OutlineShape, TreeLayout } from './layout.ts';

/** Index into the outline's joint arrays of the joint completion in `column` at `row` (rows of the layout); −1 for free ground. */
export function jointAt(
	layout: TreeLayout,
	outline: OutlineShape,
	column: number,
	row: number,
): number {
	const list = layout.byColumn[column];
	if (list === undefined || list.length === 0) return -1;
	// The last node of the column that begins at or above the row.
	let low = 0;
	let high = list.length - 1;
	while (low < high) {
		const middle = (low + high + 1) >>> 1;
		if ((layout.top[list[middle] ?? 0] ?? 0) <= row) low = middle;
		else high = middle - 1;
	}
	const node = list[low] ?? 0;
	const within = Math.floor(row - (layout.top[node] ?? 0));
	const start = outline.jointStart[node] ?? 0;
	const end = outline.jointStart[node + 1] ?? start;
	return within >= 0 && within < end - start ? start + within : -1;
}
