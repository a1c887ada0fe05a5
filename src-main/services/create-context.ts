/** Puts the parts together to a context for a shell. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { listModels } from '../policy/index.ts';
import { RunManager } from '../runs/run-manager.ts';
import type { SpawnTrainer } from '../runs/trainer-messages.ts';
import { groveVersion } from '../runs/version.ts';
import type { Store } from '../store/index.ts';
import { listTasks } from '../tasks/index.ts';
import type { RunControl, ServiceContext } from './context.ts';
import { Estimates } from './estimates.ts';
import { FileExchange } from './file-exchange.ts';
import { ForeignRuns } from './foreign-runs.ts';
import { Publisher } from './publisher.ts';
import { SeriesCache } from './series-cache.ts';
import { TokenPieces } from './token-pieces.ts';
import { watchRuns } from './watch-runs.ts';

export interface ContextOptions {
	shell: 'electron' | 'browser';
	store: Store;
	spawnTrainer: SpawnTrainer;
	devices: ServiceContext['devices'];
	/** Made if it is not there. */
	exportsFolder: string;
	log: ServiceContext['log'];
}

export interface CreatedContext {
	context: ServiceContext;
	manager: RunManager;
	/** Ends watching and removes uploads; the store stays open, and trainers are the manager's. */
	close(): void;
}

/** How the services steer runs. Text without a file of its own starts from the home folder. */
function controlBy(manager: RunManager, foreign: ForeignRuns, store: Store): RunControl {
	const estimates = new Estimates(store);
	const status = (id: string): Promise<{ status: string }> =>
		Promise.resolve({ status: store.getRun(id).run.status });
	const folderOf = (baseFolder: string | undefined): string => baseFolder ?? homedir();
	return {
		live: () => new Map([...foreign.live(), ...manager.live()]),
		own: () => manager.driving,
		start: async ({ text, baseFolder }) => ({
			id: await manager.start(text, folderOf(baseFolder)),
		}),
		stop: ({ id, now }) => {
			manager.stop(id, now);
			return status(id);
		},
		pause: ({ id }) => {
			manager.pause(id);
			return status(id);
		},
		resume: ({ id }) => {
			manager.resume(id);
			return status(id);
		},
		fork: async ({ id, step, text }) => ({
			id: await manager.fork(id, step, text, folderOf(undefined)),
		}),
		estimate: (config, baseFolder) => estimates.of(config, folderOf(baseFolder)),
	};
}

export function createContext(options: ContextOptions): CreatedContext {
	const { store, log } = options;
	mkdirSync(options.exportsFolder, { recursive: true });
	const publisher = new Publisher();
	const files = new FileExchange();
	const manager = new RunManager({
		store,
		spawn: options.spawnTrainer,
		publish: (name, payload) => {
			publisher.publish(name, payload);
		},
		clock: Date.now,
	});
	const foreign = new ForeignRuns(store, () => manager.driving);
	const stopWatching = watchRuns(foreign, publisher, (error) => {
		log('error', `watch-runs failed: ${String(error)}`);
	});
	const context: ServiceContext = {
		app: { version: groveVersion, shell: options.shell, notices: store.notices },
		records: store,
		runs: controlBy(manager, foreign, store),
		tasks: listTasks,
		models: listModels,
		devices: options.devices,
		tokenPieces: new TokenPieces().of,
		exportsFolder: options.exportsFolder,
		files,
		importAnyFile: options.shell === 'electron',
		series: new SeriesCache(),
		publisher,
		log,
	};
	return {
		context,
		manager,
		close() {
			stopWatching();
			files.close();
			context.series.clear();
		},
	};
}
