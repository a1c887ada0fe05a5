/** One process that runs a task's code: request and answer, and one way to end, whatever ends it. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { clearJournal, type JournalMark, lastMark, readJournal } from './host/journal.ts';
import {
	encodeFrame,
	FrameReader,
	type HostReply,
	type HostRequest,
	type StrayReport,
} from './host/protocol.ts';
import { HostOutput, type OutputBudget } from './host-output.ts';
import type { SpawnHost } from './spawn-host.ts';

/** What the process was doing when it ended, or was ended. */
export interface HostDeath {
	kind: 'died';
	/** Why, as the end of a sentence. */
	why: string;
	mark: JournalMark;
	/** Answers that were finished before: position in the request and outcome. */
	finished: { index: number; outcome: unknown }[];
}

export type HostAnswer = { kind: 'answered'; reply: HostReply } | HostDeath;

/** For the start of a process, which a busy machine delays. */
const startLimitMs = 60_000;

export interface HostConnectionOptions {
	spawn: SpawnHost;
	folder: string;
	memoryLimitMb: number;
	timeLimitMs: number;
	/** Bytes of output that the run may still keep; shared by all its processes. */
	outputBudget: OutputBudget;
	onLine: (line: string, isError: boolean) => void;
	onStray: (message: string) => void;
	/** Called while a call takes long; milliseconds it has been running. */
	onWait: (mark: JournalMark, elapsedMs: number) => void;
}

/** A temporary file without a name where the system allows that, so nothing is left behind. */
function openJournal(): { descriptor: number; remove: () => void } {
	const folder = mkdtempSync(join(tmpdir(), 'grove-task-'));
	const descriptor = openSync(join(folder, 'journal'), 'w+');
	const remove = (): void => {
		try {
			rmSync(folder, { recursive: true, force: true });
		} catch {
			// An open file cannot be removed on every system; it is tried again at the end.
		}
	};
	remove();
	return { descriptor, remove };
}

export class HostConnection {
	readonly #options: HostConnectionOptions;
	readonly #child: ChildProcess;
	readonly #journal = openJournal();
	readonly #output: readonly HostOutput[];
	#socket: Duplex | null = null;
	#pending: { id: string; settle: (answer: HostAnswer) => void } | null = null;
	#killedFor: string | null = null;
	#last: HostDeath | null = null;
	readonly #exited: Promise<void>;

