/** Rows of a list of equal heights that lie in view, with some more above and below: [first, last). */
export function visibleRows(
	scrollTop: number,
	viewHeight: number,
	rowHeight: number,
	count: number,
	more = 6,
): { first: number; last: number } {
	const first = Math.max(0, Math.floor(scrollTop / rowHeight) - more);
	const last = Math.min(count, Math.ceil((scrollTop + viewHeight) / rowHeight) + more);
	return { first: Math.min(first, last), last };
}

/**
 * Columns in view, of columns with these widths from 0 on: [first, last) and the width left of the
 * first and right of the last one.
 */
export function visibleColumns(
	scrollLeft: number,
	viewWidth: number,
	widths: readonly number[],
	more = 200,
): { first: number; last: number; before: number; after: number } {
	let first = 0;
	let before = 0;
	while (first < widths.length && before + (widths[first] ?? 0) < scrollLeft - more) {
		before += widths[first] ?? 0;
		first++;
	}
	let last = first;
	let right = before;
	while (last < widths.length && right < scrollLeft + viewWidth + more) {
		right += widths[last] ?? 0;
		last++;
	}
	const after = widths.slice(last).reduce((sum, width) => sum + width, 0);
	return { first, last, before, after };
}
