/**
 * Where the person is, as the address says it: `#/view/part/part?name=value&name=value`.
 * Every part and value is percent-encoded, so metric names with slashes, `?`, `#`, `..` or nothing at
 * all come back unchanged; a name may repeat.
 */
export const viewNames = [
	'charts',
	'runs',
	'compare',
	'rollouts',
	'run',
	'new',
	'models',
	'settings',
] as const;
export type ViewName = (typeof viewNames)[number];

export interface Route {
	view: ViewName;
	path: readonly string[];
	query: Readonly<Record<string, readonly string[]>>;
}

export const homeRoute: Route = { view: 'charts', path: [], query: {} };

function encodePart(part: string): string {
	// toWellFormed: a lone surrogate cannot be percent-encoded.
	return encodeURIComponent(part.toWellFormed());
}

function decodePart(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function isViewName(name: string): name is ViewName {
	return (viewNames as readonly string[]).includes(name);
}

/** The hash of a route, with the `#`. */
export function formatRoute(route: Route): string {
	const parts = [route.view, ...route.path].map((part) => `/${encodePart(part)}`).join('');
	const pairs = Object.entries(route.query).flatMap(([name, values]) =>
		values.map((value) => `${encodePart(name)}=${encodePart(value)}`),
	);
	return `#${parts}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** The route of a hash; an unknown view leads to the first screen. */
export function parseRoute(hash: string): Route {
	const [pathText = '', ...queryTexts] = hash.replace(/^#/, '').split('?');
	const [, viewText = '', ...path] = pathText.split('/').map(decodePart);
	if (!isViewName(viewText)) return homeRoute;
	const query = new Map<string, string[]>();
	for (const pair of queryTexts.join('?').split('&')) {
		if (pair === '') continue;
		const at = pair.indexOf('=');
		const name = decodePart(at < 0 ? pair : pair.slice(0, at));
		query.set(name, [...(query.get(name) ?? []), at < 0 ? '' : decodePart(pair.slice(at + 1))]);
	}
	return { view: viewText, path, query: Object.fromEntries(query) };
}
