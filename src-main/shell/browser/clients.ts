import type { WebSocket } from 'ws';
import type { ServiceContext } from '../../services/context.ts';
import { Client } from './client.ts';

const beatEveryMs = 20_000;
const closeWithinMs = 500;
export const mostClients = 1000;

/** All windows at present. Each is told of every push and let go as soon as its connection ends. */
export class Clients {
	readonly #context: ServiceContext;
	readonly #clients = new Set<Client>();
	readonly #beats: NodeJS.Timeout;
	readonly #stopListening: () => void;

	constructor(context: ServiceContext) {
		this.#context = context;
		this.#stopListening = context.publisher.listen((push) => {
			for (const client of this.#clients) client.push(push);
		});
		this.#beats = setInterval(() => {
			for (const client of this.#clients) client.beat();
		}, beatEveryMs);
		this.#beats.unref();
	}

	get size(): number {
		return this.#clients.size;
	}

	add(socket: WebSocket): void {
		const client = new Client(socket, this.#context);
		this.#clients.add(client);
		socket.on('close', () => this.#clients.delete(client));
		// One that connects again may have missed anything.
		client.push({
			name: 'runs.changed',
			payload: { ids: [], revision: this.#context.records.revision() },
		});
	}

	/** Says goodbye to all, then cuts off those that do not answer. */
	async close(): Promise<void> {
		clearInterval(this.#beats);
		this.#stopListening();
		for (const client of this.#clients) client.close();
		const until = performance.now() + closeWithinMs;
		while (this.#clients.size > 0 && performance.now() < until)
			await new Promise((resolve) => setTimeout(resolve, 10));
		for (const client of this.#clients) client.terminate();
	}
}
