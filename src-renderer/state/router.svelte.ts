import { formatRoute, parseRoute, type Route, type ViewName } from '../logic/route.ts';

/** The present route, kept in the address's hash so that every place can be linked and gone back to. */
export class Router {
	route = $state.raw<Route>(parseRoute(window.location.hash));

	/** Follows the address; returns the "off". */
	start(): () => void {
		const follow = (): void => {
			this.route = parseRoute(window.location.hash);
		};
		window.addEventListener('hashchange', follow);
		return () => window.removeEventListener('hashchange', follow);
	}

	go(view: ViewName, path: readonly string[] = [], query: Route['query'] = {}): void {
		this.#show({ view, path, query }, 'push');
	}

	/** Changes values of the query in place, without a new entry in the history; an empty list removes a name. */
	setQuery(changes: Readonly<Record<string, readonly string[]>>): void {
		const merged = { ...this.route.query, ...changes };
		const query = Object.fromEntries(Object.entries(merged).filter(([, list]) => list.length > 0));
		this.#show({ ...this.route, query }, 'replace');
	}

	/** First value of a name in the query. */
	queryValue(name: string): string | undefined {
		return Object.hasOwn(this.route.query, name) ? this.route.query[name]?.[0] : undefined;
	}

	#show(route: Route, how: 'push' | 'replace'): void {
		const hash = formatRoute(route);
		if (how === 'push' && hash !== window.location.hash) window.history.pushState(null, '', hash);
		else window.history.replaceState(null, '', hash);
		this.route = route;
	}
}
