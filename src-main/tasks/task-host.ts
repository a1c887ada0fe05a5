/**
 * A task's process as the trainer's side uses it: started and loaded when first needed, ended when its code
 * exceeds a limit, and started anew, with the same code, for what comes next.
 */
import { GroveError } from '../contract/errors.ts';
import { HostConnection, type HostDeath } from './host-connection.ts';
import { outputBudget } from './host-output.ts';
import { RepeatedMessages } from './repeated-messages.ts';
import type { JournalMark } from './host/journal.ts';
import type {
	CallKind,
	HostReply,
	HostRequest,
	LoadedTask,
	LoadRequest,
	PackedContext,
	PromptsOutcome,
	SourceFile,
} from './host/protocol.ts';
import type { SpawnHost } from './spawn-host.ts';
import type { FeedbackOutcome, RewardOutcome, TaskItem, TurnContext } from './task.ts';

/** Processes that may end within one call before the rest of it is given up. */
const mostDeaths = 3;

/** A call is told of as slow after this time, or a third of its limit. */
const slowAfterMs = 5000;
const noticeEveryMs = 1000;

/** Some task code has not answered for a while. */
export interface WaitNotice {
	/** Which function: reward, feedback, prompts … */
	call: string;
	/** Null outside of rewards and feedback. */
	context: { step: number; turn: number; joint: number; itemId: string } | null;
	seconds: number;
	limitSeconds: number;
}

export interface TaskHostOptions {
	load: Omit<LoadRequest, 'kind' | 'snapshot'>;
	folder: string;
	/** For messages. */
	file: string;
	timeLimitMs: number;
	memoryLimitMb: number;
	/** Where the process ends within a call, no other is started for the rest, which gets errors. */
	failFast: boolean;
	spawn: SpawnHost;
	onLog: (level: 'info' | 'warning' | 'error', text: string) => void;
	/** Null: no longer waiting. */
	onWait: (notice: WaitNotice | null) => void;
}

const noAnswer = { kind: 'error' as const, message: 'the task gave no answer' };

type Outcomes = { rewards: RewardOutcome; feedback: FeedbackOutcome };

export class TaskHost {
	readonly #options: TaskHostOptions;
	#connection: HostConnection | null = null;
	#snapshot: readonly SourceFile[] = [];
	/** Requests go one after the other. */
	#last: Promise<unknown> = Promise.resolve();
	#disposed = false;
	/** Milliseconds of the last notice; null while nothing is slow. */
	#toldAtMs: number | null = null;
	readonly #output = outputBudget();
	readonly #stray: RepeatedMessages;
	#contexts: readonly TurnContext[] = [];

	constructor(options: TaskHostOptions) {
		this.#options = options;
		this.#stray = new RepeatedMessages((message) => options.onLog('error', message));
	}

