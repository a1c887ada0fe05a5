/** What a browser does with the browser shell, without one: fetch with headers of one's choice, and the socket. */
import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { WebSocket } from 'ws';
import type { ReplyFrame, ServerFrame } from '../../src-main/contract/frames.ts';
import type { Reply, RequestName } from '../../src-main/contract/requests.ts';
import { decode, encode } from '../../src-main/contract/wire.ts';

export interface Answer {
	status: number;
	headers: IncomingHttpHeaders;
	body: string;
}

/** One HTTP request, the address as it is (`..` not resolved, Host as given). */
export function ask(
	port: number,
	path: string,
	options: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const request = httpRequest(
			{
				agent: false,
				host: '127.0.0.1',
				port,
				path,
				method: options.method ?? 'GET',
				headers: options.headers,
			},
			(response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('end', () =>
					resolve({
						status: response.statusCode ?? 0,
						headers: response.headers,
						body: Buffer.concat(chunks).toString('utf8'),
					}),
				);
				response.on('error', reject);
			},
		);
		request.on('error', reject);
		request.end(options.body);
	});
}

/** Goes through the start address; returns the Cookie header to send from then on. */
export async function signIn(url: string): Promise<string> {
	const { port, pathname, search } = new URL(url);
	const answer = await ask(Number(port), pathname + search);
	const [cookie] = answer.headers['set-cookie'] ?? [];
	if (answer.status !== 303 || cookie === undefined)
		throw new Error(`the start address was answered with ${answer.status}`);
	return cookie.split(';')[0] ?? '';
}

/** Opens the socket as our own page does; rejects with the HTTP status of a refusal. A header of null is left out. */
export function openSocket(
	port: number,
	cookie: string,
	headers: Readonly<Record<string, string | null>> = {},
): Promise<WebSocket> {
	const all: Record<string, string | null> = {
		origin: `http://127.0.0.1:${port}`,
		cookie,
		...headers,
	};
	const sent: Record<string, string> = {};
	for (const [name, value] of Object.entries(all)) if (value !== null) sent[name] = value;
	const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: sent });
	return new Promise((resolve, reject) => {
		socket.once('open', () => resolve(socket));
		socket.once('unexpected-response', (_, response) => {
			reject(new Error(String(response.statusCode)));
			response.destroy();
		});
		socket.once('error', reject);
	});
}

/** A window's end of the socket: requests by number, and everything that was pushed. */
export class SocketClient {
	readonly socket: WebSocket;
	readonly pushes: Exclude<ServerFrame, ReplyFrame>[] = [];
	readonly strays: ReplyFrame[] = [];
	readonly #waiting = new Map<number, (reply: Reply<RequestName>) => void>();
	#nextId = 0;

	constructor(socket: WebSocket) {
		this.socket = socket;
		socket.on('message', (data: Buffer) => {
			// Made by our own shell from the types of the contract.
			const frame = decode(data.toString('utf8')) as ServerFrame;
			if (frame.kind === 'push') {
				this.pushes.push(frame);
				return;
			}
			const settle = this.#waiting.get(frame.id);
			this.#waiting.delete(frame.id);
			if (settle === undefined) this.strays.push(frame);
			else settle(frame.reply);
		});
	}

	request(name: string, params: unknown): Promise<Reply<RequestName>> {
		const id = this.#nextId++;
		return new Promise((resolve) => {
			this.#waiting.set(id, resolve);
			this.socket.send(encode({ kind: 'request', id, name, params }));
		});
	}

	close(): void {
		this.socket.terminate();
	}
}

/** Waits until something holds, looking every few milliseconds; rejects after ten seconds. */
export async function until(holds: () => boolean, what: string): Promise<void> {
	for (let tries = 0; tries < 2000; tries++) {
		if (holds()) return;
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
	throw new Error(`did not happen: ${what}`);
}
