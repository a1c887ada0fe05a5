/** The requests of a window and the pushes to it, over Electron's IPC. */
import type { ErrorValue } from '../../contract/errors.ts';
import type { Reply, RequestName } from '../../contract/requests.ts';
import type { ServiceContext } from '../../services/context.ts';
import { handle } from '../../services/handle.ts';
import { PushQueue } from '../../services/push-queue.ts';
import { appOrigin, channels } from './channels.ts';
import type { ContentsApi, InvokeEvent, IpcApi } from './electron-api.ts';

/** Pushes are gathered for this long, so that a busy run costs a few messages a second. */
const gatherMs = 30;
const mostAtOnce = 1000;

/** Whether a message comes from the main frame of our own page in our own window. */
function isOurs(event: InvokeEvent, contents: ContentsApi): boolean {
	const frame = event.senderFrame;
	return (
		event.sender.id === contents.id &&
		frame !== null &&
		frame.parent === null &&
		frame.url.startsWith(`${appOrigin}/`)
	);
}

function refused(kind: ErrorValue['kind'], what: string): Reply<RequestName> {
	return { ok: false, error: { kind, message: what, complaints: [{ what }] } };
}

/** Serves one window until the "off" is called. */
export function serveWindow(
	ipcMain: IpcApi,
	contents: ContentsApi,
	context: ServiceContext,
): () => void {
	let answering = 0;
	ipcMain.handle(channels.request, async (event, name, params) => {
		if (!isOurs(event, contents)) {
			context.log('warning', 'a request from a foreign frame was refused');
			return refused('bad-input', 'requests are taken from the window of Grove only');
		}
		if (answering >= mostAtOnce) return refused('conflict', 'too many requests at once');
		answering++;
		try {
			return await handle(name, params, context);
		} finally {
			answering--;
		}
	});

	const queue = new PushQueue();
	let timer: NodeJS.Timeout | undefined;
	/** A window that hangs does not say that it took the last list, and is sent nothing more. */
	let taking = false;
	const sendLater = (): void => {
		timer ??= setTimeout(() => {
			timer = undefined;
			if (taking || contents.isDestroyed() || queue.size === 0) return;
			taking = true;
			contents.send(channels.pushes, queue.take());
		}, gatherMs);
	};
	const taken = (event: InvokeEvent): void => {
		if (!isOurs(event, contents)) return;
		taking = false;
		if (queue.size > 0) sendLater();
	};
	ipcMain.on(channels.taken, taken);
	const stopListening = context.publisher.listen((push) => {
		queue.add(push);
		sendLater();
	});
	// A page that is loaded again has taken nothing and missed everything.
	const startOver = (): void => {
		taking = false;
		queue.add({ name: 'runs.changed', payload: { ids: [], revision: context.records.revision() } });
		sendLater();
	};
	contents.on('dom-ready', startOver);

	return () => {
		stopListening();
		clearTimeout(timer);
		ipcMain.removeHandler(channels.request);
		ipcMain.removeListener(channels.taken, taken);
	};
}
