/** A task made of a few functions, in this process. */
import type { Prompt } from '../../src-main/policy/policy.ts';
import type {
	FeedbackOutcome,
	RewardOutcome,
	Task,
	TaskItem,
	TurnContext,
} from '../../src-main/tasks/task.ts';

export interface FakeTaskOptions {
	agents?: number;
	/** Training examples: their prompts. */
	train?: readonly string[];
	eval?: readonly string[];
	/** A number is the total. Default: the share of the letter 'a' among the letters of all agents. */
	reward?: (context: TurnContext) => number | RewardOutcome;
	/** A list of texts is the next prompts. Default: the last answer of every agent, quoted. */
	feedback?: (context: TurnContext) => string[] | FeedbackOutcome;
	prompts?: (item: TaskItem) => string[];
	evaluate?: (contexts: readonly TurnContext[]) => Record<string, number>;
}

export interface FakeTask extends Task {
	/** Every context that was rewarded, in order. */
	readonly rewarded: TurnContext[];
	/** Every context that feedback was asked for. */
	readonly fedBack: TurnContext[];
}

export function scored(total: number, more: Partial<RewardOutcome> = {}): RewardOutcome {
	return { kind: 'scored', total, parts: {}, metrics: {}, done: false, ...more } as RewardOutcome;
}

export function fakeTask(options: FakeTaskOptions = {}): FakeTask {
	const agents = options.agents ?? 2;
	const rewarded: TurnContext[] = [];
	const fedBack: TurnContext[] = [];
	return {
		name: 'fake',
		agentNames: Array.from({ length: agents }, (_, index) => `agent_${index + 1}`),
		train: itemsOf(options.train ?? ['first', 'second', 'third']),
		eval: itemsOf(options.eval ?? []),
		source: { name: 'fake', path: null, text: '', hash: '' },
		rewarded,
		fedBack,
		async prompts(item) {
			await Promise.resolve();
			const texts = options.prompts?.(item) ?? Array.from({ length: agents }, () => item.prompt);
			return { prompts: [...texts], rawPrompts: texts };
		},
		async rewards(contexts) {
			await Promise.resolve();
			rewarded.push(...contexts);
			return contexts.map((context) => {
				const answer = (options.reward ?? shareOfA)(context);
				return typeof answer === 'object' ? answer : scored(answer);
			});
		},
		async feedback(contexts) {
			await Promise.resolve();
			fedBack.push(...contexts);
			return contexts.map((context) => {
				const answer = (options.feedback ?? quoteAll)(context);
				if (!Array.isArray(answer)) return answer;
				const prompts: Prompt[] = answer.map((text) => `[${text}]`);
				return { kind: 'prompts', prompts, rawPrompts: answer };
			});
		},
		async evaluate(contexts) {
			await Promise.resolve();
			return options.evaluate?.(contexts) ?? {};
		},
		async dispose() {
			await Promise.resolve();
		},
	};
}

function itemsOf(prompts: readonly string[]): TaskItem[] {
	return prompts.map((prompt, index) => ({ index, id: String(index), prompt, fields: { prompt } }));
}

function shareOfA({ completions }: TurnContext): number {
	const text = completions.map((completion) => completion.text).join('');
	return text.length === 0 ? 0 : [...text].filter((letter) => letter === 'a').length / text.length;
}

function quoteAll({ completions, turn }: TurnContext): string[] {
	const said = completions.map(({ text }) => text).join('|');
	return completions.map((_, agent) => `turn ${turn}, agent ${agent}: ${said}`);
}
