import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../../src-main/shell/security-headers.ts';
import type { DesktopForTest } from '../../support/desktop.ts';
import { desktopForTest } from '../../support/desktop.ts';
import { StandInEvent } from '../../support/stand-in-electron.ts';

let desktop: DesktopForTest;
beforeAll(async () => {
	desktop = await desktopForTest();
});
afterAll(() => desktop.dispose());

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe('links in texts', () => {
	const outside = ['https://example.com/a?b#c', 'http://example.com/'];
	const refused = [
		'file:///etc/passwd',
		"javascript:document.title='L1'",
		'data:text/html,<h1>x</h1>',
		'smb://example.invalid/x',
		'vscode://x',
		'ms-msdt:/x',
		'https://user:pass@example.com',
		'app://elsewhere/',
		'',
		'//example.com/x',
	];

	it.each([...outside, ...refused])('%s never replaces the page', async (url) => {
		const { webContents } = desktop.window();
		for (const name of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
			const event = new StandInEvent(url);
			webContents.emit(name, event);
			expect(event.prevented).toBe(true);
		}
		expect(webContents.openHandler?.({ url })).toEqual({ action: 'deny' });
		await settled();
	});

	it.each(outside)('%s opens in the browser after a look at it', async (url) => {
		desktop.answers.push(0);
		desktop.questions.length = 0;
		desktop.window().webContents.openHandler?.({ url });
		await settled();
		await settled();
		expect(desktop.questions[0]?.detail).toContain(url);
		expect(desktop.opened.at(-1)).toBe(url);
	});

	it.each(refused)('%s opens nothing', async (url) => {
		desktop.questions.length = 0;
		const before = desktop.opened.length;
		desktop.window().webContents.openHandler?.({ url });
		await settled();
		expect(desktop.questions).toEqual([]);
		expect(desktop.opened).toHaveLength(before);
	});

	it('show foreign letters for what they are, and one question at a time', async () => {
		desktop.questions.length = 0;
		const { webContents } = desktop.window();
		for (let i = 0; i < 10; i++) webContents.openHandler?.({ url: 'https://ex\u0430mple.com' });
		await settled();
		expect(desktop.questions).toHaveLength(1);
		expect(desktop.questions[0]?.message).toContain('xn--');
	});

	it('our own page may be loaded again', () => {
		const event = new StandInEvent('app://grove/index.html#/runs');
		desktop.window().webContents.emit('will-navigate', event);
		expect(event.prevented).toBe(false);
	});
});

describe('a page', () => {
	it('gets no webview, permission, device or foreign download', () => {
		const attach = new StandInEvent();
		desktop.window().webContents.emit('will-attach-webview', attach);
		expect(attach.prevented).toBe(true);
		const { defaultSession } = desktop.electron.session;
		const granted: string[] = [];
		for (const name of [
			'media',
			'geolocation',
			'notifications',
			'openExternal',
			'clipboard-read',
			'clipboard-sanitized-write',
		])
			defaultSession.permission?.({}, name, (yes) => {
				if (yes) granted.push(name);
			});
		expect(granted).toEqual(['clipboard-sanitized-write']);
		expect(defaultSession.check?.()).toBe(false);
		expect(defaultSession.device?.()).toBe(false);
		const download = (url: string): boolean => {
			const event = new StandInEvent();
			defaultSession.emit('will-download', event, { getURL: () => url });
			return !event.prevented;
		};
		expect(download('https://example.com/x.exe')).toBe(false);
		expect(download('app://grove/index.html')).toBe(false);
		expect(download('app://grove/download/abc')).toBe(true);
		expect(download('blob:app://grove/1-2')).toBe(true);
	});

	it('that is not ours gets no answer', async () => {
		const { invoke, window } = desktop;
		const contents = window().webContents;
		const params = {};
		const foreign = [
			{ url: 'https://evil.example/', parent: null },
			{ url: 'app://grove.evil.example/', parent: null },
			{ url: contents.url, parent: {} },
			null,
		];
		for (const frame of foreign)
			expect(await invoke(contents, 'app.info', params, frame)).toMatchObject({ ok: false });
		expect(await invoke(contents, 'app.info', params)).toMatchObject({ ok: true });
	});
});

describe('app://grove', () => {
	it("serves the renderer with the browser shell's policy", async () => {
		const response = await desktop.fetch('app://grove/index.html');
		expect(response.status).toBe(200);
		expect(await response.text()).toContain('<title>Grove');
		expect(response.headers.get('content-security-policy')).toBe(contentSecurityPolicy);
		expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
	});

	it.each([
		'app://grove/../secret.txt',
		'app://grove/%2e%2e/secret.txt',
		'app://grove/..%2fsecret.txt',
		'app://elsewhere/index.html',
		'app://grove//secret.txt',
	])('has nothing at %s', async (address) => {
		const response = await desktop.fetch(address);
		expect(response.status).toBe(404);
	});

	it('takes uploads of our page only, and offers a download once', async () => {
		const upload = (origin: string): Promise<Response> =>
			desktop.fetch('app://grove/upload', {
				method: 'POST',
				body: new Uint8Array([1, 2, 3]),
				headers: { origin, 'content-type': 'application/octet-stream', 'x-file-name': 'a.grove' },
			});
		expect((await upload('https://evil.example')).status).toBe(403);
		const reply = (await (await upload('app://grove')).json()) as { path: string };
		expect([...readFileSync(reply.path)]).toEqual([1, 2, 3]);
		mkdirSync(join(desktop.folder, 'exports'));
		const path = join(desktop.folder, 'exports', 'x.csv');
		writeFileSync(path, 'a,b\n');
		const address = `app://grove${desktop.context.files.offer(path, 'x.csv')}`;
		expect(await (await desktop.fetch(address)).text()).toBe('a,b\n');
		expect((await desktop.fetch(address)).status).toBe(404);
	});
});
