/**
 * What the trainer and the task's process say to each other: frames over a socket of their own (not the
 * standard streams, which belong to the user's code), each 4 bytes of length (little endian) and UTF-8 JSON.
 */
import type { Complaint } from '../../contract/errors.ts';
import type { FeedbackOutcome, RewardOutcome, TaskItem, TurnContext } from '../task.ts';

/** Descriptors in the task's process: the socket, and the journal file. */
export const socketDescriptor = 3;
export const journalDescriptor = 4;

/** Frames beyond this are taken for damage. */
const maxFrameBytes = 512 * 1024 * 1024;

export interface SourceFile {
	url: string;
	text: string;
}

export interface LoadRequest {
	kind: 'load';
	/** Name of a built-in task, or the URL of a file. */
	task: { builtIn: string } | { url: string };
	options: Record<string, unknown>;
	/** Null: as many as the task is for, else two. */
	numAgents: number | null;
	/** Null: the task's own names count. */
	agentNames: readonly string[] | null;
	seed: string;
	timeLimitMs: number;
	/** What an earlier process of this run loaded: it is used again, whatever the files hold by now. */
	snapshot: readonly SourceFile[];
	/** False where the data come from elsewhere: the task's own are then not even made. */
	wantsDataset: boolean;
}

/** Contexts name their example by its position in `items`, so that each is sent once. */
export interface PackedContext extends Omit<TurnContext, 'item'> {
	item: number;
	/** Position in the whole call; names the random stream, also when the call is repeated in part. */
	position: number;
}

export type CallKind = 'rewards' | 'feedback' | 'evaluate';

export type HostRequest =
	| LoadRequest
	| { kind: 'prompts'; item: TaskItem }
	| {
			kind: CallKind;
			items: readonly TaskItem[];
			contexts: readonly PackedContext[];
	  };

export type DataSpec = { kind: 'path'; path: string } | { kind: 'rows'; rows: unknown[] };

export interface LoadedTask {
	name: string;
	summary: string;
	agentNames: string[];
	/** What the task itself says of its agents. */
	agents: { count: number; named: boolean } | null;
	turns: number | null;
	optionNames: string[] | null;
	requires: string[];
	hasOwnPrompts: boolean;
	hasFeedback: boolean;
	hasEvaluate: boolean;
	train: DataSpec | null;
	eval: DataSpec | null;
	sources: SourceFile[];
}

export type PromptsOutcome = Exclude<FeedbackOutcome, { kind: 'done' }>;

export type HostReply =
	| { kind: 'loaded'; task: LoadedTask }
	/** `code`: the task's code failed rather than being malformed. */
	| { kind: 'refused'; complaints: Complaint[]; code: boolean }
	| { kind: 'prompts'; outcome: PromptsOutcome }
	| { kind: 'rewards'; outcomes: RewardOutcome[]; replace: boolean }
	| { kind: 'feedback'; outcomes: FeedbackOutcome[]; replace: boolean }
	| { kind: 'evaluate'; values: Record<string, number> }
	| { kind: 'failed'; message: string; replace: boolean };

/** Sent at any time: something was thrown outside of every call. */
export interface StrayReport {
	kind: 'stray';
	message: string;
}

/** `id` is drawn anew per request; a frame without the id that was asked for is not an answer. */
export type Envelope<T> = { id: string } & T;

export function encodeFrame(value: unknown, stringify = JSON.stringify): Buffer {
	const text = stringify(value);
	const length = Buffer.byteLength(text);
	const frame = Buffer.allocUnsafe(4 + length);
	frame.writeUInt32LE(length, 0);
	frame.write(text, 4, 'utf8');
	return frame;
}

/** Puts chunks of a stream together to frames. */
export class FrameReader {
	#chunks: Buffer[] = [];
	#held = 0;
	#wanted: number | null = null;
	readonly #parse: (text: string) => unknown;

	constructor(parse: (text: string) => unknown = JSON.parse) {
		this.#parse = parse;
	}

	/** Whole frames that `chunk` completes. Throws RangeError or SyntaxError on damage. */
	push(chunk: Buffer): unknown[] {
		this.#chunks[this.#chunks.length] = chunk;
		this.#held += chunk.length;
		const frames: unknown[] = [];
		for (;;) {
			if (this.#wanted === null) {
				if (this.#held < 4) return frames;
				this.#wanted = this.#take(4).readUInt32LE(0);
				if (this.#wanted > maxFrameBytes) throw new RangeError('a frame is too large');
			}
			if (this.#held < this.#wanted) return frames;
			const text = this.#take(this.#wanted).toString('utf8');
			this.#wanted = null;
			frames[frames.length] = this.#parse(text);
		}
	}

	#take(length: number): Buffer {
		const [first] = this.#chunks;
		const whole =
			first !== undefined && first.length >= length ? first : Buffer.concat(this.#chunks);
		if (whole !== first) this.#chunks = [whole];
		const rest = whole.subarray(length);
		if (rest.length === 0) this.#chunks.splice(0, 1);
		else this.#chunks[0] = rest;
		this.#held -= length;
		return whole.subarray(0, length);
	}
}
