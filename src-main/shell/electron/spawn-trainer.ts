/** Trainers as utility processes: they share nothing with the window's process but a message channel. */
import type { FromTrainer, SpawnTrainer } from '../../runs/trainer-messages.ts';
import type { UtilityProcessApi } from './electron-api.ts';

const keptOutput = 16 * 1024;

/** Starts trainers by their entry, the bundle of utility-trainer.ts. */
export function makeSpawnTrainer(utilityProcess: UtilityProcessApi, entry: string): SpawnTrainer {
	return () => {
		const child = utilityProcess.fork(entry, [], {
			serviceName: 'Grove trainer',
			stdio: 'pipe',
			env: process.env,
		});
		let lastOutput = '';
		let killed = false;
		const keep = (chunk: unknown): void => {
			lastOutput = (lastOutput + String(chunk)).slice(-keptOutput);
		};
		child.stdout?.on('data', keep);
		child.stderr?.on('data', keep);
		return {
			get pid() {
				return child.pid;
			},
			send: (message) => {
				child.postMessage(message);
			},
			onMessage: (listener) => {
				child.on('message', (message) => {
					// The child is our own code on the other end of a private channel.
					listener(message as FromTrainer);
				});
			},
			onExit: (listener) => {
				child.once('exit', (code) => {
					listener({ code, signal: killed ? 'SIGKILL' : null, lastOutput });
				});
			},
			kill: () => {
				killed = true;
				if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
			},
		};
	};
}
