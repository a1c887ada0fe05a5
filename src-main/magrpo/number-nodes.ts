/** From grown branches to the tree that everybody sees: nodes in depth-first pre-order, env steps in that order. */
import type { RolloutNode, RolloutTree } from '../contract/tree.ts';
import type { Branch } from './branch.ts';
import type { GrowSettings } from './grow-settings.ts';

/** `envStep`: joint completions scored before this tree; the last node's `envStep` is the count after it. */
export function numberNodes(root: Branch, envStep: number, settings: GrowSettings): RolloutTree {
	const nodes: RolloutNode[] = [];
	let scored = envStep;
	const visit = (branch: Branch, parent: RolloutNode['parent']): number => {
		const index = nodes.length;
		scored += branch.joints.length;
		const node = nodeOf(branch, index, parent, scored);
		// The place in the order is taken before the children's, whose indices the joints then name.
		nodes.push(node);
		const joints = branch.joints.map(({ done: _, child, feedbackError, ...joint }, j) => ({
			...joint,
			...(feedbackError === null ? {} : { feedbackError }),
			return: null,
			child: child === null ? null : visit(child, { node: index, joint: j }),
		}));
		nodes[index] = { ...node, joints };
		return index;
	};
	visit(root, null);
	return {
		step: settings.step,
		epoch: settings.epoch,
		itemIndex: root.item.index,
		itemId: root.item.id,
		title: root.item.prompt,
		jointMode: settings.jointMode,
		purpose: settings.purpose,
		nodes,
	};
}

function nodeOf(
	branch: Branch,
	index: number,
	parent: RolloutNode['parent'],
	envStep: number,
): RolloutNode {
	return {
		index,
		turn: branch.turn,
		parent,
		envStep,
		agents: branch.agents,
		joints: [],
		rewardMean: branch.rewardMean,
		returnMean: null,
		ended: branch.ended,
		zeroVariance: false,
	};
}
