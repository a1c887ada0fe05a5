/** The shape of a full tree of `turns` turns with `joints` joint completions a node, in pre-order. */
export function fullTree(
	joints: number,
	turns: number,
): {
	turn: Int32Array;
	parentNode: Int32Array;
	parentJoint: Int32Array;
	jointStart: Int32Array;
	jointChild: Int32Array;
} {
	const turn: number[] = [];
	const parentNode: number[] = [];
	const parentJoint: number[] = [];
	const jointChild: number[] = [];
	const grow = (depth: number, parent: number, joint: number): number => {
		const node = turn.length;
		turn.push(depth);
		parentNode.push(parent);
		parentJoint.push(joint);
		for (let at = 0; at < joints; at++) jointChild.push(-1);
		if (depth < turns)
			for (let at = 0; at < joints; at++)
				jointChild[node * joints + at] = grow(depth + 1, node, at);
		return node;
	};
	grow(1, -1, -1);
	return {
		turn: Int32Array.from(turn),
		parentNode: Int32Array.from(parentNode),
		parentJoint: Int32Array.from(parentJoint),
		jointStart: Int32Array.from({ length: turn.length + 1 }, (_, node) => node * joints),
		jointChild: Int32Array.from(jointChild),
	};
}
