import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RequestName } from '../../../src-main/contract/requests.ts';
import { requestParams } from '../../../src-main/contract/requests.ts';
import { encode } from '../../../src-main/contract/wire.ts';
import type { BrowserShell } from '../../../src-main/shell/browser/start.ts';
import { startBrowserShell } from '../../../src-main/shell/browser/start.ts';
import { openSocket, signIn, SocketClient, until } from '../../support/browser-shell-client.ts';
import { sampleRequests } from '../../support/sample-requests.ts';
import type { StandIn } from '../../support/stand-in-context.ts';
import { standInContext, standInRecords } from '../../support/stand-in-context.ts';

const large = Float64Array.from({ length: 100_000 }, (_, i) => i);
let rendererFolder: string;
let made: StandIn;
let shell: BrowserShell;
let cookie: string;
let open: SocketClient[] = [];

beforeAll(async () => {
	rendererFolder = mkdtempSync(join(tmpdir(), 'grove-renderer-'));
	writeFileSync(join(rendererFolder, 'index.html'), '<!doctype html>');
	made = standInContext({
		records: {
			...standInRecords(),
			metricPoints: (_, key) =>
				key === 'large'
					? { step: large, envStep: large, epoch: large, wallTimeMs: large, value: large }
					: standInRecords().metricPoints('a', key),
		},
	});
	shell = await startBrowserShell({ context: made.context, rendererFolder, port: 0 });
	cookie = await signIn(shell.url);
});

afterEach(() => {
	for (const client of open) client.close();
	open = [];
});

afterAll(async () => {
	await shell.close();
	made.close();
	rmSync(rendererFolder, { recursive: true, force: true });
});

async function connectClient(): Promise<SocketClient> {
	const client = new SocketClient(await openSocket(shell.port, cookie));
	open.push(client);
	return client;
}

const frame = (value: unknown): string => encode(value);

describe('the socket', () => {
	it('tells a window that connects (again) to read what it missed', async () => {
		const client = await connectClient();
		await until(() => client.pushes.length > 0, 'a first push');
		expect(client.pushes[0]).toMatchObject({ name: 'runs.changed', payload: { ids: [] } });
	});

	it('answers every malformed frame with an error value and lives on', async () => {
		const client = await connectClient();
		const bad = [
			'',
			'{',
			'null',
			'[]',
			'"text"',
			'{"kind":"push","name":"notice","payload":{}}',
			frame({ kind: 'request' }),
			frame({ kind: 'request', id: -1, name: 'app.info', params: {} }),
			frame({ kind: 'request', id: 1.5, name: 'app.info', params: {} }),
			frame({ kind: 'request', id: 'x', name: 'app.info', params: {} }),
			frame({ kind: 'request', id: NaN, name: 'app.info', params: {} }),
			frame({ kind: 'request', id: 900, name: 7, params: {} }),
			frame({ kind: 'request', id: 901, name: 'app.info', params: {}, more: 1 }),
			frame({ kind: 'request', id: 902, name: 'no.such', params: {} }),
			frame({ kind: 'request', id: 903, name: 'app.info' }),
			'{"kind":"request","id":904,"name":"app.info","params":{"$f64":"***"}}',
			'{"kind":"request","id":905,"name":"app.info","params":{"$f64":"AAA="}}',
			'['.repeat(200_000) + ']'.repeat(200_000),
			frame({ kind: 'request', id: 906, name: 'runs.get', params: { id: 'x'.repeat(8_000_000) } }),
		];
		for (const text of bad) client.socket.send(text);
		client.socket.send(Buffer.from([1, 2, 3]), { binary: true });
		await until(() => client.strays.length === bad.length + 1, 'an answer to each');
		for (const { reply } of client.strays) {
			expect(reply.ok).toBe(false);
			if (!reply.ok) expect(reply.error.kind).toBe('bad-input');
		}
		expect(await client.request('app.info', {})).toMatchObject({ ok: true });
	});

	it('survives generated frames', async () => {
		const client = await connectClient();
		const names = Object.keys(requestParams) as RequestName[];
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(fc.constantFrom(...names), fc.string()),
				fc.oneof(
					fc.jsonValue(),
					fc.constantFrom(...names).map((name): unknown => sampleRequests[name]),
				),
				async (name, params) => {
					expect(typeof (await client.request(name, params)).ok).toBe('boolean');
				},
			),
			{ numRuns: 300 },
		);
		expect(made.faults).toEqual([]);
	});

	it('ends a connection whose frame is larger than any request', async () => {
		const client = await connectClient();
		client.socket.on('error', () => undefined);
		client.socket.send('x'.repeat(33 * 1024 * 1024));
		await until(() => client.socket.readyState === client.socket.CLOSED, 'the end');
		expect(await (await connectClient()).request('app.info', {})).toMatchObject({ ok: true });
	});

	it('answers a thousand requests sent at once', async () => {
		const client = await connectClient();
		const replies = await Promise.all(
			Array.from({ length: 1000 }, () =>
				client.request('metrics.series', sampleRequests['metrics.series']),
			),
		);
		expect(replies.every((reply) => reply.ok)).toBe(true);
	});
});

