/** Two trees of one prompt laid over each other: nodes are matched by the joint completions that lead to them. */
import type { TreeOutline, TreeSummary } from '../../../src-main/contract/requests.ts';

export interface AlignedNode {
	/** Joint completions from the root, e.g. [2, 0]. */
	path: readonly number[];
	turn: number;
	/** Index in each tree; null where only the other one has it. */
	a: number | null;
	b: number | null;
	/** Mean rewards; null where unknown. */
	rewardA: number | null;
	rewardB: number | null;
}

function pathsOf(outline: TreeOutline): Map<string, { path: number[]; node: number }> {
	const paths: number[][] = [];
	const found = new Map<string, { path: number[]; node: number }>();
	// A parent stands before its children.
	for (let node = 0; node < outline.turn.length; node++) {
		const parent = outline.parentNode[node] ?? -1;
		const path = parent < 0 ? [] : [...(paths[parent] ?? []), outline.parentJoint[node] ?? 0];
		paths.push(path);
		found.set(path.join('/'), { path, node });
	}
	return found;
}

function known(value: number | undefined): number | null {
	return value === undefined || Number.isNaN(value) ? null : value;
}

/** All nodes of both, depth first. */
export function alignTrees(a: TreeOutline, b: TreeOutline): AlignedNode[] {
	const inA = pathsOf(a);
	const inB = pathsOf(b);
	const keys = new Set([...inA.keys(), ...inB.keys()]);
	const aligned = [...keys].map((key): AlignedNode => {
		const one = inA.get(key);
		const other = inB.get(key);
		const path = one?.path ?? other?.path ?? [];
		return {
			path,
			turn: path.length + 1,
			a: one?.node ?? null,
			b: other?.node ?? null,
			rewardA: one === undefined ? null : known(a.rewardMean[one.node]),
			rewardB: other === undefined ? null : known(b.rewardMean[other.node]),
		};
	});
	return aligned.sort((one, other) => comparePaths(one.path, other.path));
}

function comparePaths(one: readonly number[], other: readonly number[]): number {
	const shared = Math.min(one.length, other.length);
	for (let at = 0; at < shared; at++) {
		const difference = (one[at] ?? 0) - (other[at] ?? 0);
		if (difference !== 0) return difference;
	}
	return one.length - other.length;
}

export interface TreePair {
	a: TreeSummary;
	b: TreeSummary;
	/** Difference (B − A) of the mean reward of the last turn that both have; null where unknown. */
	change: number | null;
}

/** Trees of the same prompt at the same step, those that differ most first. */
export function pairTrees(a: readonly TreeSummary[], b: readonly TreeSummary[]): TreePair[] {
	const keyOf = (tree: TreeSummary): string => `${tree.purpose}/${tree.step}/${tree.itemIndex}`;
	const others = new Map(b.map((tree) => [keyOf(tree), tree]));
	const pairs = a.flatMap((tree): TreePair[] => {
		const other = others.get(keyOf(tree));
		return other?.title === tree.title
			? [{ a: tree, b: other, change: changeOf(tree.rewardByTurn, other.rewardByTurn) }]
			: [];
	});
	return pairs.sort((one, other) => Math.abs(other.change ?? 0) - Math.abs(one.change ?? 0));
}

function changeOf(a: readonly (number | null)[], b: readonly (number | null)[]): number | null {
	for (let turn = Math.min(a.length, b.length) - 1; turn >= 0; turn--) {
		const [before, after] = [a[turn] ?? null, b[turn] ?? null];
		if (before !== null && after !== null) return after - before;
	}
	return null;
}
