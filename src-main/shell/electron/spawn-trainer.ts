/** Trainers as utility processes: they share nothing with the window's process but a message channel. */
import type { FromTrainer, SpawnTrainer } from '../../runs/trainer-messages.ts';
import type { UtilityProcessApi } from './electron-api.ts';

const keptOutput = 16 * 1024;

export interface TrainerFiles {
	/** The trainer's entry. */
	entry: string;
	/** A Node program for the tasks' own processes: Electron does not stand in for one (its fuse is off). */
	node: string;
	/** Entry of a task's process, outside of the archive, since Node cannot read that. */
	taskHost: string;
}

/** Starts trainers from the files given. */
export function makeSpawnTrainer(
	utilityProcess: UtilityProcessApi,
	files: TrainerFiles,
): SpawnTrainer {
	return () => {
		const child = utilityProcess.fork(files.entry, [], {
			serviceName: 'Grove trainer',
			stdio: 'pipe',
			env: { ...process.env, GROVE_NODE: files.node, GROVE_TASK_HOST: files.taskHost },
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
