import { dirname, join } from 'node:path';

/** Whether an id or name, which may come from a stranger's bundle, is safe as the name of a folder. */
export function isPlainName(name: string): boolean {
	return /^[\w-]{1,200}$/u.test(name);
}

/** Where a run's checkpoints are unless it was told otherwise. The id must be a plain name. */
export function checkpointFolder(databasePath: string, runId: string): string {
	return join(dirname(databasePath), 'checkpoints', runId);
}
