/** What the buffer keeps of a node: just enough to learn from it and to log it. A JSON value. */
import type { RolloutTree } from '../contract/tree.ts';
import { isKnown } from './statistics.ts';

export interface CompletionSample {
	tokenIds: readonly number[];
	/** Null: left out of the update. */
	advantage: number | null;
}

export interface AgentSample {
	promptTokenIds: readonly number[];
	/** The whole group, since compat pads to its longest member. */
	completions: readonly CompletionSample[];
	/** Empty where the run keeps no reference. */
	referenceKls: readonly number[];
}

/** One per node; the reference keeps the same once per agent. */
export interface NodeSample {
	turn: number;
	envStep: number;
	rewardMean: number;
	returnMean: number;
	/** One per agent. */
	agents: readonly AgentSample[];
}

/** Samples of the nodes in which anything was scored, in the order of their env steps. */
export function nodeSamples(tree: RolloutTree): NodeSample[] {
	return tree.nodes.flatMap((node) => {
		if (node.rewardMean === null || node.returnMean === null) return [];
		const agents = node.agents.map((turn) => ({
			promptTokenIds: turn.promptTokenIds,
			completions: turn.completions.map(({ tokenIds, advantage }) => ({ tokenIds, advantage })),
			referenceKls: turn.completions.map(({ referenceKl }) => referenceKl).filter(isKnown),
		}));
		const { turn, envStep, rewardMean, returnMean } = node;
		return [{ turn, envStep, rewardMean, returnMean, agents }];
	});
}
