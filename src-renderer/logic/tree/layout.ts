/**
 * Where the nodes of a rollout tree stand: turns are columns from left to right, and a node is as tall as
 * it has joint completions, one row each. All in rows and columns; the view multiplies by pixels.
 * O(nodes); made for trees of 50,000 nodes.
 */
import type { TreeOutline } from '../../../src-main/contract/requests.ts';

export type OutlineShape = Pick<TreeOutline, 'turn' | 'parentNode' | 'parentJoint' | 'jointStart'>;

export interface TreeLayout {
	/** First row of each node. */
	top: Float64Array;
	/** Rows of each node: its joint completions, at least one. */
	rows: Int32Array;
	/** Column of each node, from 0. */
	column: Int32Array;
	/** Height of the whole, in rows. */
	height: number;
	columns: number;
	/** Nodes of each column from top to bottom. */
	byColumn: Int32Array[];
}

/** Free rows between neighbours. */
const gap = 1;

export function layoutTree(outline: OutlineShape): TreeLayout {
	const count = outline.turn.length;
	const rows = new Int32Array(count);
	const column = new Int32Array(count);
	/** Rows that a node with all its descendants takes. */
	const extent = new Float64Array(count);
	const below = new Float64Array(count);
	let columns = 0;
	// Pre-order: parents stand before their children, so backwards every subtree is complete when it is read.
	for (let node = count - 1; node >= 0; node--) {
		const joints = (outline.jointStart[node + 1] ?? 0) - (outline.jointStart[node] ?? 0);
		rows[node] = Math.max(1, joints);
		extent[node] = Math.max((rows[node] ?? 1) + gap, below[node] ?? 0);
		const parent = outline.parentNode[node] ?? -1;
		if (parent >= 0) below[parent] = (below[parent] ?? 0) + (extent[node] ?? 0);
		column[node] = Math.max(0, (outline.turn[node] ?? 1) - 1);
		columns = Math.max(columns, (column[node] ?? 0) + 1);
	}
	const top = new Float64Array(count);
	/** First row of each subtree, and where its next child goes. */
	const start = new Float64Array(count);
	const next = new Float64Array(count);
	const sizes = new Int32Array(columns);
	let height = 0;
	for (let node = 0; node < count; node++) {
		const parent = outline.parentNode[node] ?? -1;
		if (parent < 0) {
			start[node] = height;
			height += extent[node] ?? 0;
		} else {
			start[node] = next[parent] ?? 0;
			next[parent] = (next[parent] ?? 0) + (extent[node] ?? 0);
		}
		const free = (extent[node] ?? 0) - gap - (rows[node] ?? 1);
		top[node] = (start[node] ?? 0) + free / 2;
		// Children shorter than their parent are centred beside it.
		next[node] = (start[node] ?? 0) + ((extent[node] ?? 0) - (below[node] ?? 0)) / 2;
		sizes[column[node] ?? 0] = (sizes[column[node] ?? 0] ?? 0) + 1;
	}
	const byColumn = Array.from(sizes, (size) => new Int32Array(size));
	const filled = new Int32Array(columns);
	for (let node = 0; node < count; node++) {
		const at = column[node] ?? 0;
		const list = byColumn[at];
		if (list !== undefined) list[filled[at] ?? 0] = node;
		filled[at] = (filled[at] ?? 0) + 1;
	}
	return { top, rows, column, height: Math.max(0, height - gap), columns, byColumn };
}

/** The nodes that touch the rows [from, to), column by column. Within a column nodes never overlap, so both ends are found by bisection. */
export function visibleNodes(layout: TreeLayout, from: number, to: number): number[] {
	const found: number[] = [];
	for (const list of layout.byColumn) {
		let low = 0;
		let high = list.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const node = list[middle] ?? 0;
			if ((layout.top[node] ?? 0) + (layout.rows[node] ?? 0) <= from) low = middle + 1;
			else high = middle;
		}
		for (let at = low; at < list.length; at++) {
			const node = list[at] ?? 0;
			if ((layout.top[node] ?? 0) >= to) break;
			found.push(node);
		}
	}
	return found;
}

/** Joint indices from the root to a node: its path, equal in two trees for the same branch. */
export function pathTo(outline: OutlineShape, node: number): number[] {
	const path: number[] = [];
	for (
		let at = node;
		at > 0 && (outline.parentNode[at] ?? -1) >= 0;
		at = outline.parentNode[at] ?? -1
	) {
		path.push(outline.parentJoint[at] ?? 0);
	}
	return path.reverse();
}

/** Path → node for every node of a tree, to align it with another. */
export function nodesByPath(outline: OutlineShape): Map<string, number> {
	const keys: string[] = [];
	const nodes = new Map<string, number>();
	for (let node = 0; node < outline.turn.length; node++) {
		const parent = outline.parentNode[node] ?? -1;
		const key = parent < 0 ? '' : `${keys[parent] ?? ''}/${outline.parentJoint[node] ?? 0}`;
		keys.push(key);
		nodes.set(key, node);
	}
	return nodes;
}

/** These nodes and all that lead to them. */
export function ancestorsOf(outline: OutlineShape, nodes: Iterable<number>): Set<number> {
	const found = new Set<number>();
	for (const node of nodes) {
		for (let at = node; at >= 0 && !found.has(at); at = outline.parentNode[at] ?? -1) found.add(at);
	}
	return found;
}

/** The node at a path; where the branch ended earlier, the last node on the way. */
export function nodeAtPath(outline: OutlineShape, path: readonly number[]): number {
	const children = new Map<string, number>();
	for (let node = 0; node < outline.turn.length; node++)
		children.set(`${outline.parentNode[node] ?? -1}/${outline.parentJoint[node] ?? 0}`, node);
	let at = 0;
	for (const joint of path) {
		const next = children.get(`${at}/${joint}`);
		if (next === undefined) break;
		at = next;
	}
	return at;
}
