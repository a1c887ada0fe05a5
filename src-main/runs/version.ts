import { readFileSync } from 'node:fs';

function readVersion(): string {
	const manifest: unknown = JSON.parse(
		readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
	);
	const version =
		typeof manifest === 'object' && manifest !== null && 'version' in manifest
			? manifest.version
			: undefined;
	return typeof version === 'string' ? version : '0.0.0';
}

/** Version of this application, from package.json. */
export const groveVersion = readVersion();
