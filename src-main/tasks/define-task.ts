/**
 * What a task file may contain. A user's file reaches `defineTask` as `import { defineTask } from 'grove/task'`
 * (the host resolves that name for a file anywhere) or exports a plain object of this shape.
 *
 * The task is the default export where that is an object. A default export that is a function, or a list of
 * functions, is the reward; the other members are then the file's named exports, as they are where there is
 * no default export.
 */
import type { ChatMessage, Prompt } from '../policy/policy.ts';
import type { TaskItem, TurnContext } from './task.ts';

export type { ChatMessage, Prompt, TaskItem };

type Awaitable<T> = T | Promise<T>;

/** What every function of a task is given of one joint completion. Frozen. */
export interface TaskContext extends TurnContext {
	/** The completions' texts, one per agent. */
	texts: readonly string[];
	agentNames: readonly string[];
	/** The task's own options with the run's `task_options` over them. */
	options: Readonly<Record<string, unknown>>;
}

/** Which agent a prompt is for. */
export interface AgentView {
	/** From 0. */
	index: number;
	name: string;
	names: readonly string[];
	options: Readonly<Record<string, unknown>>;
}

export interface FormatterView extends AgentView {
	/** 1-based turn that the prompt opens. */
	turn: number;
	/** Null at turn 1. */
	feedback: string | null;
}

/** Makes an agent's prompt of an example; from turn 2 on `item.prompt` is the feedback. */
export type Formatter = (item: TaskItem, agent: FormatterView) => Awaitable<Prompt>;

/** A row of a dataset: a text (the prompt), a list of messages, or an object with at least `prompt`. */
export type DataRow = string | readonly ChatMessage[] | Readonly<Record<string, unknown>>;

/** Rows, or the path of a .jsonl, .json, .csv or .tsv file, relative to the task file. */
export type DataSource = string | readonly DataRow[];

export type Dataset = DataSource | { train: DataSource; eval?: DataSource };

export interface RewardParts {
	/** Each is logged and charted under its name. The reward is the sum of weight × part. */
	parts: Readonly<Record<string, number>>;
	/** 1 where a part has none. */
	weights?: Readonly<Record<string, number>>;
}

export type RewardValue = number | RewardParts;

export type RewardFunction = (context: TaskContext) => Awaitable<RewardValue>;

/** One function alone, whose number becomes the part of that name. */
export type RewardPart = (context: TaskContext) => Awaitable<number>;

/** One prompt per agent; one alone goes to every agent; null ends the branch. */
export type FeedbackValue = Prompt | readonly Prompt[] | { done: true } | null;

export interface TaskDefinition {
	/** Default: the file's name without its ending. */
	name?: string;
	/** One sentence. */
	summary?: string;
	/** How many agents the task is for, or their names. Default: as many as the run has. */
	agents?: number | readonly string[];
	/** How many turns it is meant for. */
	turns?: number;
	/** Default of every option; a run's `task_options` may name these and no others. */
	options?: Readonly<Record<string, unknown>>;
	/** Used where the run names no data of its own. */
	dataset?: Dataset | ((options: Readonly<Record<string, unknown>>) => Awaitable<Dataset>);
	/** Columns that every row must have, as texts. Default: ['prompt']. */
	requires?: readonly string[];
	/** First-turn prompt. Default: the formatter's, else the row's `prompt`. */
	prompts?: (item: TaskItem, agent: AgentView) => Awaitable<Prompt>;
	/** One for all agents, or one each. */
	formatters?: Formatter | readonly Formatter[];
	/** One function; or several, by name or in a list, whose weighted sum is the reward. */
	reward?: RewardFunction | readonly RewardPart[] | Readonly<Record<string, RewardPart>>;
	/** Instead of `reward`: all joint completions of a turn in one call. Same order and length. */
	rewards?: (contexts: readonly TaskContext[]) => Awaitable<readonly RewardValue[]>;
	/** Weights of named parts. */
	weights?: Readonly<Record<string, number>>;
	/** The prompts of the next turn. Needed for more than one turn. */
	feedback?: (context: TaskContext) => Awaitable<FeedbackValue>;
	/** Further numbers to log for each joint completion. */
	metrics?: (context: TaskContext) => Awaitable<Readonly<Record<string, number>>>;
	/** Numbers over all finished branches of an evaluation. */
	evaluate?: (contexts: readonly TaskContext[]) => Awaitable<Readonly<Record<string, number>>>;
	/** True ends this branch although turns are left. */
	isDone?: (context: TaskContext) => Awaitable<boolean>;
}

/** Returns its argument: it is there for an editor's completion and checks. */
export function defineTask(task: TaskDefinition): TaskDefinition {
	return task;
}
