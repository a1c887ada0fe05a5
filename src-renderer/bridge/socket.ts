import type { ErrorValue } from '../../src-main/contract/errors.ts';
import type { RequestFrame, ServerFrame } from '../../src-main/contract/frames.ts';
import type {
	PushName,
	Pushes,
	Reply,
	RequestName,
	RequestParams,
} from '../../src-main/contract/requests.ts';
import { decode, encode } from '../../src-main/contract/wire.ts';
import type { Connection, LinkState } from './connection.ts';

const firstRetryMs = 250;
const longestRetryMs = 5_000;

const lostError: ErrorValue = {
	kind: 'conflict',
	message: 'The connection to Grove was lost. Trying again.',
	complaints: [
		{
			what: 'The connection to Grove was lost.',
			fix: 'See that `grove serve` still runs; the page connects again by itself.',
		},
	],
};

/** Frames come from our own shell, which made them with `encode` from the types of the contract. */
function readFrame(text: string): ServerFrame | undefined {
	try {
		const frame = decode(text);
		if (typeof frame !== 'object' || frame === null || !('kind' in frame)) return undefined;
		return frame as ServerFrame;
	} catch {
		return undefined;
	}
}

/**
 * The bridge over a WebSocket. Connects again with growing pauses; what was asked while the link is
 * down is answered with an error value at once, and what was under way when it broke is too.
 */
export function openSocketBridge(address: string): Connection {
	let socket: WebSocket | undefined;
	let state: LinkState = 'connecting';
	let retryMs = firstRetryMs;
	let nextId = 1;
	const waiting = new Map<number, (reply: Reply<RequestName>) => void>();
	/** Asked before the first connection stood. */
	let early: string[] = [];
	const listeners = new Map<PushName, Set<(payload: never) => void>>();
	const watchers = new Set<(state: LinkState) => void>();

	function setState(next: LinkState): void {
		if (state === next) return;
		state = next;
		for (const watcher of watchers) watcher(next);
	}

	function failAll(): void {
		early = [];
		for (const settle of waiting.values()) settle({ ok: false, error: lostError });
		waiting.clear();
	}

	function receive(frame: ServerFrame): void {
		if (frame.kind === 'reply') {
			waiting.get(frame.id)?.(frame.reply);
			waiting.delete(frame.id);
			return;
		}
		for (const listener of listeners.get(frame.name) ?? []) listener(frame.payload as never);
	}

	function open(): void {
		const opened = new WebSocket(address);
		socket = opened;
		opened.addEventListener('open', () => {
			retryMs = firstRetryMs;
			for (const text of early) opened.send(text);
			early = [];
			setState('open');
		});
		opened.addEventListener('message', (event: MessageEvent<unknown>) => {
			const frame = typeof event.data === 'string' ? readFrame(event.data) : undefined;
			if (frame !== undefined) receive(frame);
		});
		// `error` is always followed by `close`.
		opened.addEventListener('close', () => {
			failAll();
			setState('lost');
			window.setTimeout(open, retryMs);
			retryMs = Math.min(retryMs * 2, longestRetryMs);
		});
	}

	function request<N extends RequestName>(name: N, params: RequestParams<N>): Promise<Reply<N>> {
		if (state === 'lost') return Promise.resolve({ ok: false, error: lostError });
		const id = nextId++;
		const frame: RequestFrame = { kind: 'request', id, name, params };
		return new Promise((resolve) => {
			// The reply to a request has that request's type: the shell answers by name.
			waiting.set(id, resolve as (reply: Reply<RequestName>) => void);
			const text = encode(frame);
			if (state === 'open') socket?.send(text);
			else early.push(text);
		});
	}

	function subscribe<P extends PushName>(
		name: P,
		listener: (payload: Pushes[P]) => void,
	): () => void {
		const known = listeners.get(name) ?? new Set();
		listeners.set(name, known);
		known.add(listener);
		return () => known.delete(listener);
	}

	open();
	return {
		request,
		subscribe,
		watchLink(listener) {
			watchers.add(listener);
			listener(state);
			return () => watchers.delete(listener);
		},
	};
}
