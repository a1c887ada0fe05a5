/**
 * What the task's process is doing, readable by the trainer even when that process hangs or is dead: a
 * file that both hold open. It begins with a flag; the lines after it, of the request that is being answered,
 * are marks ("m" and numbers: a call begins) and JSON (what is finished). A mark is written at once, and
 * whatever is finished along with the next mark, so that a call costs one write.
 */
import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';

/** The functions of a task, in the order of their codes. */
export const phases = [
	'idle',
	'load',
	'dataset',
	'prompts',
	'reward',
	'isDone',
	'metrics',
	'feedback',
	'evaluate',
] as const;
export type Phase = (typeof phases)[number];

const flagBytes = 1;
const memoryFlag = 0x4d;
/** Longer than any mark. */
const tailBytes = 128;

/** The last mark. */
export interface JournalMark {
	/** Changes with every call, and while the process is alive to wait. */
	counter: number;
	phase: Phase;
	/** Position within the request; -1 where the call is not of one context. */
	index: number;
	/** Only promises are pending; phase and index are those of the oldest. */
	waiting: boolean;
	/** Of a pending promise: for how long. */
	elapsedMs: number;
}

/** The process's side. A failing write (a full disk) is ignored: the journal only explains. */
export class JournalWriter {
	readonly #descriptor: number;
	#counter = 0;
	#end = flagBytes;
	#held = '';

	constructor(descriptor: number) {
		this.#descriptor = descriptor;
	}

	/** A request begins. */
	begin(): void {
		this.#end = flagBytes;
		this.#held = '';
		try {
			ftruncateSync(this.#descriptor, flagBytes);
		} catch {
			// See above.
		}
	}

	/** A call begins (or, idle, none is running). */
	mark(phase: number, index: number): void {
		this.#mark(phase, index, 0, 0);
	}

	/** Nothing runs but promises. */
	wait(phase: number, index: number, elapsedMs: number): void {
		this.#mark(phase, index, 1, elapsedMs);
	}

	/** JSON of something that is finished; written with the next mark. */
	line(json: string): void {
		this.#held += `${json}\n`;
	}

	/** The last words of the process. */
	note(json: string): void {
		this.line(json);
		this.#flush();
	}

	#mark(phase: number, index: number, waiting: number, elapsedMs: number): void {
		this.#counter += 1;
		this.#held += `m ${this.#counter} ${phase} ${index} ${waiting} ${Math.round(elapsedMs)}\n`;
		this.#flush();
	}

	#flush(): void {
		const bytes = Buffer.from(this.#held);
		this.#held = '';
		try {
			writeSync(this.#descriptor, bytes, 0, bytes.length, this.#end);
			this.#end += bytes.length;
		} catch {
			// See above.
		}
	}
}

/** Notes, from any thread of the process, that it is about to be ended for its memory. */
export function flagMemory(descriptor: number): void {
	try {
		writeSync(descriptor, Buffer.from([memoryFlag]), 0, flagBytes, 0);
	} catch {
		// See above.
	}
}

/** The trainer's side: an empty journal. */
export function clearJournal(descriptor: number): void {
	ftruncateSync(descriptor, 0);
	writeSync(descriptor, Buffer.alloc(flagBytes), 0, flagBytes, 0);
}

function readMark(line: string): JournalMark | null {
	const numbers = /^m (\d+) (\d+) (-?\d+) ([01]) (\d+)$/u.exec(line)?.slice(1).map(Number);
	if (numbers === undefined) return null;
	const [counter = 0, phase = 0, index = -1, waiting = 0, elapsedMs = 0] = numbers;
	return { counter, phase: phases[phase] ?? 'idle', index, waiting: waiting === 1, elapsedMs };
}

const noMark: JournalMark = { counter: 0, phase: 'idle', index: -1, waiting: false, elapsedMs: 0 };

/** The mark at the end of the journal, which is where the latest is while a call runs. */
export function lastMark(descriptor: number): JournalMark {
	const size = fstatSync(descriptor).size;
	const bytes = Buffer.alloc(tailBytes);
	const start = Math.max(flagBytes, size - tailBytes);
	const read = readSync(descriptor, bytes, 0, tailBytes, start);
	const lines = bytes.toString('latin1', 0, read).split('\n');
	return readMark(lines.at(-2) ?? '') ?? noMark;
}

/** All of it: what was finished, the last mark, and whether memory was the end. A line cut off by the end is left out. */
export function readJournal(descriptor: number): {
	mark: JournalMark;
	finished: unknown[];
	memoryExceeded: boolean;
} {
	const bytes = Buffer.alloc(fstatSync(descriptor).size);
	const read = readSync(descriptor, bytes, 0, bytes.length, 0);
	const lines = bytes.toString('utf8', flagBytes, read).split('\n');
	lines.pop();
	let mark = noMark;
	const finished: unknown[] = [];
	for (const line of lines) {
		if (line.startsWith('m ')) {
			mark = readMark(line) ?? mark;
			continue;
		}
		try {
			finished.push(JSON.parse(line));
		} catch {
			break;
		}
	}
	return { mark, finished, memoryExceeded: bytes[0] === memoryFlag };
}
