/**
 * What the trainer needs of a task: examples, first prompts, rewards, and the feedback that makes the
 * next turn. A user's task file (`define-task.ts`) is turned into this by the host, in a process of its own;
 * the built-in tasks go the same way, so there is one path.
 */
import type { FinishReason } from '../contract/tree.ts';
import type { Prompt } from '../policy/policy.ts';

/** One example: whatever fields the data has, plus what every example has. */
export interface TaskItem {
	/** Row in its dataset, from 0. */
	index: number;
	/** The row's own `id`, else its number as text. */
	id: string;
	/** For lists and search; the reference passes it to the transition. */
	prompt: string;
	/** All columns of the row. JSON values. */
	fields: Readonly<Record<string, unknown>>;
}

export interface CompletionView {
	text: string;
	tokenCount: number;
	finishReason: FinishReason;
}

/** What reward, feedback and metrics are given. Frozen copies: a callback cannot spoil a sibling branch. */
export interface TurnContext {
	item: TaskItem;
	/** 1-based. */
	turn: number;
	numTurns: number;
	/** One per agent. */
	completions: readonly CompletionView[];
	/** Per agent, the prompts up to and including this turn on this branch. */
	promptHistory: readonly (readonly string[])[];
	/** Per agent, the chosen responses up to and including this turn. */
	responseHistory: readonly (readonly string[])[];
	/** Joint index at this node, for messages. */
	joint: number;
	/** Training step, for messages. */
	step: number;
	purpose: 'train' | 'eval' | 'check';
}

export type RewardOutcome =
	| {
			kind: 'scored';
			total: number;
			parts: Record<string, number>;
			metrics: Record<string, number>;
			done: boolean;
	  }
	| { kind: 'error'; message: string };

export type FeedbackOutcome =
	| { kind: 'prompts'; prompts: Prompt[]; rawPrompts: string[] }
	| { kind: 'done' }
	| { kind: 'error'; message: string };

/** The exact code that scores a run, stored with it. */
export interface TaskSource {
	name: string;
	/** Absolute path of the file; null for a built-in one. */
	path: string | null;
	text: string;
	/** SHA-256 of `text`, hex. */
	hash: string;
}

export interface Task {
	readonly name: string;
	/** Length N. */
	readonly agentNames: readonly string[];
	readonly train: readonly TaskItem[];
	readonly eval: readonly TaskItem[];
	readonly source: TaskSource;

	/** First-turn prompt of each agent; `raw` is the text before formatting. */
	prompts(item: TaskItem): Promise<{ prompts: Prompt[]; rawPrompts: string[] }>;

	/** Same order and length as `contexts`. An entry fails alone; only a broken host rejects (GroveError 'task'). */
	rewards(contexts: readonly TurnContext[]): Promise<RewardOutcome[]>;

	/** Feedback for every joint completion that goes on. Same order and length. */
	feedback(contexts: readonly TurnContext[]): Promise<FeedbackOutcome[]>;

	/** The task's own evaluation numbers over finished evaluation branches; {} if it has none. */
	evaluate(contexts: readonly TurnContext[]): Promise<Record<string, number>>;

	/** Ends the host process. */
	dispose(): Promise<void>;
}
