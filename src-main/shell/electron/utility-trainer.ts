/** The trainer as a utility process of Electron (`spawn-trainer.ts` starts the bundle of this file). */
import process from 'node:process';
import type { ToTrainer } from '../../runs/trainer-messages.ts';
import { serveTrainer } from '../../runs/trainer-process.ts';

const { parentPort } = process;

serveTrainer({
	send: (message) => {
		parentPort.postMessage(message);
	},
	onMessage: (listener) => {
		parentPort.on('message', ({ data }) => {
			// The manager is our own code on the other end of a private channel.
			listener(data as ToTrainer);
		});
	},
	// Chromium ends a utility process together with the main process; every finished step is stored by then.
	onClosed: () => undefined,
	close: () => {
		// What was posted last is on its way; a library that holds something open must not keep the process.
		setTimeout(() => process.exit(0), 200);
	},
});
