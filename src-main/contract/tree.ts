/**
 * The rollout tree: one structure for the trainer, the tables and the views.
 *
 * A tree belongs to one example (prompt) at one step. A node is one turn of one branch: each agent
 * has a prompt there and G completions. The joint completions of a node pair the agents' completions
 * (aligned: j with j; cross: every tuple, the last agent fastest), are rewarded, and each may lead to
 * one child node, whose prompts are the feedback that it received. "Not scored" is null, never 0.
 */

/** `eos`: an end token was sampled; `length`: the limit was hit; `stop`: a stop string was completed. */
export type FinishReason = 'eos' | 'length' | 'stop';

/** One completion of one agent at one node. */
export interface AgentCompletion {
	/** Decoded without special tokens. */
	text: string;
	/** Exactly the sampled ids, with the end token if one was sampled. */
	tokenIds: readonly number[];
	/** Log-probability of each token of `tokenIds` under the sampling policy (temperature 1, full softmax). */
	logProbs: readonly number[];
	finishReason: FinishReason;
	/** Return credited to this completion (cross: mean over its tuples; compat: sum), reference-KL penalty not yet subtracted. */
	return: number | null;
	/** Advantage that the update used; null if it was not trained on. */
	advantage: number | null;
	/** Per-sequence k3 KL to the frozen reference, if the run keeps one. */
	referenceKl: number | null;
}

/** What one agent was asked and answered at a node. */
export interface AgentTurn {
	/** The text the model saw, after formatting and template. */
	prompt: string;
	/** The feedback or dataset text before formatting (equal to `prompt` where nothing formats). */
	rawPrompt: string;
	promptTokenIds: readonly number[];
	/** Tokens cut on the left because the prompt exceeded the context; 0 as a rule. */
	promptTokensCut: number;
	/** G completions. */
	completions: readonly AgentCompletion[];
}

/** A joint completion: one completion of each agent, and what the reward said of them. */
export interface JointCompletion {
	/** Index of each agent's completion within its `completions`. Length N. */
	picks: readonly number[];
	/** Total reward after the reward processor; null where none could be had (see `rewardError`). */
	reward: number | null;
	/** Total before the reward processor. */
	rawReward: number | null;
	/** Named, weighted parts whose sum is `rawReward`; empty when the task gives only a number. */
	rewardParts: Readonly<Record<string, number>>;
	/** Further numbers from the task's `metrics`. */
	taskMetrics: Readonly<Record<string, number>>;
	rewardError: string | null;
	/** Why no child follows although one was due; the return is then unknown. */
	feedbackError?: string;
	/** r + discount × mean of the child's returns (magrpo.md 2.6). */
	return: number | null;
	/** Index within the tree's `nodes` of the node this joint completion led to. */
	child: number | null;
}

/** Why a node has no children. `threshold`: its mean reward exceeded the limit; `done`: the task said so; `error`: reward or feedback failed. */
export type EndReason = 'last-turn' | 'threshold' | 'done' | 'error';

export interface RolloutNode {
	/** Position in `nodes`, which is depth-first pre-order. */
	index: number;
	/** 1-based, as in the metric names. */
	turn: number;
	/** The joint completion that led here; null for the root. */
	parent: { node: number; joint: number } | null;
	/** Joint completions scored up to and including this node, over the whole run. */
	envStep: number;
	/** One per agent. */
	agents: readonly AgentTurn[];
	joints: readonly JointCompletion[];
	/** Over scored joint completions; null if none was scored. */
	rewardMean: number | null;
	returnMean: number | null;
	/** Null while it has children. */
	ended: EndReason | null;
	/** All returns of the group equal: nothing to learn here. */
	zeroVariance: boolean;
}

export interface RolloutTree {
	/** 1-based training step, or the step at which an evaluation was made. */
	step: number;
	epoch: number;
	/** Row of the dataset. */
	itemIndex: number;
	itemId: string;
	/** The dataset's prompt, for lists and search. */
	title: string;
	jointMode: 'aligned' | 'cross';
	purpose: 'train' | 'eval';
	nodes: readonly RolloutNode[];
}

/** Closed forms of magrpo.md 2.5 for a full tree (no early end); turn is 1-based. */
export function fullTreeSize(
	agents: number,
	generations: number,
	turns: number,
	mode: 'aligned' | 'cross',
): { nodes: number; joints: number; completionsPerAgent: number } {
	const jointsPerNode = mode === 'aligned' ? generations : generations ** agents;
	let nodes = 0;
	for (let turn = 0; turn < turns; turn++) nodes += jointsPerNode ** turn;
	return { nodes, joints: nodes * jointsPerNode, completionsPerAgent: nodes * generations };
}
