/**
 * `app://grove/…`: the renderer's files, downloads and uploads, as the browser shell serves them over
 * HTTP. A scheme of its own instead of `file:` gives the page an origin, and no way to other files.
 */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { toErrorValue } from '../../contract/errors.ts';
import type { UploadReply } from '../../contract/frames.ts';
import { uploadNameHeader, uploadPath } from '../../contract/frames.ts';
import { downloadPrefix } from '../../services/file-exchange.ts';
import type { FileExchange } from '../../services/file-exchange.ts';
import type { RendererFiles } from '../renderer-files.ts';
import { contentTypeOf, securityHeaders } from '../security-headers.ts';
import { appOrigin, appScheme } from './channels.ts';

/** What Electron has to be told of the scheme before it is ready. */
export const schemePrivileges = {
	scheme: appScheme,
	privileges: {
		standard: true,
		secure: true,
		supportFetchAPI: true,
		stream: true,
		codeCache: true,
	},
};

function answer(
	status: number,
	body: BodyInit | null,
	headers: Record<string, string> = {},
): Response {
	return new Response(body, { status, headers: { ...securityHeaders, ...headers } });
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
	if (body === null) return;
	const reader = body.getReader();
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			yield value;
		}
	} finally {
		reader.releaseLock();
	}
}

async function receiveUpload(request: Request, exchange: FileExchange): Promise<Response> {
	const reply = (status: number, value: UploadReply): Response =>
		answer(status, JSON.stringify(value), { 'content-type': 'application/json; charset=utf-8' });
	const origin = request.headers.get('origin');
	const type = request.headers.get('content-type');
	if (origin !== appOrigin || type !== 'application/octet-stream') {
		const what = 'a file is uploaded by the window of Grove, as application/octet-stream';
		return reply(403, { ok: false, error: { kind: 'bad-input', message: what, complaints: [] } });
	}
	try {
		const name = request.headers.get(uploadNameHeader) ?? '';
		const path = await exchange.receive(chunksOf(request.body), decodeURIComponent(name));
		return reply(200, { ok: true, path });
	} catch (error) {
		return reply(503, { ok: false, error: toErrorValue(error) });
	}
}

async function sendDownload(path: string, exchange: FileExchange): Promise<Response> {
	const offered = exchange.take(path);
	const facts = offered === undefined ? null : await stat(offered.path).catch(() => null);
	if (offered === undefined || facts === null)
		return answer(404, 'A download works once. Export again.');
	// Node's and the web's type of the same stream differ in name only.
	const body = Readable.toWeb(createReadStream(offered.path)) as ReadableStream<Uint8Array>;
	return answer(200, body, {
		'content-type': 'application/octet-stream',
		'content-length': String(facts.size),
		'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(offered.fileName)}`,
	});
}

/** Answers a request for an address of our scheme. */
export async function answerApp(
	request: Request,
	files: RendererFiles,
	exchange: FileExchange,
): Promise<Response> {
	const address = URL.parse(request.url);
	if (address === null || !address.href.startsWith(`${appOrigin}/`)) return answer(404, null);
	const { pathname } = address;
	if (request.method === 'POST' && pathname === uploadPath) return receiveUpload(request, exchange);
	if (request.method !== 'GET') return answer(405, null);
	if (pathname.startsWith(downloadPrefix)) return sendDownload(pathname, exchange);
	const path = files.find(pathname);
	if (path === undefined) return answer(404, null);
	const content = await readFile(path).catch(() => null);
	return content === null
		? answer(404, null)
		: answer(200, new Uint8Array(content), { 'content-type': contentTypeOf(path) });
}
