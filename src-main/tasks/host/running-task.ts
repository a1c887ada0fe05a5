/** A loaded task: calls its functions, one joint completion at a time or side by side, and checks the answers. */
import type { FeedbackOutcome, RewardOutcome, TaskItem } from '../task.ts';
import type { Prompt } from '../../policy/policy.ts';
import type { AgentView, TaskContext } from '../define-task.ts';
import { CallLimits, TimeLimitError } from './call-limits.ts';
import { describeValue } from './describe-value.ts';
import { explainThrown } from './explain-thrown.ts';
import { type JournalWriter, type Phase, phases } from './journal.ts';
import type { TaskFunction } from './member-reader.ts';
import type { NormalTask } from './normalise-definition.ts';
import type { PackedContext, PromptsOutcome } from './protocol.ts';
import {
	finiteProblem,
	numbers,
	readFeedback,
	readNumbers,
	readReward,
	type RewardResult,
	weigh,
} from './read-outcome.ts';
import { promptText, readPrompt } from './read-prompt.ts';
import type { TaskRandomness } from './task-randomness.ts';

/** Asynchronous calls that run at the same time. */
const mostSideBySide = 64;

/** A failure of the task's code, in words; what the caller makes an error outcome of. */
export class CallError extends Error {}

export interface RunningTaskFacts {
	task: NormalTask;
	/** For messages: the file as the person named it. */
	file: string;
	folder: string;
	ownFolder: string;
	agentNames: readonly string[];
	options: Readonly<Record<string, unknown>>;
	timeLimitMs: number;
	journal: JournalWriter;
	randomness: TaskRandomness;
	stringify: (value: unknown) => string;
}

export class RunningTask {
	readonly #facts: RunningTaskFacts;
	readonly limits: CallLimits;

	constructor(facts: RunningTaskFacts) {
		this.#facts = facts;
		this.limits = new CallLimits(facts.timeLimitMs, facts.journal);
	}

