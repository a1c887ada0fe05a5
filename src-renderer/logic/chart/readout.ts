import { nearestIndex, type ChartLine } from './line.ts';

export interface ReadoutRow {
	id: string;
	label: string;
	color: string;
	dash: readonly number[];
	/** X of the point shown, which may be a little off the cursor. */
	x: number;
	value: number;
	/** Unsmoothed value there; null where no smoothing is on. */
	raw: number | null;
	index: number;
}

/**
 * The values of all lines at the cursor, the highest first (NaN last). A line is left out where its
 * nearest point is further from the cursor than `reach`, in units of x: it has nothing there.
 */
export function readout(lines: readonly ChartLine[], at: number, reach: number): ReadoutRow[] {
	const rows: ReadoutRow[] = [];
	for (const line of lines) {
		const index = nearestIndex(line.x, at);
		const x = line.x[index];
		const value = line.y[index];
		if (x === undefined || value === undefined || Math.abs(x - at) > reach) continue;
		rows.push({
			id: line.id,
			label: line.label,
			color: line.color,
			dash: line.dash,
			x,
			value,
			raw: line.raw?.[index] ?? null,
			index,
		});
	}
	const rank = (value: number): number => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value);
	return rows.sort((a, b) => {
		const left = rank(a.value);
		const right = rank(b.value);
		return left === right ? 0 : right > left ? 1 : -1;
	});
}
