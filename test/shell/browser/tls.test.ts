import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { BrowserShell } from '../../../src-main/shell/browser/start.ts';
import { startBrowserShell } from '../../../src-main/shell/browser/start.ts';
import type { StandIn } from '../../support/stand-in-context.ts';
import { standInContext } from '../../support/stand-in-context.ts';

/** A certificate for localhost that signs itself, for these tests only. */
const tls = {
	cert: fileURLToPath(new URL('../fixtures/localhost.crt', import.meta.url)),
	key: fileURLToPath(new URL('../fixtures/localhost.key', import.meta.url)),
};
const ca = readFileSync(tls.cert);

let rendererFolder: string;
let made: StandIn;
let shell: BrowserShell;

beforeAll(async () => {
	rendererFolder = mkdtempSync(join(tmpdir(), 'grove-renderer-'));
	writeFileSync(join(rendererFolder, 'index.html'), '<!doctype html>');
	made = standInContext();
	shell = await startBrowserShell({
		context: made.context,
		rendererFolder,
		host: '0.0.0.0',
		port: 0,
		tls,
	});
});

afterAll(async () => {
	await shell.close();
	made.close();
	rmSync(rendererFolder, { recursive: true, force: true });
});

function ask(url: string, cookie = ''): Promise<{ status: number; headers: IncomingHttpHeaders }> {
	return new Promise((resolve, reject) => {
		get(url, { ca, agent: false, headers: { cookie } }, (response) => {
			response.resume();
			response.on('end', () => {
				resolve({ status: response.statusCode ?? 0, headers: response.headers });
			});
		}).on('error', reject);
	});
}

describe('with TLS files', () => {
	it('the shell may be reached from elsewhere, and its cookie travels encrypted only', async () => {
		expect(shell.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/\?token=/u);
		const [set = ''] = (await ask(shell.url)).headers['set-cookie'] ?? [];
		expect(set).toContain('; Secure');
		const [cookie = ''] = set.split(';');
		expect((await ask(`https://127.0.0.1:${shell.port}/`, cookie)).status).toBe(200);

		const connect = (origin: string): Promise<string> =>
			new Promise((resolve) => {
				const socket = new WebSocket(`wss://localhost:${shell.port}/ws`, {
					ca,
					headers: { cookie, origin },
				});
				socket.once('open', () => {
					socket.terminate();
					resolve('open');
				});
				socket.once('error', (error) => {
					resolve(error.message);
				});
			});
		expect(await connect(`https://localhost:${shell.port}`)).toBe('open');
		// The same host without encryption is another origin.
		expect(await connect(`http://localhost:${shell.port}`)).toContain('403');
	});

	it('that do not fit the shell does not start', async () => {
		const wrong = { cert: tls.key, key: tls.cert };
		const start = startBrowserShell({ context: made.context, rendererFolder, port: 0, tls: wrong });
		await expect(start).rejects.toThrow('no certificate with its key');
	});
});
