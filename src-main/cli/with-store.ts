import { openStore, type Store } from '../store/index.ts';
import type { Arguments, Terminal } from './command.ts';

/** Opens the database that the arguments mean, which must be there, for as long as `work` takes. */
export async function withStore<T>(
	args: Arguments,
	terminal: Terminal,
	work: (store: Store) => T | Promise<T>,
): Promise<T> {
	const path = args.text('db');
	const store = await openStore({ mustExist: true, ...(path === undefined ? {} : { path }) });
	try {
		for (const notice of store.notices) terminal.err(`warning: ${notice}\n`);
		return await work(store);
	} finally {
		store.close();
	}
}
