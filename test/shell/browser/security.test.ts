import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GroveError } from '../../../src-main/contract/errors.ts';
import type { BrowserShell } from '../../../src-main/shell/browser/start.ts';
import { startBrowserShell } from '../../../src-main/shell/browser/start.ts';
import { contentSecurityPolicy } from '../../../src-main/shell/security-headers.ts';
import { ask, openSocket, signIn } from '../../support/browser-shell-client.ts';
import type { StandIn } from '../../support/stand-in-context.ts';
import { standInContext } from '../../support/stand-in-context.ts';

let folder: string;
let rendererFolder: string;
let made: StandIn;
let shell: BrowserShell;
let cookie: string;
let origin: string;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'grove shell ä '));
	rendererFolder = join(folder, 'renderer');
	mkdirSync(join(rendererFolder, 'assets'), { recursive: true });
	writeFileSync(join(rendererFolder, 'index.html'), '<!doctype html><title>Grove</title>');
	writeFileSync(join(rendererFolder, 'assets', 'main-abc.js'), 'export {};');
	writeFileSync(join(folder, 'secret.txt'), 'secret');
	symlinkSync(join(folder, 'secret.txt'), join(rendererFolder, 'link.txt'));
	made = standInContext();
	shell = await startBrowserShell({ context: made.context, rendererFolder, port: 0 });
	cookie = await signIn(shell.url);
	origin = `http://127.0.0.1:${shell.port}`;
});

afterAll(async () => {
	await shell.close();
	made.close();
	rmSync(folder, { recursive: true, force: true });
});

describe('the start address', () => {
	it('becomes a cookie that scripts and other sites cannot use, and leaves the address bar', async () => {
		const { pathname, search } = new URL(shell.url);
		const answer = await ask(shell.port, pathname + search);
		expect(answer.status).toBe(303);
		expect(answer.headers.location).toBe('/');
		expect(answer.headers['referrer-policy']).toBe('no-referrer');
		expect(answer.headers['cache-control']).toBe('no-store');
		const [set] = answer.headers['set-cookie'] ?? [];
		expect(set).toContain('HttpOnly');
		expect(set).toContain('SameSite=Strict');
		// The cookie is not the token: neither reveals the other.
		expect(set).not.toContain(search.slice('?token='.length));
	});

	it('for the command line of a browser works once', async () => {
		const url = shell.urlOnce();
		await signIn(url);
		await expect(signIn(url)).rejects.toThrow('403');
	});

	it('is needed for everything', async () => {
		for (const path of ['/', '/index.html', '/assets/main-abc.js', '/download/x', '/nothing'])
			expect((await ask(shell.port, path)).status).toBe(401);
		await expect(openSocket(shell.port, '')).rejects.toThrow('401');
		await expect(openSocket(shell.port, cookie.replace(/.$/u, '~'))).rejects.toThrow('401');
	});

	it('is refused where wrong, and not judged at all after too many tries', async () => {
		const other = await startBrowserShell({ context: made.context, rendererFolder, port: 0 });
		const statuses: number[] = [];
		for (let i = 0; i < 25; i++) statuses.push((await ask(other.port, `/?token=${i}`)).status);
		expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 403));
		expect(statuses.slice(20)).toEqual([429, 429, 429, 429, 429]);
		await expect(signIn(other.url)).rejects.toThrow('429');
		await other.close();
	});
});

