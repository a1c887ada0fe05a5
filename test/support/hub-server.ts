/** A small server that speaks the Hub's endpoints, with the failures of a real one. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface HubServer {
	readonly url: string;
	/** `METHOD path` of every request so far, with the range that was asked for. */
	readonly requests: string[];
	/** Answers everything with this status; null: as usual. */
	status: number | null;
	/** Wants this token; null: none. */
	token: string | null;
	/** The next so many downloads of a large file end after `cutAfter` bytes. */
	cuts: number;
	cutAfter: number;
	/** What is served for a path in place of what is listed. */
	readonly instead: Map<string, Uint8Array>;
	close(): Promise<void>;
}

export const commit = 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00';

function hashOf(algorithm: 'sha1' | 'sha256', data: Uint8Array): string {
	return createHash(algorithm).update(data).digest('hex');
}

/** Serves `files` as the model `owner/name`, branch `main` and tag `v1`. Files above `lfsFrom` bytes are large ones. */
export async function startHubServer(
	files: Readonly<Record<string, Uint8Array>>,
	lfsFrom = 1_000_000,
): Promise<HubServer> {
	const state: Omit<HubServer, 'url' | 'close'> = {
		requests: [],
		status: null,
		token: null,
		cuts: 0,
		cutAfter: 0,
		instead: new Map(),
	};

	function answerFile(request: IncomingMessage, response: ServerResponse, path: string): void {
		const listed = files[path];
		const data = state.instead.get(path) ?? listed;
		if (data === undefined || listed === undefined) {
			response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end();
			return;
		}
		const range = /^bytes=(\d+)-(\d*)$/u.exec(request.headers.range ?? '');
		const from = Number(range?.[1] ?? 0);
		const to = range?.[2] === undefined || range[2] === '' ? data.length - 1 : Number(range[2]);
		const part = data.slice(from, to + 1);
		response.writeHead(range === null ? 200 : 206, {
			etag: `"${hashOf('sha1', listed)}"`,
			'content-length': part.length,
			'accept-ranges': 'bytes',
			...(range === null ? {} : { 'content-range': `bytes ${from}-${to}/${data.length}` }),
		});
		const large = listed.length >= lfsFrom && part.length > 1;
		if (!large || state.cuts === 0) {
			response.end(part);
			return;
		}
		state.cuts--;
		response.write(part.subarray(0, state.cutAfter), () => request.socket.destroy());
	}

	const server = createServer((request, response) => {
		const path = decodeURIComponent(new URL(request.url ?? '/', 'http://hub').pathname);
		state.requests.push(
			`${request.method ?? ''} ${path}${request.headers.range === undefined ? '' : ` ${request.headers.range}`}`,
		);
		if (state.status !== null) {
			response.writeHead(state.status, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ error: 'as the test wants it' }));
			return;
		}
		if (state.token !== null && request.headers.authorization !== `Bearer ${state.token}`) {
			response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no"}');
			return;
		}
		const json = (value: unknown): void => {
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
		};
		const known = (revision: string | undefined): boolean =>
			['main', 'v1', commit].includes(revision ?? '');
		const info = /^\/api\/models\/owner\/name\/revision\/([^/]+)$/u.exec(path);
		const tree = /^\/api\/models\/owner\/name\/tree\/([^/]+)$/u.exec(path);
		const file = /^\/owner\/name\/resolve\/([^/]+)\/(.+)$/u.exec(path);
		if (info !== null && known(info[1])) {
			json({ _id: '1', id: 'owner/name', sha: commit, lastModified: '2026-01-01T00:00:00Z' });
		} else if (tree !== null && known(tree[1])) {
			json(
				Object.entries(files).map(([name, data]) => ({
					type: 'file',
					path: name,
					size: data.length,
					oid: hashOf('sha1', data),
					...(data.length >= lfsFrom
						? { lfs: { oid: hashOf('sha256', data), size: data.length, pointerSize: 130 } }
						: {}),
				})),
			);
		} else if (file !== null && known(file[1])) answerFile(request, response, file[2] ?? '');
		else
			response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return Object.assign(state, {
		url: `http://127.0.0.1:${port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	});
}
