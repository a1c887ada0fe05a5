/** The application in a real browser, over a database on disk. */
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { openContext } from '../../src-main/services/open-context.ts';
import { startBrowserShell } from '../../src-main/shell/browser/start.ts';
import { chromiumArguments, findChromium } from './chromium.ts';

const rendererFolder = fileURLToPath(new URL('../../dist/renderer/', import.meta.url));

export interface OpenApplication {
	page: Page;
	/** Shows a place, e.g. `#/rollouts`. */
	go: (hash: string) => Promise<void>;
	/** What went wrong in the window so far: uncaught errors, console errors, refused loads. */
	readonly complaints: readonly string[];
	close: () => Promise<void>;
}

export interface Look {
	width?: number;
	height?: number;
	colorScheme?: 'light' | 'dark';
}

/** Serves the built renderer over `database` and opens it. Needs Chromium (findChromium). */
export async function openApplication(database: string, look: Look = {}): Promise<OpenApplication> {
	const { context, close: closeContext } = await openContext({
		shell: 'browser',
		database,
		log: () => {},
	});
	const shell = await startBrowserShell({ context, rendererFolder, port: 0 });
	let browser: Browser | undefined;
	const close = async (): Promise<void> => {
		await browser?.close();
		await shell.close();
		await closeContext();
	};
	try {
		const executablePath = findChromium();
		if (executablePath === null) throw new Error('No Chromium was found');
		browser = await chromium.launch({ executablePath, args: chromiumArguments });
		const page = await browser.newPage({
			viewport: { width: look.width ?? 1440, height: look.height ?? 900 },
			colorScheme: look.colorScheme ?? 'light',
			reducedMotion: 'reduce',
		});
		const complaints: string[] = [];
		page.on('pageerror', (error) => complaints.push(error.message));
		page.on('console', (message) => {
			if (message.type() === 'error') complaints.push(message.text());
		});
		page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
		await page.goto(shell.url);
		return {
			page,
			complaints,
			go: async (hash) => {
				await page.evaluate((to) => {
					location.hash = to;
				}, hash);
			},
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}
