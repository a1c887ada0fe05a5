/**
 * One window at the other end of a WebSocket. What it asks is read no faster than it takes the answers,
 * and what it is told waits in a queue of bounded length, so a slow or stalled one costs a fixed amount.
 */
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import type { ErrorValue } from '../../contract/errors.ts';
import type { ReplyFrame, ServerFrame } from '../../contract/frames.ts';
import { decode, encode } from '../../contract/wire.ts';
import type { ServiceContext } from '../../services/context.ts';
import { handle } from '../../services/handle.ts';
import type { Push } from '../../services/publisher.ts';
import { pushFrame } from '../../services/publisher.ts';
import { PushQueue } from '../../services/push-queue.ts';

/** Requests answered at the same time, and those read ahead before reading stops. */
const atOnce = 8;
const readAhead = 32;
/** Bytes on their way out above which nothing more is answered or told. */
const highWater = 4 * 1024 * 1024;
/** Pushes are gathered for this long, so that a busy run costs a few frames a second. */
const gatherMs = 30;
const stalledRetryMs = 250;
/** Silent heartbeats after which a client counts as gone. Counted, not timed: a sleeping machine skips them all. */
const silentBeats = 3;

const requestFrame = z.strictObject({
	kind: z.literal('request'),
	id: z.int().min(0),
	name: z.string(),
	params: z.unknown(),
});

/** Answers frames that carry no usable id. */
const noId = -1;

function malformed(what: string): ErrorValue {
	return { kind: 'bad-input', message: what, complaints: [{ what }] };
}

function textOf(data: RawData): string {
	if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
	return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString('utf8');
}

/** What a frame asks, or what is wrong with it. */
function readRequest(text: string): z.output<typeof requestFrame> | ReplyFrame {
	const refuse = (id: number, what: string): ReplyFrame => ({
		kind: 'reply',
		id,
		reply: { ok: false, error: malformed(what) },
	});
	let decoded: unknown;
	try {
		decoded = decode(text);
	} catch (error) {
		// A RangeError: nested deeper than can be read.
		return refuse(
			noId,
			error instanceof SyntaxError ? 'the frame is not JSON' : 'the frame is nested too deep',
		);
	}
	const frame = requestFrame.safeParse(decoded);
	if (frame.success) return frame.data;
	const id = z.object({ id: z.int().min(0) }).safeParse(decoded);
	return refuse(
		id.success ? id.data.id : noId,
		'the frame is no request: {kind: "request", id, name, params} was expected',
	);
}

export class Client {
	readonly #socket: WebSocket;
	readonly #context: ServiceContext;
	readonly #pushes = new PushQueue();
	#flushTimer: NodeJS.Timeout | undefined;
	#waiting: string[] = [];
	#answering = 0;
	#silentBeats = 0;

	constructor(socket: WebSocket, context: ServiceContext) {
		this.#socket = socket;
		this.#context = context;
		socket.on('message', (data, isBinary) => {
			this.#silentBeats = 0;
			if (isBinary) {
				const error = malformed('binary frames are not understood');
				this.#send({ kind: 'reply', id: noId, reply: { ok: false, error } });
				return;
			}
			this.#waiting.push(textOf(data));
			if (this.#waiting.length >= readAhead) socket.pause();
			this.#work();
		});
		socket.on('pong', () => {
			this.#silentBeats = 0;
		});
		// A broken connection or an oversized frame: `close` follows and tidies up.
		socket.on('error', () => undefined);
		socket.on('close', () => {
			clearTimeout(this.#flushTimer);
			this.#waiting = [];
		});
	}

	get #open(): boolean {
		return this.#socket.readyState === this.#socket.OPEN;
	}

	#send(frame: ServerFrame): void {
		if (!this.#open) return;
		this.#socket.send(encode(frame), () => {
			this.#silentBeats = 0;
			this.#work();
		});
	}

	#work(): void {
		while (
			this.#open &&
			this.#waiting.length > 0 &&
			this.#answering < atOnce &&
			this.#socket.bufferedAmount < highWater
		) {
			const text = this.#waiting.shift() ?? '';
			const request = readRequest(text);
			if (request.kind === 'reply') this.#send(request);
			else {
				this.#answering++;
				void this.#answer(request.id, request.name, request.params);
			}
		}
		if (this.#socket.isPaused && this.#waiting.length < readAhead / 2) this.#socket.resume();
	}

	async #answer(id: number, name: string, params: unknown): Promise<void> {
		const reply = await handle(name, params, this.#context);
		this.#answering--;
		this.#send({ kind: 'reply', id, reply });
		this.#work();
	}

	push(push: Push): void {
		if (!this.#open) return;
		this.#pushes.add(push);
		this.#flushLater(gatherMs);
	}

	#flushLater(afterMs: number): void {
		this.#flushTimer ??= setTimeout(() => {
			this.#flushTimer = undefined;
			if (!this.#open) return;
			if (this.#socket.bufferedAmount >= highWater) {
				this.#flushLater(stalledRetryMs);
				return;
			}
			for (const push of this.#pushes.take()) this.#send(pushFrame(push));
		}, afterMs);
	}

	/** Called at a steady pace; ends a connection at whose other end nobody has moved for a while. */
	beat(): void {
		if (++this.#silentBeats > silentBeats) this.#socket.terminate();
		else if (this.#open) this.#socket.ping();
	}

	close(): void {
		this.#socket.close(1001);
	}

	terminate(): void {
		this.#socket.terminate();
	}
}
