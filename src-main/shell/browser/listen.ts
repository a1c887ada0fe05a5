import type { Server } from 'node:http';
import { GroveError } from '../../contract/errors.ts';

/** Where the browser shell listens unless told otherwise. */
const usualPort = 7420;
const portsTried = 20;

function tryPort(
	server: Server,
	port: number,
	host: string,
): Promise<NodeJS.ErrnoException | null> {
	return new Promise((resolve) => {
		const failed = (error: NodeJS.ErrnoException): void => resolve(error);
		server.once('error', failed);
		server.listen({ port, host, exclusive: true }, () => {
			server.off('error', failed);
			resolve(null);
		});
	});
}

function complaint(error: NodeJS.ErrnoException, port: number, host: string): GroveError {
	const where = `${host}:${port}`;
	switch (error.code ?? '') {
		case 'EADDRINUSE':
			return new GroveError('conflict', {
				where,
				what: 'another program (perhaps another Grove) listens on this port',
				fix: 'choose another with --port, or leave --port out to take the next free one',
			});
		case 'EACCES':
			return new GroveError('bad-input', {
				where,
				what: 'this port may not be used without administrator rights',
				expected: 'a port from 1024 to 65535',
			});
		case 'EADDRNOTAVAIL':
		case 'ENOTFOUND':
			return new GroveError('bad-input', {
				where,
				what: 'this machine has no such address',
				expected: '127.0.0.1, or an address of this machine',
			});
		default:
			return new GroveError('bad-input', { where, what: error.message });
	}
}

/** Starts listening. A given port is taken or refused; without one, the next free port from the usual one on. Throws GroveError. */
export async function listen(
	server: Server,
	port: number | undefined,
	host: string,
): Promise<number> {
	const first = port ?? usualPort;
	const last = port ?? usualPort + portsTried - 1;
	for (let candidate = first; ; candidate++) {
		const error = await tryPort(server, candidate, host);
		if (error === null) break;
		if (error.code !== 'EADDRINUSE' || candidate >= last) throw complaint(error, candidate, host);
	}
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : first;
}
