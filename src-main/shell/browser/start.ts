/**
 * The browser shell: the renderer and its requests over HTTP and one WebSocket a window, on this machine
 * only unless told otherwise, for whoever holds the token of the start address.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { GroveError } from '../../contract/errors.ts';
import type { ServiceContext } from '../../services/context.ts';
import { RendererFiles } from '../renderer-files.ts';
import { Access } from './access.ts';
import { Clients, mostClients } from './clients.ts';
import type { TlsFiles } from './exposure.ts';
import { checkExposure, readTls } from './exposure.ts';
import { listen } from './listen.ts';
import { openBrowser } from './open-browser.ts';
import type { Pages } from './pages.ts';
import { answerPage } from './pages.ts';
import { namesOf, refusalOf } from './same-origin.ts';

export interface BrowserShellOptions {
	context: ServiceContext;
	/** The renderer's build. */
	rendererFolder: string;
	/** Refused where taken; left out: the next free one. 0: any free one. */
	port?: number | undefined;
	/** 127.0.0.1 unless given. */
	host?: string | undefined;
	/** Further names under which this machine is reached, for a host beyond loopback. */
	names?: readonly string[] | undefined;
	tls?: TlsFiles | undefined;
	/** Lets a host beyond loopback be served without TLS. */
	allowUnencrypted?: boolean | undefined;
	/** A token to use instead of a random one, at least 16 characters. */
	token?: string | undefined;
	/** Opens the person's browser. */
	open?: boolean | undefined;
}

export interface BrowserShell {
	/** The start address, with the token. */
	url: string;
	port: number;
	/** Whether a browser could be opened; false where it was not asked for. */
	opened: boolean;
	/** A start address that works once, for a browser's command line, which other users may read. */
	urlOnce(): string;
	/** Windows connected at present. */
	readonly clients: number;
	/** Ends all connections and frees the port. */
	close(): Promise<void>;
}

/** A request's text may have 4,000,000 characters, of up to six bytes each as JSON. */
const largestFrame = 32 * 1024 * 1024;

function makeServer(tls: TlsFiles | undefined): Server {
	const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 20_000, requestTimeout: 3_600_000 };
	return tls === undefined ? createServer(limits) : createTlsServer({ ...limits, ...readTls(tls) });
}

/** Refuses an upgrade with a plain HTTP answer. */
function refuse(socket: Duplex, status: string): void {
	socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function checkOptions(options: BrowserShellOptions): void {
	if (options.token !== undefined && !/^[\w-]{16,200}$/u.test(options.token)) {
		throw new GroveError('bad-input', {
			where: 'token',
			what: 'not a usable token',
			expected: '16 to 200 letters, digits, - and _',
		});
	}
	if (!existsSync(join(options.rendererFolder, 'index.html'))) {
		throw new GroveError('not-found', {
			where: options.rendererFolder,
			what: 'the built application is not there',
			fix: 'run `npm run build` in the folder of Grove',
		});
	}
}

/** Starts serving. Throws GroveError for a taken port, a host that exposes too much, TLS files that cannot be read. */
export async function startBrowserShell(options: BrowserShellOptions): Promise<BrowserShell> {
	const { context, tls } = options;
	const host = options.host ?? '127.0.0.1';
	const scheme = tls === undefined ? 'http' : 'https';
	checkOptions(options);
	checkExposure(host, tls, options.allowUnencrypted ?? false);

	const server = makeServer(tls);
	const port = await listen(server, options.port, host);
	const access = new Access({
		token: options.token,
		name: String(port),
		secure: tls !== undefined,
	});
	const names = namesOf(host, options.names);
	const pages: Pages = {
		access,
		names,
		scheme,
		files: new RendererFiles(options.rendererFolder),
		exchange: context.files,
	};
	server.on('request', (request, response) => {
		answerPage(pages, request, response).catch((error: unknown) => {
			context.log('error', `${request.method ?? ''} failed: ${String(error)}`);
			response.destroy();
		});
	});

	const clients = new Clients(context);
	const sockets = new WebSocketServer({
		noServer: true,
		maxPayload: largestFrame,
		perMessageDeflate: false,
		clientTracking: false,
	});
	server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
		// A peer that resets the connection before the handshake is over.
		socket.on('error', () => socket.destroy());
		if (request.url !== '/ws') refuse(socket, '404 Not Found');
		else if (refusalOf(request.headers, names, scheme, true) !== null)
			refuse(socket, '403 Forbidden');
		else if (!access.holds(request.headers.cookie)) refuse(socket, '401 Unauthorized');
		else if (clients.size >= mostClients) refuse(socket, '503 Service Unavailable');
		else sockets.handleUpgrade(request, socket, head, (opened) => clients.add(opened));
	});

	const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	const base = `${scheme}://${shown.includes(':') ? `[${shown}]` : shown}:${port}/`;
	const urlOnce = (): string => `${base}?token=${access.onceToken()}`;
	const opened = options.open === true && (await openBrowser(urlOnce()));
	return {
		url: `${base}?token=${access.token}`,
		port,
		opened,
		urlOnce,
		get clients() {
			return clients.size;
		},
		async close() {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			await clients.close();
			server.closeAllConnections();
			await closed;
		},
	};
}
