/**
 * Returns (magrpo.md 2.6, 2.7): R = r where nothing follows, else R = r + discount × mean R of the child.
 *
 * One rule for what is missing: a joint completion whose return cannot be known (no usable reward, a
 * continuation that failed, or one in which nothing was scored) has the return null and is left out of
 * every mean, deviation and count that it would have entered.
 */
import type { JointCompletion, RolloutNode, RolloutTree } from '../contract/tree.ts';
import { element } from './element.ts';
import { isKnown, mean, meanOfKnown } from './statistics.ts';

/** The tree with the returns of joint completions, of single completions, and of nodes filled in. */
export function withReturns(
	tree: RolloutTree,
	discount: number,
	crossCredit: 'mean' | 'sum',
): RolloutTree {
	const nodes: RolloutNode[] = [];
	// Children stand after their parent, so backwards every child is ready before it is needed.
	for (const node of tree.nodes.toReversed()) {
		const joints = node.joints.map((joint) => ({
			...joint,
			return: returnOf(joint, discount, (child) => {
				return element(nodes, tree.nodes.length - 1 - child).returnMean;
			}),
		}));
		nodes.push({
			...node,
			joints,
			returnMean: meanOfKnown(joints.map((joint) => joint.return)),
			agents: node.agents.map((turn, agent) => ({
				...turn,
				completions: turn.completions.map((completion, k) => ({
					...completion,
					return: creditOf(joints, agent, k, tree.jointMode === 'cross' ? crossCredit : 'mean'),
				})),
			})),
		});
	}
	return { ...tree, nodes: nodes.reverse() };
}

function returnOf(
	joint: JointCompletion,
	discount: number,
	meanReturnOf: (child: number) => number | null,
): number | null {
	if (joint.reward === null || joint.feedbackError !== undefined) return null;
	if (joint.child === null) return joint.reward;
	const following = meanReturnOf(joint.child);
	return following === null ? null : joint.reward + discount * following;
}

/**
 * What completion k of an agent is credited with: its own joint's return (aligned), the mean over its
 * tuples (cross), or their sum (cross, compat). A sum with unknown terms is the mean of the known ones
 * times the number of all, so that a failed reward does not look like a bad one.
 */
function creditOf(
	joints: readonly JointCompletion[],
	agent: number,
	k: number,
	credit: 'mean' | 'sum',
): number | null {
	const returns = joints.filter((joint) => joint.picks[agent] === k).map((joint) => joint.return);
	const known = returns.filter(isKnown);
	if (known.length === 0) return null;
	return credit === 'mean' ? mean(known) : mean(known) * returns.length;
}
