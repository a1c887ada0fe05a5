/** The checkpoints of runs that are removed for good: their folders go with them. */
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Records } from './context.ts';

/**
 * The folder of each run's checkpoints, where it is one of ours: named by the run and holding `step-…`. To
 * be asked before the rows go.
 */
export function checkpointFoldersOf(records: Records, ids: readonly string[]): Map<string, string> {
	const folders = new Map<string, string>();
	for (const id of ids) {
		for (const { path } of records.listCheckpoints(id).checkpoints) {
			const folder = dirname(path);
			if (basename(folder) === id && /^step-\d+$/u.test(basename(path))) folders.set(id, folder);
		}
	}
	return folders;
}

async function bytesBelow(folder: string): Promise<number> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	let bytes = 0;
	for (const entry of entries)
		if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
	return bytes;
}

/** Removes folders; returns the bytes that this freed. One that is gone already, or cannot be removed, frees none. */
export async function removeFolders(folders: Iterable<string>): Promise<number> {
	let freed = 0;
	for (const folder of folders) {
		try {
			const bytes = await bytesBelow(folder);
			await rm(folder, { recursive: true });
			freed += bytes;
		} catch {
			continue;
		}
	}
	return freed;
}