	/** First-turn prompts of one example. */
	async prompts(item: TaskItem): Promise<PromptsOutcome> {
		const { task } = this.#facts;
		freezeDeep(item);
		const own = task.prompts;
		return this.#outcome<PromptsOutcome>(async () => {
			const prompts: Prompt[] = [];
			const rawPrompts: string[] = [];
			for (let agent = 0; agent < this.#facts.agentNames.length; agent++) {
				if (own === null) {
					prompts[agent] = await this.#formatted(item, agent, 1, null);
				} else {
					const value = await this.#call('prompts', agent, own, item, this.#agentView(agent));
					prompts[agent] = this.#promptOf('prompts', agent, value);
				}
				rawPrompts[agent] = item.prompt;
			}
			return { kind: 'prompts', prompts, rawPrompts };
		});
	}

	async rewards(
		items: readonly TaskItem[],
		packed: readonly PackedContext[],
		seal: (position: number, outcome: RewardOutcome) => void,
	): Promise<RewardOutcome[]> {
		const contexts = this.#contexts(items, packed);
		const { reward } = this.#facts.task;
		const totals = reward.kind === 'batch' ? await this.#batch(contexts, reward.run) : null;
		return this.#each(contexts, async (context, index) => {
			const outcome = await this.#outcome<RewardOutcome>(() =>
				this.#score(context, index, totals === null ? null : (totals[index] ?? null)),
			);
			seal(index, outcome);
			return outcome;
		});
	}

	async feedback(
		items: readonly TaskItem[],
		packed: readonly PackedContext[],
		seal: (position: number, outcome: FeedbackOutcome) => void,
	): Promise<FeedbackOutcome[]> {
		return this.#each(this.#contexts(items, packed), async (context, index) => {
			const outcome = await this.#outcome<FeedbackOutcome>(() => this.#feed(context, index));
			seal(index, outcome);
			return outcome;
		});
	}

	/** Throws CallError. */
	async evaluate(
		items: readonly TaskItem[],
		packed: readonly PackedContext[],
	): Promise<Record<string, number>> {
		const run = this.#facts.task.evaluate;
		if (run === null) return {};
		const contexts = this.#contexts(items, packed);
		const result = readNumbers(await this.#call('evaluate', -1, run, contexts), 'returned');
		if (!result.ok) throw this.#error(`evaluate ${result.problem}`);
		return result.values;
	}

	async #score(
		context: TaskContext,
		index: number,
		batched: RewardResult | null,
	): Promise<RewardOutcome> {
		const { task } = this.#facts;
		const result = batched ?? (await this.#reward(context, index));
		if (!result.ok) throw this.#error(`reward returned ${result.problem}`);
		let done = false;
		if (task.isDone !== null) {
			const value = await this.#call('isDone', index, task.isDone, context);
			if (typeof value !== 'boolean') {
				throw this.#error(`isDone returned ${describeValue(value)}, expected true or false`);
			}
			done = value;
		}
		let metrics = numbers();
		if (task.metrics !== null) {
			const value = await this.#call('metrics', index, task.metrics, context);
			const read = readNumbers(value, 'returned');
			if (!read.ok) throw this.#error(`metrics ${read.problem}`);
			metrics = read.values;
		}
		return { kind: 'scored', total: result.total, parts: result.parts, metrics, done };
	}

	async #reward(context: TaskContext, index: number): Promise<RewardResult> {
		const { reward, weights } = this.#facts.task;
		if (reward.kind === 'batch') throw new Error('a batch has been scored before');
		if (reward.kind === 'one') {
			return readReward(await this.#call('reward', index, reward.run, context), weights);
		}
		const parts = numbers();
		for (let part = 0; part < reward.parts.length; part++) {
			const { name, run } = reward.parts[part] ?? {};
			if (name === undefined || run === undefined) continue;
			const value = await this.#call('reward', index, run, context, name);
			const problem = finiteProblem(value);
			if (problem !== null) throw this.#error(`reward "${name}" returned ${problem}`);
			parts[name] = value as number;
		}
		return weigh(parts, weights);
	}

	/** One call for all; where the list itself is wrong, every entry is told so. */
	async #batch(
		contexts: readonly TaskContext[],
		run: TaskFunction,
	): Promise<(RewardResult | null)[]> {
		const results: RewardResult[] = [];
		let problem: string | null = null;
		try {
			const values = await this.#call('reward', -1, run, contexts);
			if (!Array.isArray(values)) {
				problem = `${describeValue(values)}, expected a list of ${contexts.length} rewards`;
			} else if (values.length !== contexts.length) {
				problem = `${describeValue(values)}, expected ${contexts.length}, one per joint completion`;
			} else {
				for (let i = 0; i < values.length; i++) {
					results[i] = readReward(values[i], this.#facts.task.weights);
				}
			}
		} catch (error) {
			if (!(error instanceof CallError)) throw error;
			problem = error.message;
		}
		if (problem !== null) {
			for (let i = 0; i < contexts.length; i++) results[i] = { ok: false, problem };
		}
		return results;
	}

	async #feed(context: TaskContext, index: number): Promise<FeedbackOutcome> {
		const run = this.#facts.task.feedback;
		if (run === null) throw this.#error('the task has no feedback(context)');
		const value = await this.#call('feedback', index, run, context);
		const result = readFeedback(value, this.#facts.agentNames.length);
		if (!result.ok) throw this.#error(`feedback returned ${result.problem}`);
		if (result.prompts === null) return { kind: 'done' };
		const prompts: Prompt[] = [];
		const rawPrompts: string[] = [];
		for (let agent = 0; agent < result.prompts.length; agent++) {
			const raw = result.prompts[agent] ?? '';
			const text = promptText(raw);
			rawPrompts[agent] = text;
			prompts[agent] =
				this.#facts.task.formatters.length === 0
					? raw
					: await this.#formatted(
							Object.freeze({ ...context.item, prompt: text }),
							agent,
							context.turn + 1,
							text,
						);
		}
		return { kind: 'prompts', prompts, rawPrompts };
	}

	async #formatted(
		item: TaskItem,
		agent: number,
		turn: number,
		feedback: string | null,
	): Promise<Prompt> {
		const { formatters } = this.#facts.task;
		const formatter = formatters.length === 1 ? formatters[0] : formatters[agent];
		if (formatter === undefined) {
			return Array.isArray(item.fields.prompt) ? (item.fields.prompt as Prompt) : item.prompt;
		}
		const view = Object.freeze({ ...this.#agentView(agent), turn, feedback });
		return this.#promptOf(
			'formatters',
			agent,
			await this.#call('prompts', agent, formatter, item, view, 'formatter'),
		);
	}

	#promptOf(member: string, agent: number, value: unknown): Prompt {
		const read = readPrompt(value);
		if (read.ok) return read.prompt;
		throw this.#error(`${member} returned for agent ${agent + 1} a prompt that ${read.problem}`);
	}

	#agentView(index: number): AgentView {
		const { agentNames, options } = this.#facts;
		return Object.freeze({ index, name: agentNames[index] ?? '', names: agentNames, options });
	}

	#contexts(items: readonly TaskItem[], packed: readonly PackedContext[]): TaskContext[] {
		for (let i = 0; i < items.length; i++) freezeDeep(items[i]);
		const contexts: TaskContext[] = [];
		for (let i = 0; i < packed.length; i++) {
			const context = packed[i];
			const item = context === undefined ? undefined : items[context.item];
			if (context === undefined || item === undefined) throw new Error('an example is missing');
			const texts: string[] = [];
			for (let agent = 0; agent < context.completions.length; agent++) {
				texts[agent] = context.completions[agent]?.text ?? '';
			}
			const { agentNames, options } = this.#facts;
			freezeDeep(context.completions);
			freezeDeep(context.promptHistory);
			freezeDeep(context.responseHistory);
			contexts[i] = Object.freeze({
				...context,
				item,
				texts: Object.freeze(texts),
				agentNames,
				options,
			});
		}
		return contexts;
	}

	/** Runs `work` for every context, at most so many at the same time, in order of start. */
	async #each<T>(
		contexts: readonly TaskContext[],
		work: (context: TaskContext, index: number) => Promise<T>,
	): Promise<T[]> {
		const results: T[] = [];
		let next = 0;
		const lane = async (): Promise<void> => {
			for (;;) {
				const index = next++;
				const context = contexts[index];
				if (context === undefined) return;
				results[index] = await work(context, index);
			}
		};
		const lanes: Promise<void>[] = [];
		for (let i = 0; i < Math.min(mostSideBySide, contexts.length); i++) lanes[i] = lane();
		for (let i = 0; i < lanes.length; i++) await lanes[i];
		return results;
	}

	/** Calls one function of the task. The last text among `parameters` beyond the first names a part. */
	async #call(
		phase: Phase,
		index: number,
		run: TaskFunction,
		first: unknown,
		second?: unknown,
		part?: string,
	): Promise<unknown> {
		const { journal, randomness } = this.#facts;
		const name = part ?? (typeof second === 'string' ? second : null);
		const called = name === null ? phase : phase === 'prompts' ? name : `${phase} "${name}"`;
		journal.mark(phases.indexOf(phase), index);
		const context = first as Partial<PackedContext>;
		randomness.begin(phase, context.purpose ?? '', context.step ?? 0, context.position ?? index);
		try {
			const value = run(first, second);
			if (!isThenable(value)) return value;
			return await this.limits.settle(value, index);
		} catch (thrown) {
			if (thrown instanceof TimeLimitError) {
				throw this.#error(
					`${called} took longer than ${this.#facts.timeLimitMs / 1000} s: its promise was not settled`,
				);
			}
			const { message, where } = explainThrown(thrown, this.#facts.folder, this.#facts.ownFolder);
			throw new CallError(`${where ?? this.#facts.file}: ${called} threw ${message}`);
		} finally {
			this.limits.markWaiting();
		}
	}

	#error(problem: string): CallError {
		return new CallError(`${this.#facts.file}: ${problem}`);
	}

	async #outcome<T>(work: () => Promise<T>): Promise<T | { kind: 'error'; message: string }> {
		try {
			return await work();
		} catch (error) {
			if (error instanceof CallError) return { kind: 'error', message: error.message };
			throw error;
		}
	}
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
	return (
		typeof value === 'object' &&
		value !== null &&
		'then' in value &&
		typeof value.then === 'function'
	);
}

/** Data come as JSON of bounded depth, so recursion is safe. */
function freezeDeep(value: unknown): void {
	if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
	Object.freeze(value);
	const keys = Object.keys(value);
	for (let i = 0; i < keys.length; i++) {
		freezeDeep((value as Record<string, unknown>)[keys[i] ?? '']);
	}
}
