/** A node of a tree while it grows, and what task code is shown of it. */
import type { AgentTurn, EndReason } from '../contract/tree.ts';
import type { Prompt } from '../policy/policy.ts';
import type { TaskItem, TurnContext } from '../tasks/task.ts';
import { element } from './element.ts';

export interface GrowingJoint {
	picks: readonly number[];
	reward: number | null;
	rawReward: number | null;
	rewardParts: Readonly<Record<string, number>>;
	taskMetrics: Readonly<Record<string, number>>;
	rewardError: string | null;
	feedbackError: string | null;
	/** The task said that this branch is over. */
	done: boolean;
	child: Branch | null;
}

export interface Branch {
	item: TaskItem;
	/** Null at the root. */
	parent: { branch: Branch; joint: GrowingJoint } | null;
	/** 1-based. */
	turn: number;
	/** Joint indices from the root to here; names the random streams of this node. */
	path: readonly number[];
	/** Per agent. */
	prompts: readonly Prompt[];
	rawPrompts: readonly string[];
	/** Per agent, of the earlier turns of this branch. */
	promptHistory: readonly (readonly string[])[];
	responseHistory: readonly (readonly string[])[];
	/** Filled by sampling. */
	agents: AgentTurn[];
	/** Filled by rewarding. */
	joints: GrowingJoint[];
	rewardMean: number | null;
	ended: EndReason | null;
}

export function rootOf(item: TaskItem, prompts: Prompt[], rawPrompts: string[]): Branch {
	return {
		item,
		parent: null,
		turn: 1,
		path: [],
		prompts,
		rawPrompts,
		promptHistory: prompts.map(() => []),
		responseHistory: prompts.map(() => []),
		agents: [],
		joints: [],
		rewardMean: null,
		ended: null,
	};
}

export interface ContextFacts {
	numTurns: number;
	step: number;
	purpose: 'train' | 'eval';
	promptHistory: 'seen' | 'reference';
}

/** What task code sees of one joint completion: fresh frozen lists, so that it cannot spoil a sibling. */
export function turnContext(
	branch: Branch,
	joint: number,
	picks: readonly number[],
	facts: ContextFacts,
): TurnContext {
	const chosen = branch.agents.map((turn, agent) =>
		element(turn.completions, element(picks, agent)),
	);
	return Object.freeze({
		item: branch.item,
		turn: branch.turn,
		numTurns: facts.numTurns,
		completions: Object.freeze(
			chosen.map(({ text, tokenIds, finishReason }) =>
				Object.freeze({ text, tokenCount: tokenIds.length, finishReason }),
			),
		),
		promptHistory: Object.freeze(
			branch.agents.map((turn, agent) =>
				Object.freeze([...element(branch.promptHistory, agent), toldPrompt(branch, turn, facts)]),
			),
		),
		responseHistory: Object.freeze(
			chosen.map(({ text }, agent) =>
				Object.freeze([...element(branch.responseHistory, agent), text]),
			),
		),
		joint,
		step: facts.step,
		purpose: facts.purpose,
	});
}

/** The reference tells the formatted prompt of the first turn, and the unformatted ones of later turns. */
function toldPrompt(branch: Branch, turn: AgentTurn, facts: ContextFacts): string {
	return facts.promptHistory === 'seen' || branch.turn === 1 ? turn.prompt : turn.rawPrompt;
}
