/**
 * A whole tree in a few pixels: turns are columns, every joint completion a strip of its node's height, and the
 * node it led to stands right of it in the same strip. So a strip's height is its share of the paths, and a branch
 * that ended early leaves the columns after it empty. Heights below a limit are not divided further: the work
 * follows the picture, not the tree.
 */
import type { TreeOutline } from '../../../src-main/contract/requests.ts';

export type IcicleShape = Pick<TreeOutline, 'turn' | 'parentNode' | 'jointStart' | 'jointChild'>;

export interface IcicleStrip {
	/** From 0. */
	column: number;
	/** Of the whole height, 0 to 1. */
	from: number;
	to: number;
	/** Index into the joint arrays of the outline. */
	joint: number;
}

/** Columns of the picture: turns of the deepest node. */
export function icicleColumns(outline: IcicleShape): number {
	return outline.turn.reduce((most, turn) => Math.max(most, turn), 1);
}

/** Strips from left to right and top to bottom within each subtree; none is lower than `least` of the height. */
export function icicle(outline: IcicleShape, least: number): IcicleStrip[] {
	const strips: IcicleStrip[] = [];
	const roots: number[] = [];
	for (let node = 0; node < outline.turn.length; node++)
		if ((outline.parentNode[node] ?? -1) < 0) roots.push(node);
	const open = roots.map((node, index) => ({
		node,
		from: index / roots.length,
		to: (index + 1) / roots.length,
	}));
	for (let place = open.pop(); place !== undefined; place = open.pop()) {
		const { node, from, to } = place;
		const start = outline.jointStart[node] ?? 0;
		const joints = (outline.jointStart[node + 1] ?? start) - start;
		const height = (to - from) / joints;
		// Where the strips would be too low, every so manieth stands for its neighbours.
		const stride = Math.max(1, Math.ceil(least / height));
		for (let at = 0; at < joints; at += stride) {
			const strip = {
				column: Math.max(0, (outline.turn[node] ?? 1) - 1),
				from: from + at * height,
				to: from + Math.min(joints, at + stride) * height,
				joint: start + at,
			};
			strips.push(strip);
			const child = outline.jointChild[strip.joint] ?? -1;
			if (child >= 0) open.push({ node: child, from: strip.from, to: strip.to });
		}
	}
	return strips;
}
