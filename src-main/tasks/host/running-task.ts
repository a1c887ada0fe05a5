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
					const view = this.#agentView(agent);
					this.#facts.randomness.begin('prompts', item.index, agent);
					prompts[agent] = await this.#call(
						'prompts',
						agent,
						'prompts',
						() => own(item, view),
						(value) => this.#promptOf('prompts', agent, value),
					);
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
		this.#facts.randomness.begin('evaluate', contexts[0]?.step ?? 0);
		return this.#call(
			'evaluate',
			-1,
			'evaluate',
			() => run(contexts),
			(value) => this.#numbersOf('evaluate', value),
		);
	}

	async #score(
		context: TaskContext,
		index: number,
		batched: RewardResult | CallError | null,
	): Promise<RewardOutcome> {
		const { task } = this.#facts;
		if (batched instanceof CallError) throw batched;
		this.#beginCall('reward', context);
		const result = batched ?? (await this.#reward(context, index));
		if (!result.ok) throw this.#error(`reward returned ${result.problem}`);
		const { isDone, metrics: measure } = task;
		const done =
			isDone !== null &&
			(await this.#call(
				'isDone',
				index,
				'isDone',
				() => isDone(context),
				(value) => {
					if (typeof value === 'boolean') return value;
					throw this.#error(`isDone returned ${describeValue(value)}, expected true or false`);
				},
			));
		const metrics =
			measure === null
				? numbers()
				: await this.#call(
						'metrics',
						index,
						'metrics',
						() => measure(context),
						(value) => this.#numbersOf('metrics', value),
					);
		return { kind: 'scored', total: result.total, parts: result.parts, metrics, done };
	}

	async #reward(context: TaskContext, index: number): Promise<RewardResult> {
		const { reward, weights } = this.#facts.task;
		if (reward.kind === 'batch') throw new Error('a batch has been scored before');
		if (reward.kind === 'one') {
			return this.#call(
				'reward',
				index,
				'reward',
				() => reward.run(context),
				(value) => readReward(value, weights),
			);
		}
		const parts = numbers();
		for (let part = 0; part < reward.parts.length; part++) {
			const { name, run } = reward.parts[part] ?? {};
			if (name === undefined || run === undefined) continue;
			const called = `reward "${name}"`;
			parts[name] = await this.#call(
				'reward',
				index,
				called,
				() => run(context),
				(value) => {
					const problem = finiteProblem(value);
					if (problem === null) return value as number;
					throw this.#error(`${called} returned ${problem}`);
				},
			);
		}
		return weigh(parts, weights);
	}

	/** One call for all; where the list itself is wrong, every entry is told so. */
	async #batch(
		contexts: readonly TaskContext[],
		run: TaskFunction,
	): Promise<(RewardResult | CallError)[]> {
		const { weights } = this.#facts.task;
		this.#beginCall('reward', contexts[0]);
		try {
			return await this.#call(
				'reward',
				-1,
				'rewards',
				() => run(contexts),
				(values) => {
					if (!Array.isArray(values) || values.length !== contexts.length) {
						throw this.#error(
							`rewards returned ${describeValue(values)}, expected a list of ${contexts.length}, one reward per joint completion`,
						);
					}
					const results: RewardResult[] = [];
					for (let i = 0; i < values.length; i++) results[i] = readReward(values[i], weights);
					return results;
				},
			);
		} catch (error) {
			if (!(error instanceof CallError)) throw error;
			const results: CallError[] = [];
			for (let i = 0; i < contexts.length; i++) results[i] = error;
			return results;
		}
	}

	async #feed(context: TaskContext, index: number): Promise<FeedbackOutcome> {
		const run = this.#facts.task.feedback;
		if (run === null) throw this.#error('the task has no feedback(context)');
		this.#beginCall('feedback', context);
		const result = await this.#call(
			'feedback',
			index,
			'feedback',
			() => run(context),
			(value) => readFeedback(value, this.#facts.agentNames.length),
		);
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
		return this.#call(
			'prompts',
			agent,
			'formatters',
			() => formatter(item, view),
			(value) => this.#promptOf('formatters', agent, value),
		);
	}

	#numbersOf(member: string, value: unknown): Record<string, number> {
		const read = readNumbers(value, 'returned');
		if (read.ok) return read.values;
		throw this.#error(`${member} ${read.problem}`);
	}

	/** Names the random stream of what is called next. */
	#beginCall(phase: Phase, context: TaskContext | undefined): void {
		if (context === undefined) return;
		const { purpose, step, turn, joint, item } = context;
		const position = 'position' in context ? Number(context.position) : joint;
		this.#facts.randomness.begin(phase, purpose, step, turn, item.index, position);
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

	/**
	 * Runs `work` for every context, so many at the same time at most. What does not wait for anything is
	 * finished before the next begins, so that the journal holds it should the next end the process.
	 */
	async #each<T>(
		contexts: readonly TaskContext[],
		work: (context: TaskContext, index: number) => Promise<T>,
	): Promise<T[]> {
		const results: T[] = [];
		const running = new Set<Promise<void>>();
		for (let index = 0; index < contexts.length; index++) {
			const context = contexts[index];
			if (context === undefined) continue;
			const finish = async (): Promise<void> => {
				results[index] = await work(context, index);
			};
			const done = finish().finally(() => running.delete(done));
			running.add(done);
			await Promise.race([done, nextTurn()]);
			while (running.size >= mostSideBySide) await Promise.race(running);
		}
		await Promise.all(running);
		return results;
	}

	/**
	 * Calls one function of the task and reads its value at once: a value of the task's must not pass
	 * through a promise unread, which would look for a `then` on it. `name` is for messages.
	 */
	async #call<T>(
		phase: Phase,
		index: number,
		name: string,
		run: () => unknown,
		read: (value: unknown) => T,
	): Promise<T> {
		const { journal, folder, ownFolder, timeLimitMs } = this.#facts;
		journal.mark(phases.indexOf(phase), index);
		try {
			const value = run();
			return read(isThenable(value) ? await this.limits.settle(value, phase, index) : value);
		} catch (thrown) {
			if (thrown instanceof CallError) throw thrown;
			if (thrown instanceof TimeLimitError) {
				throw this.#error(
					`${name} took longer than ${timeLimitMs / 1000} s: its promise was not settled`,
				);
			}
			const { message, where } = explainThrown(thrown, folder, ownFolder);
			throw new CallError(`${where ?? this.#facts.file}: ${name} threw ${message}`);
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

const takenSetImmediate = setImmediate;

/** Settled after everything that is ready to run has run. */
async function nextTurn(): Promise<void> {
	return new Promise((resolve) => {
		takenSetImmediate(resolve);
	});
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
	if (typeof value !== 'object' || value === null) return false;
	try {
		return 'then' in value && typeof value.then === 'function';
	} catch {
		// A hostile object; whoever reads the value refuses it.
		return false;
	}
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