	constructor(options: HostConnectionOptions) {
		this.#options = options;
		clearJournal(this.#journal.descriptor);
		this.#child = options.spawn({
			folder: options.folder,
			memoryLimitMb: options.memoryLimitMb,
			journal: this.#journal.descriptor,
		});
		this.#output = [false, true].map(
			(isError) => new HostOutput(options.outputBudget, (line) => options.onLine(line, isError)),
		);
		this.#child.stdout?.on('data', (chunk: Buffer) => this.#output[0]?.push(chunk));
		this.#child.stderr?.on('data', (chunk: Buffer) => this.#output[1]?.push(chunk));
		this.#listen();
		this.#exited = new Promise((resolve) => {
			const end = (why: string): void => {
				this.#end(why);
				resolve();
			};
			this.#child.once('close', (code, signal) => end(exitText(code, signal)));
			this.#child.once('error', (error) => end(`could not be started: ${error.message}`));
		});
	}

	get ended(): boolean {
		return this.#last !== null;
	}

	/** One request at a time. Never rejects. */
	async ask(request: HostRequest): Promise<HostAnswer> {
		if (this.#pending !== null) throw new Error('the task is asked twice at the same time');
		if (this.#last !== null) return this.#last;
		const id = randomUUID();
		return new Promise((resolve) => {
			const stopWatch = this.#watch();
			this.#pending = {
				id,
				settle: (answer) => {
					this.#pending = null;
					stopWatch();
					for (const output of this.#output) output.endCall();
					resolve(answer);
				},
			};
			this.#socket?.write(encodeFrame({ ...request, id }));
		});
	}

	/** Ends the process at once and waits until it is gone. */
	async kill(): Promise<void> {
		this.#child.kill('SIGKILL');
		await this.#exited;
	}

	#listen(): void {
		const stream = this.#child.stdio[3];
		if (!(stream instanceof Duplex)) return;
		const reader = new FrameReader();
		stream.on('data', (chunk: Buffer) => {
			try {
				for (const frame of reader.push(chunk)) this.#receive(frame);
			} catch {
				this.#killFor('answered with damaged data');
			}
		});
		// A closed socket is told of by the process's end.
		stream.on('error', () => {});
		this.#socket = stream;
	}

	#receive(frame: unknown): void {
		// The process may not be trusted: only an answer that repeats the id drawn for this request counts.
		const message = frame as Partial<StrayReport> & { id?: unknown };
		if (message.kind === 'stray') this.#options.onStray(String(message.message));
		else if (this.#pending !== null && message.id === this.#pending.id) {
			this.#pending.settle({ kind: 'answered', reply: frame as HostReply });
		}
	}

	/**
	 * Looks at the journal while a request runs. Time is counted in looks, each for at most twice its
	 * interval: after a sleep of the machine, or of this process, limits do not strike all at once.
	 */
	#watch(): () => void {
		const { timeLimitMs, onWait } = this.#options;
		const every = Math.min(250, Math.max(5, timeLimitMs / 20));
		let lastLook = performance.now();
		let lastCounter = -1;
		let elapsed = 0;
		const timer = setInterval(() => {
			const now = performance.now();
			const passed = Math.min(now - lastLook, 2 * every);
			lastLook = now;
			const mark = lastMark(this.#journal.descriptor);
			elapsed = mark.counter === lastCounter ? elapsed + passed : 0;
			lastCounter = mark.counter;
			// Until a call begins the time is the process's own.
			const limit = mark.phase === 'idle' ? Math.max(timeLimitMs, startLimitMs) : timeLimitMs;
			if (elapsed > limit) {
				this.#killFor(`took longer than ${limit / 1000} s`);
				return;
			}
			onWait(mark, mark.waiting ? mark.elapsedMs : elapsed);
		}, every);
		return () => clearInterval(timer);
	}

	#killFor(reason: string): void {
		this.#killedFor ??= reason;
		this.#child.kill('SIGKILL');
	}

	#end(why: string): void {
		if (this.#last !== null) return;
		this.#last = this.#death(this.#killedFor ?? why);
		this.#pending?.settle(this.#last);
		closeSync(this.#journal.descriptor);
		this.#journal.remove();
	}

	/** What the journal says; it must still be open. */
	#death(why: string): HostDeath {
		const { mark, finished: lines, memoryExceeded } = readJournal(this.#journal.descriptor);
		const finished: HostDeath['finished'] = [];
		let note: string | null = null;
		for (const line of lines) {
			if (typeof line !== 'object' || line === null) continue;
			if ('note' in line) note = String(line.note);
			else if ('index' in line && typeof line.index === 'number' && 'outcome' in line) {
				finished.push({ index: line.index, outcome: line.outcome });
			}
		}
		const memory = `needed more than ${this.#options.memoryLimitMb} MiB of memory`;
		const reason = memoryExceeded || this.#isOutOfHeap(why) ? memory : (note ?? why);
		return { kind: 'died', why: reason, mark, finished };
	}

	/** V8 ends a process without heap by an abort. A call of process.abort leaves a note instead. */
	#isOutOfHeap(why: string): boolean {
		return this.#killedFor === null && /SIGABRT|SIGTRAP|code 134/u.test(why);
	}
}

function exitText(code: number | null, signal: string | null): string {
	return signal === null
		? `ended its process with code ${code ?? 0}`
		: `ended its process by ${signal}`;
}
