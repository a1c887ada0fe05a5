/** Advantages of every group of a tree: one group is the completions of one agent at one node. */
import type { AgentTurn, RolloutTree } from '../contract/tree.ts';
import { type AdvantageRule, advantagesOf, hasVariance } from './advantages.ts';
import { element } from './element.ts';

export interface TreeAdvantageRule extends AdvantageRule {
	/** Weight of the reference KL; 0 where the run keeps no reference. */
	klCoefficient: number;
	/** Per agent; a frozen agent is not trained and gets no advantages. */
	frozen: readonly boolean[];
}

/** The tree with advantages and `zeroVariance` filled in. */
export function withAdvantages(tree: RolloutTree, rule: TreeAdvantageRule): RolloutTree {
	const nodes = tree.nodes.map((node) => ({
		...node,
		zeroVariance: !node.agents.some((turn) => hasVariance(effectiveReturns(turn, rule))),
		agents: node.agents.map((turn, agent) => {
			const advantages = advantagesOf(effectiveReturns(turn, rule), rule);
			return {
				...turn,
				completions: turn.completions.map((completion, k) => ({
					...completion,
					advantage: rule.frozen[agent] === true ? null : element(advantages, k),
				})),
			};
		}),
	}));
	return { ...tree, nodes };
}

/** Returns minus the weighted reference KL. */
function effectiveReturns(turn: AgentTurn, rule: TreeAdvantageRule): (number | null)[] {
	return turn.completions.map((completion) =>
		completion.return === null
			? null
			: completion.return - rule.klCoefficient * (completion.referenceKl ?? 0),
	);
}
