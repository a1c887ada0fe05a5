/** The trainer as a Node child (`spawn-trainer.ts` starts this file). */
import process from 'node:process';
import type { ToTrainer } from './trainer-messages.ts';
import { serveTrainer } from './trainer-process.ts';

serveTrainer({
	send: (message) => {
		// After the manager is gone there is nobody to tell.
		if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
	},
	onMessage: (listener) => {
		process.on('message', (message) => {
			// The manager is our own code on the other end of a private channel.
			listener(message as ToTrainer);
		});
	},
	onClosed: (listener) => {
		process.on('disconnect', listener);
	},
	close: () => {
		if (process.connected) process.disconnect();
		// The channel is flushed; whatever a library still holds open must not keep the process.
		setTimeout(() => process.exit(0), 2000).unref();
	},
});
