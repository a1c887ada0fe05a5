/** All that the sandboxed window has of the main process: typed requests and subscriptions. */
import { contextBridge, ipcRenderer } from 'electron';
import type { Bridge, PushName, Reply, RequestName } from '../../contract/requests.ts';
import type { Push } from '../../services/publisher.ts';
import { channels } from './channels.ts';

const listeners = new Map<PushName, Set<(payload: never) => void>>();

ipcRenderer.on(channels.pushes, (_event, pushes: Push[]) => {
	for (const { name, payload } of pushes) {
		for (const listener of listeners.get(name) ?? []) listener(payload as never);
	}
	ipcRenderer.send(channels.taken);
});

const bridge: Bridge = {
	async request(name, params) {
		try {
			// The main process answers a request by its name.
			return (await ipcRenderer.invoke(channels.request, name, params)) as Reply<typeof name>;
		} catch (error) {
			// Parameters that cannot be sent to another process, such as a function.
			const message = error instanceof Error ? error.message : String(error);
			const refused: Reply<RequestName> = {
				ok: false,
				error: { kind: 'bad-input', message, complaints: [{ what: message, where: name }] },
			};
			return refused;
		}
	},
	subscribe(name, listener) {
		const known = listeners.get(name) ?? new Set();
		listeners.set(name, known);
		known.add(listener);
		return () => {
			known.delete(listener);
		};
	},
};

contextBridge.exposeInMainWorld('grove', bridge);
