/** HTTP requests of the browser shell: the start address, the renderer's files, downloads and uploads. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { toErrorValue } from '../../contract/errors.ts';
import type { UploadReply } from '../../contract/frames.ts';
import { uploadNameHeader, uploadPath } from '../../contract/frames.ts';
import type { FileExchange } from '../../services/file-exchange.ts';
import { downloadPrefix } from '../../services/file-exchange.ts';
import type { RendererFiles } from '../renderer-files.ts';
import { contentTypeOf, securityHeaders } from '../security-headers.ts';
import type { Access } from './access.ts';
import { refusalOf } from './same-origin.ts';

export interface Pages {
	access: Access;
	files: RendererFiles;
	exchange: FileExchange;
	names: ReadonlySet<string>;
	scheme: 'http' | 'https';
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A page of one sentence, for people who come without the token or too late. */
function say(response: ServerResponse, status: number, text: string, link = ''): void {
	const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Grove</title><p>${text.replaceAll(/[&<>]/gu, (char) => escapes[char] ?? '')}</p>${link}</html>`;
	response.writeHead(status, {
		...securityHeaders,
		'content-type': 'text/html; charset=utf-8',
		'cache-control': 'no-store',
	});
	response.end(body);
}

function start(
	{ access }: Pages,
	token: string,
	request: IncomingMessage,
	response: ServerResponse,
): void {
	switch (access.admit(token, request.socket.remoteAddress ?? '')) {
		case 'granted':
			// The redirect takes the token out of the address bar and keeps it out of the history.
			response.writeHead(303, {
				...securityHeaders,
				'set-cookie': access.setCookieHeader(),
				location: '/',
				'cache-control': 'no-store',
			});
			response.end();
			return;
		case 'wrong':
			say(
				response,
				403,
				'This address is not valid (any more). Use the one that Grove printed when it started.',
			);
			return;
		case 'too-many-tries':
			response.setHeader('retry-after', '60');
			say(response, 429, 'Too many wrong addresses. Wait a minute.');
			return;
	}
}

async function sendFile(
	request: IncomingMessage,
	response: ServerResponse,
	path: string,
	headers: Readonly<Record<string, string>>,
): Promise<void> {
	const facts = await stat(path).catch(() => null);
	if (facts === null) {
		say(response, 404, 'The file is gone.');
		return;
	}
	response.writeHead(200, { ...securityHeaders, ...headers, 'content-length': facts.size });
	if (request.method === 'HEAD') response.end();
	// A window that leaves in the middle of a file is no fault.
	else await pipeline(createReadStream(path), response).catch(() => response.destroy());
}

async function receiveUpload(
	{ exchange }: Pages,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const answer = (status: number, reply: UploadReply): void => {
		response.writeHead(status, {
			...securityHeaders,
			'content-type': 'application/json; charset=utf-8',
			'cache-control': 'no-store',
			// What was not read of a refused body is not waited for.
			...(reply.ok ? {} : { connection: 'close' }),
		});
		response.end(JSON.stringify(reply));
	};
	if (request.headers['content-type'] !== 'application/octet-stream') {
		const what = 'a file is uploaded as application/octet-stream';
		answer(415, { ok: false, error: { kind: 'bad-input', message: what, complaints: [{ what }] } });
		return;
	}
	try {
		const name = request.headers[uploadNameHeader];
		const path = await exchange.receive(request, decodeName(name));
		answer(200, { ok: true, path });
	} catch (error) {
		const value = toErrorValue(error);
		answer(value.kind === 'bad-input' ? 413 : 503, { ok: false, error: value });
	}
}

function decodeName(header: string | string[] | undefined): string {
	try {
		return decodeURIComponent(typeof header === 'string' ? header : '');
	} catch {
		return '';
	}
}

/** Answers one HTTP request. Never throws for what a request holds. */
export async function answerPage(
	pages: Pages,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const { access, files, exchange } = pages;
	const upload = request.method === 'POST';
	const refusal = refusalOf(request.headers, pages.names, pages.scheme, upload);
	if (refusal !== null) {
		say(response, 403, `Refused: ${refusal}.`);
		return;
	}
	// Parsed after a name of ours, so that `//name/path` stays a path.
	const url = request.url ?? '';
	const address = url.startsWith('/') ? URL.parse(`http://grove${url}`) : null;
	if (address === null) {
		say(response, 400, 'This address cannot be read.');
		return;
	}
	const { pathname } = address;
	if (
		request.method !== 'GET' &&
		request.method !== 'HEAD' &&
		!(upload && pathname === uploadPath)
	) {
		response.setHeader('allow', 'GET, HEAD');
		say(response, 405, 'This cannot be done here.');
		return;
	}
	const token = address.searchParams.get('token');
	if (!upload && pathname === '/' && token !== null) {
		start(pages, token, request, response);
		return;
	}
	if (!access.holds(request.headers.cookie)) {
		// After a click on a link of another site the browser holds the cookie back once; a click here sends it.
		say(
			response,
			401,
			'Open the address that Grove printed when it started (it holds a token). If you just did, go on here:',
			'<p><a href="/">Open Grove</a></p>',
		);
		return;
	}
	if (upload) {
		await receiveUpload(pages, request, response);
		return;
	}
	if (pathname.startsWith(downloadPrefix)) {
		const offered = request.method === 'GET' ? exchange.take(pathname) : undefined;
		if (offered === undefined) say(response, 404, 'A download works once. Export again.');
		else
			await sendFile(request, response, offered.path, {
				'content-type': 'application/octet-stream',
				'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(offered.fileName)}`,
				'cache-control': 'no-store',
			});
		return;
	}
	const path = files.find(pathname);
	if (path === undefined) say(response, 404, 'There is nothing at this address.');
	else
		await sendFile(request, response, path, {
			'content-type': contentTypeOf(path),
			// Built files carry a hash of their content in their name.
			'cache-control': pathname.startsWith('/assets/')
				? 'private, max-age=31536000, immutable'
				: 'no-store',
		});
}
