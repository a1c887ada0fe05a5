/**
 * Drives the real Electron with the built application: what the stand-in of the other tests takes for
 * granted is looked at here. Says in one line that it was skipped where there is no Electron to drive.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import { build } from 'electron-vite';
import { _electron } from 'playwright-core';
import type { ElectronApplication, Page } from 'playwright-core';
import type { Bridge, Reply } from '../../src-main/contract/requests.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'node_modules', 'electron', 'dist');

/** Electron's program, or why there is none to drive. */
function findElectron(): { program: string } | { missing: string } {
	if (!existsSync(folder))
		return {
			missing:
				'its binary is not in node_modules/electron/dist (`npx install-electron` downloads it)',
		};
	if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
		return { missing: 'there is no display (use `xvfb-run npm run test:electron`)' };
	const name = readFileSync(join(root, 'node_modules', 'electron', 'path.txt'), 'utf8').trim();
	return { program: join(folder, name) };
}

declare global {
	interface Window {
		grove?: Bridge;
	}
}

async function checkConfinement(page: Page): Promise<void> {
	const seen = await page.evaluate(() => ({
		bridge: Object.keys(window.grove ?? {}).sort(),
		node: ['require', 'process', 'module', 'Buffer'].filter((name) => name in globalThis),
		origin: window.location.origin,
	}));
	assert.deepEqual(seen, { bridge: ['request', 'subscribe'], node: [], origin: 'app://grove' });
	await page.evaluate(() => {
		window.location.href = 'https://example.com/';
		window.open('https://example.com/');
	});
	assert.equal(new URL(page.url()).protocol, 'app:');
	const inline = await page.evaluate(() => {
		const script = document.createElement('script');
		script.textContent = 'document.title = "inline script ran"';
		document.head.append(script);
		return document.title;
	});
	assert.notEqual(inline, 'inline script ran');
}

async function checkRequests(page: Page): Promise<void> {
	/** Asks as a hostile page may: any name, any parameters. */
	const ask = (name: string, params: unknown): Promise<Reply<'app.info'> | undefined> =>
		page.evaluate(
			([what, given]) => {
				const bridge = window.grove as unknown as
					{ request: (name: string, params: unknown) => Promise<Reply<'app.info'>> } | undefined;
				return bridge?.request(what, given);
			},
			[name, params] as const,
		);
	const info = await ask('app.info', {});
	assert.ok(info?.ok);
	assert.equal(info.result.shell, 'electron');
	for (const [name, params] of [
		['no.such', {}],
		['runs.get', { id: 7 }],
		['runs.get', null],
	] as const)
		assert.equal((await ask(name, params))?.ok, false);
	const uncloneable = await page.evaluate(async () => {
		const reply = await window.grove?.request('runs.get', { id: (() => '') as unknown as string });
		return reply?.ok;
	});
	assert.equal(uncloneable, false);
}

async function checkRecovery(app: ElectronApplication): Promise<void> {
	const loaded = app.evaluate(
		({ BrowserWindow }) =>
			new Promise<void>((resolve) => {
				const [window] = BrowserWindow.getAllWindows();
				window?.webContents.once('did-finish-load', () => resolve());
				window?.webContents.forcefullyCrashRenderer();
			}),
	);
	await loaded;
	assert.equal(app.windows().length, 1);
}

async function checkSecondStart(
	program: string,
	app: ElectronApplication,
	env: Record<string, string>,
): Promise<void> {
	const { spawn } = await import('node:child_process');
	const second = spawn(program, [root], { env, stdio: 'ignore' });
	await new Promise((resolve) => second.once('exit', resolve));
	const windows = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
	assert.equal(windows, 1);
}

const found = findElectron();
if ('missing' in found) {
	process.stdout.write(`Skipped: the tests of the real Electron, because ${found.missing}.\n`);
} else {
	await build({ root, logLevel: 'warn' });
	const workspace = mkdtempSync(join(tmpdir(), 'grove-electron-'));
	const env: Record<string, string> = { GROVE_DB: join(workspace, 'grove.db') };
	for (const [name, value] of Object.entries(process.env))
		if (value !== undefined && name !== 'GROVE_DB') env[name] = value;
	const args = process.platform === 'linux' ? ['--no-sandbox', root] : [root];
	const app = await _electron.launch({ executablePath: found.program, args, env });
	try {
		const page = await app.firstWindow();
		await page.waitForLoadState('domcontentloaded');
		await checkConfinement(page);
		await checkRequests(page);
		await checkSecondStart(found.program, app, env);
		await checkRecovery(app);
		process.stdout.write('The real Electron: 4 checks passed.\n');
	} finally {
		await app.close();
		rmSync(workspace, { recursive: true, force: true });
	}
}
