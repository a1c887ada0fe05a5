import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { GroveError } from '../../contract/errors.ts';
import { isLoopback } from './same-origin.ts';

export interface TlsFiles {
	/** PEM files. */
	cert: string;
	key: string;
}

/** Refuses to listen beyond this machine unless the connection is encrypted or the person insists. Throws GroveError. */
export function checkExposure(
	host: string,
	tls: TlsFiles | undefined,
	allowUnencrypted: boolean,
): void {
	if (isLoopback(host) || tls !== undefined || allowUnencrypted) return;
	throw new GroveError('bad-input', {
		where: `--host ${host}`,
		what: 'this lets every machine of the network reach Grove without encryption: whoever listens in can read the token, and with it read all runs and start programs (task files) as you',
		expected: '127.0.0.1, or --cert FILE and --key FILE',
		given: host,
		fix: 'from another machine use `ssh -L 7420:127.0.0.1:7420 THIS-MACHINE`; or give TLS files; or insist with --allow-unencrypted',
	});
}

function unreadable(where: string, what: string, error: unknown): GroveError {
	return new GroveError(
		'bad-input',
		{
			where,
			what,
			expected: 'a certificate and its key, as PEM files',
			given: error instanceof Error ? error.message : undefined,
		},
		{ cause: error },
	);
}

/** Reads the certificate and key. Throws GroveError 'bad-input' where they cannot be used. */
export function readTls(tls: TlsFiles): { cert: Buffer; key: Buffer } {
	const read = (path: string, what: string): Buffer => {
		try {
			return readFileSync(path);
		} catch (error) {
			throw unreadable(path, `the ${what} cannot be read`, error);
		}
	};
	const files = { cert: read(tls.cert, 'certificate'), key: read(tls.key, 'private key') };
	try {
		createSecureContext(files);
	} catch (error) {
		throw unreadable(`${tls.cert}, ${tls.key}`, 'no certificate with its key', error);
	}
	return files;
}
