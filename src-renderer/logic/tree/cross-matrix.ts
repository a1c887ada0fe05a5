/**
 * A node of cross mode as a matrix: the answers of one agent against those of another, heat by reward, with
 * row and column means that tell whose answer made the score. With more than two agents, a cell is the mean over the others.
 */
import type { JointCompletion } from '../../../src-main/contract/tree.ts';

export interface CrossMatrix {
	rows: number;
	columns: number;
	/** [row][column]; null where nothing was scored. */
	cells: (number | null)[][];
	/** Joint index of each cell where exactly one joint completion falls on it, else null. */
	joints: (number | null)[][];
	rowMeans: (number | null)[];
	columnMeans: (number | null)[];
	best: { row: number; column: number } | null;
	/** Rows and columns in which no cell varies: the other agent's answer made no difference. */
	deadRows: boolean[];
	deadColumns: boolean[];
	/** Share of the variance that the row agent's choice explains, the column agent's, and their interplay; null without variance. */
	explained: { row: number; column: number; interplay: number } | null;
}

function meanOf(values: readonly (number | null)[]): number | null {
	const known = values.filter((value) => value !== null);
	return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function isDead(values: readonly (number | null)[]): boolean {
	const known = values.filter((value) => value !== null);
	return known.length > 1 && known.every((value) => value === known[0]);
}

export function crossMatrix(
	joints: readonly JointCompletion[],
	rowAgent: number,
	columnAgent: number,
	value: (joint: JointCompletion) => number | null = (joint) => joint.reward,
): CrossMatrix {
	const rows = 1 + joints.reduce((most, joint) => Math.max(most, joint.picks[rowAgent] ?? 0), -1);
	const columns =
		1 + joints.reduce((most, joint) => Math.max(most, joint.picks[columnAgent] ?? 0), -1);
	const collected = Array.from({ length: rows }, () =>
		Array.from({ length: columns }, (): { index: number; value: number | null }[] => []),
	);
	for (const [index, joint] of joints.entries()) {
		collected[joint.picks[rowAgent] ?? 0]?.[joint.picks[columnAgent] ?? 0]?.push({
			index,
			value: value(joint),
		});
	}
	const cells = collected.map((row) =>
		row.map((entries) => meanOf(entries.map((entry) => entry.value))),
	);
	const columnOf = (column: number): (number | null)[] => cells.map((row) => row[column] ?? null);
	const columnIndices = Array.from({ length: columns }, (_, column) => column);
	let best: CrossMatrix['best'] = null;
	for (const [row, values] of cells.entries()) {
		for (const [column, cell] of values.entries()) {
			if (cell !== null && (best === null || cell > (cells[best.row]?.[best.column] ?? -Infinity)))
				best = { row, column };
		}
	}
	const rowMeans = cells.map(meanOf);
	const columnMeans = columnIndices.map((column) => meanOf(columnOf(column)));
	return {
		rows,
		columns,
		cells,
		joints: collected.map((row) =>
			row.map((entries) => (entries.length === 1 ? (entries[0]?.index ?? null) : null)),
		),
		rowMeans,
		columnMeans,
		best,
		deadRows: cells.map(isDead),
		deadColumns: columnIndices.map((column) => isDead(columnOf(column))),
		explained: explainedVariance(cells, rowMeans, columnMeans),
	};
}

/** Two-way analysis of variance of a complete matrix; null where a cell is missing or nothing varies. */
function explainedVariance(
	cells: readonly (readonly (number | null)[])[],
	rowMeans: readonly (number | null)[],
	columnMeans: readonly (number | null)[],
): CrossMatrix['explained'] {
	const all = cells.flat();
	const centre = meanOf(all);
	if (centre === null || all.some((cell) => cell === null)) return null;
	const total = all.reduce<number>((sum, cell) => sum + ((cell ?? 0) - centre) ** 2, 0);
	if (total <= 1e-18 * Math.max(1, centre * centre)) return null;
	const byRow =
		rowMeans.reduce<number>((sum, mean) => sum + ((mean ?? 0) - centre) ** 2, 0) *
		columnMeans.length;
	const byColumn =
		columnMeans.reduce<number>((sum, mean) => sum + ((mean ?? 0) - centre) ** 2, 0) *
		rowMeans.length;
	return {
		row: byRow / total,
		column: byColumn / total,
		interplay: Math.max(0, 1 - (byRow + byColumn) / total),
	};
}
