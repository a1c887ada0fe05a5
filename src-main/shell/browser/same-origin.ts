/**
 * Which requests come from our own page. The name in Host must be one of this machine's (a site that
 * points its own name at 127.0.0.1 sends that name); its port may differ, as through an SSH tunnel.
 * An Origin must be that same host and port.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

export function isLoopback(host: string): boolean {
	return loopbackNames.includes(host) || host === '::1' || /^127\.\d+\.\d+\.\d+$/u.test(host);
}

/** The names under which a server bound to `host` may be addressed, as they appear in a Host header. */
export function namesOf(host: string, further: readonly string[] = []): Set<string> {
	const names = new Set([...loopbackNames, ...further.map((name) => name.toLowerCase())]);
	const show = (address: string): string => (address.includes(':') ? `[${address}]` : address);
	if (host === '0.0.0.0' || host === '::') {
		names.add(hostname().toLowerCase());
		for (const list of Object.values(networkInterfaces()))
			for (const { address } of list ?? []) names.add(show(address.toLowerCase()));
	} else names.add(show(host.toLowerCase()));
	return names;
}

/** The name in a Host header, without the port; undefined where it is no legal one. */
function hostName(header: string | undefined): string | undefined {
	return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/u.exec((header ?? '').toLowerCase())?.[1];
}

/** Why a request is refused, or null. `strict`: it must name its origin (everything but loading a page or file). */
export function refusalOf(
	headers: IncomingHttpHeaders,
	names: ReadonlySet<string>,
	scheme: 'http' | 'https',
	strict: boolean,
): string | null {
	const name = hostName(headers.host);
	if (name === undefined || !names.has(name)) return 'this name is not one of this server';
	const { origin } = headers;
	const own = `${scheme}://${(headers.host ?? '').toLowerCase()}`;
	if (origin === undefined ? strict : origin.toLowerCase() !== own)
		return 'the request comes from another site';
	const site = headers['sec-fetch-site'];
	const navigation = headers['sec-fetch-mode'] === 'navigate';
	if (site !== undefined && site !== 'same-origin' && site !== 'none' && (strict || !navigation))
		return 'the request comes from another site';
	return null;
}
