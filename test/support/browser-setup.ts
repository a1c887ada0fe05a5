/** Before the tests in a real browser: build the renderer; say plainly when there is no browser. */
import { build } from 'vite';
import { findChromium } from './chromium.ts';

export default async function setup(): Promise<void> {
	if (findChromium() === null) {
		const reason =
			'no Chromium or Chrome was found (install one, or set GROVE_CHROMIUM to its path)';
		if (process.env.GROVE_REQUIRE_BROWSER === '1')
			throw new Error(`The browser tests must run here, but ${reason}.`);
		process.stdout.write(`Skipped: the browser tests in test/e2e, because ${reason}.\n`);
		return;
	}
	await build({ logLevel: 'warn' });
}
