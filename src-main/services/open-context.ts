/** Opens a workspace for a shell: the database, and the context over it. */
import { join } from 'node:path';
import { spawnNodeTrainer } from '../runs/spawn-trainer.ts';
import type { SpawnTrainer } from '../runs/trainer-messages.ts';
import { openStore, userDataFolder } from '../store/index.ts';
import type { ServiceContext } from './context.ts';
import { createContext } from './create-context.ts';
import { inspectDevices } from './devices.ts';

export interface OpenContextOptions {
	shell: 'electron' | 'browser';
	/** Null: `GROVE_DB`, else the user data folder. */
	database: string | null;
	/** Default: Node children. */
	spawnTrainer?: SpawnTrainer;
	/** Default: `exports/` in the user data folder. */
	exportsFolder?: string;
	log: ServiceContext['log'];
}

/** Trainers that do not end within this time of being asked are killed. */
const endGraceMs = 20_000;

/** Throws GroveError where the database cannot be opened. `close` stops the trainers started here, each with a checkpoint. */
export async function openContext(
	options: OpenContextOptions,
): Promise<{ context: ServiceContext; close: () => Promise<void> }> {
	const store = await openStore(options.database === null ? {} : { path: options.database });
	const spawnTrainer = options.spawnTrainer ?? spawnNodeTrainer;
	const opened = createContext({
		shell: options.shell,
		store,
		spawnTrainer,
		devices: (measure) => inspectDevices(spawnTrainer, measure),
		exportsFolder: options.exportsFolder ?? join(userDataFolder(), 'exports'),
		log: options.log,
	});
	return {
		context: opened.context,
		close: async () => {
			await opened.manager.endAll('stop', endGraceMs);
			opened.close();
			store.close();
		},
	};
}