	/** Loads the task for the first time. Throws GroveError 'bad-input' or 'task'. */
	async load(): Promise<LoadedTask> {
		return this.#alone(async () => {
			const task = await this.#connect(this.#options.load.wantsDataset);
			this.#snapshot = task.sources;
			return task;
		});
	}

	/** Throws GroveError 'task' where the process is broken beyond its own calls. */
	async prompts(item: TaskItem): Promise<PromptsOutcome> {
		return this.#alone(async () => {
			const answer = await this.#ask({ kind: 'prompts', item });
			if (answer.kind === 'died') return { kind: 'error', message: this.#deathText(answer) };
			if (answer.reply.kind === 'prompts') return answer.reply.outcome;
			return { kind: 'error', message: unexpected(answer.reply) };
		});
	}

	async evaluate(contexts: readonly TurnContext[]): Promise<Record<string, number>> {
		return this.#alone(async () => {
			const answer = await this.#askAbout('evaluate', contexts, allOf(contexts));
			if (answer.kind === 'died') throw this.#broken(this.#deathText(answer));
			if (answer.reply.kind === 'evaluate') return answer.reply.values;
			throw this.#broken(unexpected(answer.reply));
		});
	}

	/** One outcome per context; a process that ends costs the entry it ended in, the others are asked again. */
	async each<K extends keyof Outcomes>(
		kind: K,
		contexts: readonly TurnContext[],
	): Promise<Outcomes[K][]> {
		if (contexts.length === 0) return [];
		return this.#alone(async () => {
			const outcomes = new Map<number, Outcomes[K]>();
			let deaths = 0;
			for (;;) {
				const open = allOf(contexts).filter((index) => !outcomes.has(index));
				if (open.length === 0) break;
				const answer = await this.#askAbout(kind, contexts, open);
				if (answer.kind === 'answered') {
					for (const [at, index] of open.entries()) {
						outcomes.set(index, replyEntry(answer.reply, kind, at));
					}
					continue;
				}
				deaths += 1;
				for (const { index, outcome } of answer.finished) {
					const at = open[index];
					// Written by our own code of the task's process.
					if (at !== undefined) outcomes.set(at, outcome as Outcomes[K]);
				}
				this.#blame(answer, open, outcomes, deaths);
			}
			return contexts.map((_, index) => outcomes.get(index) ?? noAnswer);
		});
	}

	async dispose(): Promise<void> {
		this.#disposed = true;
		await this.#connection?.kill();
	}

	/** Gives the entries that the end of the process answers an error each. */
	#blame(
		death: HostDeath,
		open: readonly number[],
		outcomes: Map<number, Outcomes[keyof Outcomes]>,
		deaths: number,
	): void {
		const message = this.#deathText(death);
		const unanswered = open.filter((index) => !outcomes.has(index));
		const guilty = death.mark.waiting ? undefined : open[death.mark.index];
		if (guilty === undefined || outcomes.has(guilty)) {
			// Promises were pending, or the call was one for all: nobody can say which of them it was.
			for (const index of unanswered) outcomes.set(index, { kind: 'error', message });
			return;
		}
		outcomes.set(guilty, { kind: 'error', message });
		if (!this.#options.failFast && deaths < mostDeaths) return;
		const why = this.#options.failFast ? '' : `, for the ${mostDeaths}rd time in this turn`;
		for (const index of unanswered) {
			if (index === guilty) continue;
			outcomes.set(index, {
				kind: 'error',
				message: `not called, because before it ${message}${why}`,
			});
		}
	}

	async #askAbout(
		kind: CallKind,
		contexts: readonly TurnContext[],
		chosen: readonly number[],
	): ReturnType<HostConnection['ask']> {
		this.#contexts = chosen.flatMap((index) => contexts[index] ?? []);
		try {
			return await this.#ask({ kind, ...pack(contexts, chosen) });
		} finally {
			this.#contexts = [];
		}
	}

	async #ask(request: HostRequest): ReturnType<HostConnection['ask']> {
		if (this.#connection === null || this.#connection.ended) await this.#connect(false);
		const connection = this.#connection;
		if (connection === null) throw this.#broken('has no process');
		const answer = await connection.ask(request);
		this.#noLongerWaiting();
		if (answer.kind === 'answered' && 'replace' in answer.reply && answer.reply.replace) {
			// Something that was given up may still be running in there.
			await connection.kill();
		}
		return answer;
	}

	async #connect(wantsDataset: boolean): Promise<LoadedTask> {
		if (this.#disposed) throw this.#broken('has been closed');
		const { load, spawn, folder, memoryLimitMb, timeLimitMs, onLog } = this.#options;
		const connection = new HostConnection({
			spawn,
			folder,
			memoryLimitMb,
			timeLimitMs,
			outputBudget: this.#output,
			onLine: (line, isError) => onLog(isError ? 'warning' : 'info', line),
			onStray: (message) => this.#stray.tell(message),
			onWait: (mark, elapsedMs) => this.#wait(mark, elapsedMs),
		});
		this.#connection = connection;
		const snapshot = this.#snapshot;
		const answer = await connection.ask({ kind: 'load', ...load, wantsDataset, snapshot });
		this.#noLongerWaiting();
		if (answer.kind === 'died') throw this.#broken(this.#deathText(answer));
		const { reply } = answer;
		if (reply.kind === 'loaded') return reply.task;
		await connection.kill();
		if (reply.kind !== 'refused') throw this.#broken(unexpected(reply));
		throw new GroveError(reply.code ? 'task' : 'bad-input', reply.complaints);
	}

	#wait(mark: JournalMark, elapsedMs: number): void {
		const { timeLimitMs, onWait } = this.#options;
		if (elapsedMs < Math.min(slowAfterMs, timeLimitMs / 3)) return;
		const told = this.#toldAtMs;
		if (told !== null && elapsedMs >= told && elapsedMs < told + noticeEveryMs) return;
		this.#toldAtMs = elapsedMs;
		const context = this.#contexts[mark.index];
		onWait({
			call: mark.phase,
			context:
				context === undefined
					? null
					: {
							step: context.step,
							turn: context.turn,
							joint: context.joint,
							itemId: context.item.id,
						},
			seconds: elapsedMs / 1000,
			limitSeconds: timeLimitMs / 1000,
		});
	}

	#noLongerWaiting(): void {
		if (this.#toldAtMs !== null) this.#options.onWait(null);
		this.#toldAtMs = null;
	}

	#deathText({ mark, why }: HostDeath): string {
		const { file } = this.#options;
		if (mark.phase === 'idle') return `${file}: the process of the task ${why}`;
		if (mark.phase === 'load') return `${file}: loading it ${why}`;
		if (mark.waiting) return `${file}: while ${mark.phase} had not settled, the task ${why}`;
		return `${file}: ${mark.phase} ${why}`;
	}

	#broken(message: string): GroveError {
		return new GroveError('task', { what: message });
	}

	/** Requests wait for each other: the process answers one at a time. */
	async #alone<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.#last.then(work, work);
		this.#last = turn.catch(() => {});
		return turn;
	}
}

function allOf(contexts: readonly TurnContext[]): number[] {
	return contexts.map((_, index) => index);
}

function unexpected(reply: HostReply): string {
	return reply.kind === 'failed' ? reply.message : `an unexpected answer (${reply.kind})`;
}

function replyEntry<K extends keyof Outcomes>(reply: HostReply, kind: K, at: number): Outcomes[K] {
	const outcome = reply.kind === kind && 'outcomes' in reply ? reply.outcomes[at] : undefined;
	// The kinds are equal, so the outcome is of that kind; the checker cannot follow that.
	return (outcome ?? { kind: 'error', message: unexpected(reply) }) as Outcomes[K];
}

/** Contexts with their examples apart, each example once. */
function pack(
	contexts: readonly TurnContext[],
	chosen: readonly number[],
): { items: TaskItem[]; contexts: PackedContext[] } {
	const places = new Map<TaskItem, number>();
	const packed = chosen.flatMap((position) => {
		const context = contexts[position];
		if (context === undefined) return [];
		const item = places.get(context.item) ?? places.size;
		places.set(context.item, item);
		return [{ ...context, item, position }];
	});
	return { items: [...places.keys()], contexts: packed };
}
