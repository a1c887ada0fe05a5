/** The store: SQLite, the only place with SQL. `openStore` gives a Store; see store.ts for what it offers. */
export type { NewRun } from './create-run.ts';
export { newRunId } from './create-run.ts';
export { defaultDatabasePath, userDataFolder } from './database-path.ts';
export { openStore, type OpenStoreOptions } from './open-store.ts';
export { identify, isStillThere, type ProcessIdentity } from './process-identity.ts';
export type { Recorder } from './recorder.ts';
export type { Changes } from './revisions.ts';
export type { Store } from './store.ts';
