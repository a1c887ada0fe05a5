/**
 * What the task's process is doing, readable by the trainer even when that process hangs or is dead: a
 * file that both hold open. A fixed header says which call runs; lines after it hold what is finished.
 */
import { ftruncateSync, readSync, writeSync, fstatSync } from 'node:fs';

/** The functions of a task, in the order of their codes. `waiting`: only promises are pending. */
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
	'waiting',
] as const;
export type Phase = (typeof phases)[number];

const headerBytes = 32;
const memoryReason = 1;

export interface JournalHeader {
	/** Changes with every call, and while the process is alive to wait. */
	counter: number;
	phase: Phase;
	/** Position within the request; -1 where the call is not of one context. */
	index: number;
	/** Of `waiting`: for how long the oldest pending call has been running. */
	elapsedMs: number;
	memoryExceeded: boolean;
}

/** The process's side. A failing write (a full disk) is ignored: the journal only explains. */
export class JournalWriter {
	readonly #descriptor: number;
	readonly #bytes = Buffer.alloc(16);
	#counter = 0;
	#end = headerBytes;

	constructor(descriptor: number) {
		this.#descriptor = descriptor;
	}

	begin(): void {
		this.#end = headerBytes;
		try {
			ftruncateSync(this.#descriptor, headerBytes);
		} catch {
			// See above.
		}
	}

	mark(phase: number, index: number, elapsedMs = 0): void {
		this.#counter = (this.#counter + 1) >>> 0;
		this.#bytes.writeUInt32LE(this.#counter, 0);
		this.#bytes.writeUInt32LE(phase, 4);
		this.#bytes.writeInt32LE(index, 8);
		this.#bytes.writeUInt32LE(Math.min(elapsedMs, 0xffffffff), 12);
		this.#write(this.#bytes, 0);
	}

	line(text: string): void {
		const bytes = Buffer.from(`${text}\n`);
		this.#write(bytes, this.#end);
		this.#end += bytes.length;
	}

	#write(bytes: Buffer, at: number): void {
		try {
			writeSync(this.#descriptor, bytes, 0, bytes.length, at);
		} catch {
			// See above.
		}
	}
}

/** Notes, from any thread of the process, that it is about to be ended for its memory. */
export function markMemoryExceeded(descriptor: number): void {
	try {
		writeSync(descriptor, Buffer.from([memoryReason, 0, 0, 0]), 0, 4, 16);
	} catch {
		// See above.
	}
}

/** The trainer's side. */
export function clearJournal(descriptor: number): void {
	ftruncateSync(descriptor, 0);
	writeSync(descriptor, Buffer.alloc(headerBytes), 0, headerBytes, 0);
}

export function readHeader(descriptor: number): JournalHeader {
	const bytes = Buffer.alloc(headerBytes);
	readSync(descriptor, bytes, 0, headerBytes, 0);
	return {
		counter: bytes.readUInt32LE(0),
		phase: phases[bytes.readUInt32LE(4)] ?? 'idle',
		index: bytes.readInt32LE(8),
		elapsedMs: bytes.readUInt32LE(12),
		memoryExceeded: bytes.readUInt32LE(16) === memoryReason,
	};
}

/** The whole lines; one cut off by the end of the process is left out. */
export function readLines(descriptor: number): unknown[] {
	const length = fstatSync(descriptor).size - headerBytes;
	if (length <= 0) return [];
	const bytes = Buffer.alloc(length);
	const read = readSync(descriptor, bytes, 0, length, headerBytes);
	const lines = bytes.toString('utf8', 0, read).split('\n');
	lines.pop();
	const values: unknown[] = [];
	for (const line of lines) {
		try {
			values.push(JSON.parse(line));
		} catch {
			break;
		}
	}
	return values;
}