describe('slow and vanished windows', () => {
	it('that do not read make the shell hold a bounded amount', async () => {
		const socket = await openSocket(shell.port, cookie);
		socket.pause();
		const params = { ...sampleRequests['metrics.series'], keys: ['large'], buckets: 10_000 };
		let answered = 0;
		const { series } = made.context;
		made.context.series = new Proxy(series, {
			get(target, name) {
				if (name === 'line') answered++;
				const member: unknown = Reflect.get(target, name);
				return typeof member === 'function' ? (member.bind(target) as unknown) : member;
			},
		});
		for (let id = 0; id < 2000; id++)
			socket.send(encode({ kind: 'request', id, name: 'metrics.series', params }));
		for (let i = 0; i < 50_000; i++)
			made.context.publisher.publish('notice', { level: 'info', text: 'x'.repeat(1000) });
		await new Promise((resolve) => setTimeout(resolve, 1000));
		// Two lines a request and over a megabyte an answer: all of them would be gigabytes.
		expect(answered).toBeLessThan(200);
		made.context.series = series;
		socket.terminate();
		await until(() => shell.clients === 0, 'its end');
	});

	it('leave nothing behind, five hundred of them', async () => {
		const { publisher } = made.context;
		const listeners = publisher.listeners;
		for (let round = 0; round < 5; round++) {
			const sockets = await Promise.all(
				Array.from({ length: 100 }, () => openSocket(shell.port, cookie)),
			);
			await until(() => shell.clients === 100, 'all connected');
			publisher.publish('notice', { level: 'info', text: 'hello' });
			sockets.forEach((socket, i) => {
				if (i % 3 === 0) socket.close();
				else if (i % 3 === 1) socket.terminate();
				else {
					socket.send(encode({ kind: 'request', id: 1, name: 'app.info', params: {} }));
					socket.terminate();
				}
			});
			await until(() => shell.clients === 0, 'all gone');
		}
		expect(publisher.listeners).toBe(listeners);
		expect(made.faults).toEqual([]);
	});

	it('that reset the connection in the handshake harm nobody', async () => {
		for (let i = 0; i < 50; i++) {
			const raw = connect(shell.port, '127.0.0.1');
			raw.on('error', () => undefined);
			raw.write(
				`GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${i % 2 === 0 ? '\r\n' : ''}`,
			);
			await new Promise((resolve) => setTimeout(resolve, 2));
			raw.resetAndDestroy();
		}
		expect(await (await connectClient()).request('app.info', {})).toMatchObject({ ok: true });
	});
});

it('closing ends every connection and frees the port', async () => {
	const other = await startBrowserShell({ context: made.context, rendererFolder, port: 0 });
	const socket = await openSocket(other.port, await signIn(other.url));
	const listeners = made.context.publisher.listeners;
	await other.close();
	await until(() => socket.readyState === socket.CLOSED, 'the end');
	expect(made.context.publisher.listeners).toBe(listeners - 1);
	const again = await startBrowserShell({
		context: made.context,
		rendererFolder,
		port: other.port,
	});
	await again.close();
});