describe('a page of another site', () => {
	const types = [
		'text/plain',
		'application/x-www-form-urlencoded',
		'multipart/form-data',
		'application/json',
	];

	it.each(types)('posts %s to no avail, even with the cookie', async (type) => {
		for (const path of ['/', '/api/runs', '/upload', '/ws']) {
			const answer = await ask(shell.port, path, {
				method: 'POST',
				headers: { origin: 'http://127.0.0.1:9999', 'content-type': type, cookie },
				body: '{"name":"from another site"}',
			});
			expect(answer.status).toBe(403);
			expect(answer.headers['access-control-allow-origin']).toBeUndefined();
		}
	});

	it.each(['http://127.0.0.1:9999', 'https://evil.example', 'null', 'file://'])(
		'of origin %s opens no socket',
		async (from) => {
			await expect(openSocket(shell.port, cookie, { origin: from })).rejects.toThrow('403');
		},
	);

	it('without an origin opens no socket and uploads nothing', async () => {
		await expect(openSocket(shell.port, cookie, { origin: null })).rejects.toThrow('403');
		const answer = await ask(shell.port, '/upload', {
			method: 'POST',
			headers: { cookie, 'content-type': 'application/octet-stream' },
		});
		expect(answer.status).toBe(403);
	});

	it('embeds nothing', async () => {
		const embed = { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' };
		expect((await ask(shell.port, '/assets/main-abc.js', { headers: embed })).status).toBe(403);
		const own = { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' };
		expect((await ask(shell.port, '/assets/main-abc.js', { headers: own })).status).toBe(200);
	});

	it('gets no leave from a preflight', async () => {
		const answer = await ask(shell.port, '/upload', {
			method: 'OPTIONS',
			headers: { origin, cookie, 'access-control-request-method': 'POST' },
		});
		expect(answer.status).toBe(405);
		expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual(
			[],
		);
	});

	it.each([
		'evil.example',
		'evil.example:80',
		'localhost.evil.example',
		'127.0.0.1.evil.example',
		'a b',
		'[::1',
	])('that gives its own name %j to this machine is refused', async (host) => {
		expect(
			(await ask(shell.port, '/', { headers: { host, cookie } })).status,
		).toBeGreaterThanOrEqual(400);
		await expect(
			openSocket(shell.port, cookie, { host, origin: `http://${host}` }),
		).rejects.toThrow(/4\d\d/u);
	});
});

describe('our own page', () => {
	it.each(['localhost', '127.0.0.1', '[::1]'])(
		'is served as %s, at any port of a tunnel',
		async (name) => {
			const host = `${name}:8080`;
			expect((await ask(shell.port, '/', { headers: { host, cookie } })).status).toBe(200);
			const socket = await openSocket(shell.port, cookie, { host, origin: `http://${host}` });
			socket.terminate();
		},
	);

	it('has the security headers', async () => {
		const answer = await ask(shell.port, '/', { headers: { cookie } });
		expect(answer.body).toContain('<title>Grove');
		expect(answer.headers['content-security-policy']).toBe(contentSecurityPolicy);
		expect(contentSecurityPolicy).not.toContain('unsafe');
		expect(answer.headers['x-content-type-options']).toBe('nosniff');
		expect(answer.headers['x-frame-options']).toBe('DENY');
		expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
		expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
	});

	it('cannot be led out of its folder', async () => {
		for (const path of [
			'/../secret.txt',
			'/assets/../../secret.txt',
			'/..%2fsecret.txt',
			'/%2e%2e/secret.txt',
			'/assets/..%5c..%5csecret.txt',
			'//secret.txt',
			'/link.txt',
			'/assets',
			'/assets/',
			encodeURI(`/${join(folder, 'secret.txt')}`),
			'/index.html%00.js',
			'/%',
		]) {
			const answer = await ask(shell.port, path, { headers: { cookie } });
			expect(answer.body).not.toContain('secret');
			expect([400, 404]).toContain(answer.status);
		}
	});

	it('does nothing by other methods', async () => {
		for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE'])
			expect((await ask(shell.port, '/', { method, headers: { origin, cookie } })).status).toBe(
				405,
			);
		expect((await ask(shell.port, '/', { method: 'HEAD', headers: { cookie } })).body).toBe('');
	});
});

describe('files', () => {
	const uploadHeaders = () => ({ origin, cookie, 'content-type': 'application/octet-stream' });

	it('come in by upload', async () => {
		const answer = await ask(shell.port, '/upload', {
			method: 'POST',
			headers: { ...uploadHeaders(), 'x-file-name': encodeURIComponent('../Läufe.grove') },
			body: Buffer.alloc(300_000, 5),
		});
		const reply = JSON.parse(answer.body) as { ok: boolean; path: string };
		expect(reply.ok).toBe(true);
		expect(reply.path.endsWith('Läufe.grove')).toBe(true);
		expect(readFileSync(reply.path)).toHaveLength(300_000);
	});

	it('need the cookie and their content type', async () => {
		const without = { ...uploadHeaders(), cookie: '' };
		expect((await ask(shell.port, '/upload', { method: 'POST', headers: without })).status).toBe(
			401,
		);
		const plain = { ...uploadHeaders(), 'content-type': 'text/plain' };
		expect((await ask(shell.port, '/upload', { method: 'POST', headers: plain })).status).toBe(415);
	});

	it('go out once', async () => {
		const address = made.context.files.offer(join(folder, 'secret.txt'), 'a "b"\r\n.csv');
		expect((await ask(shell.port, address)).status).toBe(401);
		const answer = await ask(shell.port, address, { headers: { cookie } });
		expect(answer.body).toBe('secret');
		expect(answer.headers['content-disposition']).toBe(
			"attachment; filename*=UTF-8''a%20%22b%22%0D%0A.csv",
		);
		expect((await ask(shell.port, address, { headers: { cookie } })).status).toBe(404);
	});
});

describe('starting', () => {
	const start = (more: object) =>
		startBrowserShell({ context: made.context, rendererFolder, port: 0, ...more });

	it('says so when the port is taken, and takes the next one where none was asked for', async () => {
		await expect(start({ port: shell.port })).rejects.toThrow(
			'another program (perhaps another Grove)',
		);
		const first = await start({ port: undefined });
		const second = await start({ port: undefined });
		expect(second.port).toBeGreaterThan(first.port);
		await Promise.all([first.close(), second.close()]);
	});

	it('refuses to be reached from elsewhere without encryption, and says what that would expose', async () => {
		await expect(start({ host: '0.0.0.0' })).rejects.toThrow('every machine of the network');
		const exposed = await start({ host: '0.0.0.0', allowUnencrypted: true });
		expect(exposed.url).toContain('http://127.0.0.1:');
		await exposed.close();
	});

	it.each([
		['an address that is not ours', { host: '192.0.2.1', allowUnencrypted: true }],
		['TLS files that are not there', { host: '0.0.0.0', tls: { cert: '/x', key: '/y' } }],
		['a token that is too short', { token: 'short' }],
		['an application that was not built', { rendererFolder: '/nowhere' }],
	])('refuses %s', async (_, more) => {
		await expect(start(more)).rejects.toThrow(GroveError);
	});

	it('lets a token be given, whose cookie then outlives a restart', async () => {
		const first = await start({ token: 'a-token-of-my-own' });
		const kept = await signIn(first.url);
		await first.close();
		const second = await start({ token: 'a-token-of-my-own', port: first.port });
		expect((await ask(second.port, '/', { headers: { cookie: kept } })).status).toBe(200);
		await second.close();
	});
});
