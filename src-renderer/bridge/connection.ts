import type { Bridge } from '../../src-main/contract/requests.ts';
import { openSocketBridge } from './socket.ts';

declare global {
	interface Window {
		/** What the desktop's preload script exposes; absent in a browser. */
		grove?: Bridge;
	}
}

/** `lost`: the shell cannot be reached at present; requests fail at once, and the connection is being tried again. */
export type LinkState = 'connecting' | 'open' | 'lost';

export interface Connection extends Bridge {
	/** Calls back at once with the present state and then at each change; returns the "off". */
	watchLink(listener: (state: LinkState) => void): () => void;
}

/** A bridge that is always there (the desktop's, or one made by a test). */
export function steadyConnection(bridge: Bridge): Connection {
	return {
		request: bridge.request,
		subscribe: bridge.subscribe,
		watchLink(listener) {
			listener('open');
			return () => undefined;
		},
	};
}

/** The way to the main side: the preload object where there is one, else the WebSocket of the browser shell. */
export function connect(): Connection {
	if (window.grove !== undefined) return steadyConnection(window.grove);
	const scheme = window.location.protocol === 'https:' ? 'wss:' : 'ws:';
	return openSocketBridge(`${scheme}//${window.location.host}/ws`);
}
