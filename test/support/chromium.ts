/** The Chromium of this machine for tests in a real browser, if there is one. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const places = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of Chromium or Chrome: `GROVE_CHROMIUM`, else the PATH, else the usual places; null where there is none. */
export function findChromium(): string | null {
	const chosen = process.env.GROVE_CHROMIUM;
	if (chosen !== undefined && chosen !== '') return existsSync(chosen) ? chosen : null;
	const folders = (process.env.PATH ?? '').split(delimiter);
	const candidates = [
		...folders.flatMap((folder) => names.map((name) => join(folder, name))),
		...places,
	];
	return candidates.find((path) => existsSync(path)) ?? null;
}

/** Arguments under which Chromium runs without a display, as root, and asks nothing of the network. */
export const chromiumArguments = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];
