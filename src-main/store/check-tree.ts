import type { RolloutNode, RolloutTree } from '../contract/tree.ts';

/**
 * Whether a tree from a stranger's file is one: parents come before their children and name each other,
 * and picks are completions that are there. Views walk along these numbers. Throws RangeError.
 */
export function checkTree(tree: RolloutTree): void {
	for (const node of tree.nodes) {
		if (
			!isPlaced(tree, node) ||
			!node.joints.every((_, joint) => isSoundJoint(tree, node, joint))
		) {
			throw new RangeError(`node ${node.index} of the tree of step ${tree.step} is out of place`);
		}
	}
}

function isPlaced(tree: RolloutTree, { index, parent, turn }: RolloutNode): boolean {
	if (parent === null) return index === 0;
	const above = tree.nodes[parent.node];
	return (
		above !== undefined &&
		parent.node < index &&
		turn > above.turn &&
		above.joints[parent.joint]?.child === index
	);
}

function isSoundJoint(tree: RolloutTree, node: RolloutNode, index: number): boolean {
	const joint = node.joints[index];
	if (joint?.picks.length !== node.agents.length) return false;
	const arePicksThere = joint.picks.every(
		(pick, agent) => node.agents[agent]?.completions[pick] !== undefined,
	);
	if (joint.child === null) return arePicksThere;
	const parent = tree.nodes[joint.child]?.parent;
	return arePicksThere && parent?.node === node.index && parent.joint === index;
}
