/** Tries a task on sample completions, for a person who is writing it. */
import { GroveError } from '../contract/errors.ts';
import { openTask, type OpenTaskOptions } from './open-task.ts';
import type { FeedbackOutcome, RewardOutcome, TaskItem, TaskSource, TurnContext } from './task.ts';

export interface CheckTaskOptions extends Pick<
	OpenTaskOptions,
	'task' | 'options' | 'baseFolder' | 'prompts' | 'train_data' | 'train_slice' | 'columns' | 'spawn'
> {
	/** Null or left out: as many as the task is for, else two. */
	numAgents?: number | null;
	/** Joint completions to score: each the texts of all agents. Default: three made-up ones. */
	samples?: readonly (readonly string[])[];
	/** Which example they answer, from 0. */
	example?: number;
	timeLimitMs?: number;
	memoryLimitMb?: number;
}

export interface CheckedSample {
	texts: readonly string[];
	reward: RewardOutcome;
	rewardMs: number;
	/** Null where the task has no feedback, or says that it is done. */
	feedback: FeedbackOutcome | null;
	feedbackMs: number;
}

export interface TaskCheck {
	name: string;
	summary: string;
	agentNames: readonly string[];
	/** Turns that the task is meant for; null where it does not say. */
	turns: number | null;
	hasFeedback: boolean;
	trainItems: number;
	evalItems: number;
	item: TaskItem;
	/** First-turn prompts as texts, one per agent; `raw` is the text before formatting. */
	prompts: { agent: string; prompt: string; raw: string }[];
	samples: CheckedSample[];
	/** What the task's code printed. */
	output: { level: 'info' | 'warning' | 'error'; text: string }[];
	loadMs: number;
	source: TaskSource;
}

/** Made-up answers: each agent twice as long as the one before, all alike, all empty. */
function exampleSamples(agents: number): string[][] {
	const sentence = 'The quick brown fox tells a short story. ';
	const each = <T>(make: (agent: number) => T): T[] =>
		Array.from({ length: agents }, (_, agent) => make(agent));
	return [
		each((agent) => sentence.repeat(2 ** Math.min(agent, 6)).trim()),
		each(() => sentence.trim()),
		each(() => ''),
	];
}

/** Throws 'bad-input' for a joint completion that lacks an agent's text, or has one too many. */
function requireAllAgents(
	samples: readonly (readonly string[])[],
	agentNames: readonly string[],
): void {
	const wrong = samples.findIndex((texts) => texts.length !== agentNames.length);
	if (wrong < 0) return;
	throw new GroveError('bad-input', {
		where: `joint completion ${wrong + 1}`,
		what: 'it needs one text of each agent',
		expected: `${agentNames.length} texts: ${agentNames.join(', ')}`,
		given: `${samples[wrong]?.length ?? 0}`,
	});
}

/** Throws GroveError as `openTask` does; what reward and feedback do wrong is in the result instead. */
export async function checkTask(options: CheckTaskOptions): Promise<TaskCheck> {
	const output: TaskCheck['output'] = [];
	const start = performance.now();
	const task = await openTask({
		...options,
		numAgents: options.numAgents ?? null,
		numTurns: 1,
		seed: 42,
		timeLimitMs: options.timeLimitMs ?? 60_000,
		memoryLimitMb: options.memoryLimitMb ?? 1024,
		fallbackPrompts: ['An example prompt.'],
		onLog: (level, text) => output.push({ level, text }),
	});
	try {
		const loadMs = performance.now() - start;
		const item = task.train[Math.min(options.example ?? 0, task.train.length - 1)];
		if (item === undefined) throw new Error('a task was opened without examples');
		const { prompts, rawPrompts } = await task.prompts(item);
		const shown = prompts.map((prompt, agent) => ({
			agent: task.agentNames[agent] ?? '',
			prompt:
				typeof prompt === 'string'
					? prompt
					: prompt.map(({ role, content }) => `[${role}] ${content}`).join('\n'),
			raw: rawPrompts[agent] ?? '',
		}));
		const samples: CheckedSample[] = [];
		const given = options.samples ?? exampleSamples(task.agentNames.length);
		requireAllAgents(given, task.agentNames);
		for (const [joint, texts] of given.entries()) {
			const context = contextOf(
				item,
				texts,
				shown.map(({ prompt }) => prompt),
				joint,
				task.turns,
			);
			const before = performance.now();
			const [reward] = await task.rewards([context]);
			const between = performance.now();
			if (reward === undefined) continue;
			const goesOn = task.hasFeedback && !(reward.kind === 'scored' && reward.done);
			const [feedback] = goesOn ? await task.feedback([context]) : [];
			samples.push({
				texts,
				reward,
				rewardMs: between - before,
				feedback: feedback ?? null,
				feedbackMs: performance.now() - between,
			});
		}
		return {
			name: task.name,
			summary: task.summary,
			agentNames: task.agentNames,
			turns: task.turns,
			hasFeedback: task.hasFeedback,
			trainItems: task.train.length,
			evalItems: task.eval.length,
			item,
			prompts: shown,
			samples,
			output,
			loadMs,
			source: task.source,
		};
	} finally {
		await task.dispose();
	}
}

function contextOf(
	item: TaskItem,
	texts: readonly string[],
	prompts: readonly string[],
	joint: number,
	turns: number | null,
): TurnContext {
	return {
		item,
		turn: 1,
		numTurns: turns ?? 2,
		completions: texts.map((text) => ({
			text,
			tokenCount: text.split(/\s+/u).filter((word) => word !== '').length,
			finishReason: 'eos',
		})),
		promptHistory: prompts.map((prompt) => [prompt]),
		responseHistory: texts.map((text) => [text]),
		joint,
		step: 0,
		purpose: 'check',
	};
}
