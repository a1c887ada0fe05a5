import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromTrainer, SpawnTrainer } from './trainer-messages.ts';

const keptOutput = 16 * 1024;

/** A trainer as a child of this Node process. It ends by itself when this process goes away (its channel closes). */
export const spawnNodeTrainer: SpawnTrainer = () => {
	const child = fork(fileURLToPath(new URL('./node-trainer.ts', import.meta.url)), [], {
		serialization: 'advanced',
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	let lastOutput = '';
	const keep = (chunk: Buffer): void => {
		lastOutput = (lastOutput + chunk.toString('utf8')).slice(-keptOutput);
	};
	child.stdout?.on('data', keep);
	child.stderr?.on('data', keep);
	return {
		pid: child.pid,
		send: (message) => {
			// A child that is gone is told of by `exit`, not by a throw here.
			if (child.connected) child.send(message, () => {});
		},
		onMessage: (listener) => {
			child.on('message', (message) => {
				// The child is our own code on the other end of a private channel.
				listener(message as FromTrainer);
			});
		},
		onExit: (listener) => {
			let told = false;
			const tell = (code: number | null, signal: string | null): void => {
				if (told) return;
				told = true;
				listener({ code, signal, lastOutput });
			};
			child.once('close', tell);
			child.once('error', (error) => {
				lastOutput += `\n${error.message}`;
				tell(null, null);
			});
		},
		kill: () => {
			child.kill('SIGKILL');
		},
	};
};
