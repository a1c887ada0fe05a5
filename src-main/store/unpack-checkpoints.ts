import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkpointsName } from './bundle-manifest.ts';
import { checkpointFolder, isPlainName } from './checkpoint-folders.ts';
import type { ZipEntry } from './zip-directory.ts';
import type { ZipReader } from './zip-reader.ts';

/** The files of a run's checkpoints in a bundle, by the name of their folder. Links are left out. */
export function checkpointEntries(
	entries: readonly ZipEntry[],
	runId: string,
): Map<string, ZipEntry[]> {
	const byFolder = new Map<string, ZipEntry[]>();
	if (!isPlainName(runId)) return byFolder;
	const prefix = `${checkpointsName}/${runId}/`;
	for (const entry of entries) {
		if (!entry.name.startsWith(prefix) || entry.isLink || entry.name.endsWith('/')) continue;
		const [folder = '', ...inFolder] = entry.name.slice(prefix.length).split('/');
		if (!isPlainName(folder) || inFolder.length === 0) continue;
		const own = byFolder.get(folder) ?? [];
		own.push(entry);
		byFolder.set(folder, own);
	}
	return byFolder;
}

export interface PlacedCheckpoints {
	/** Folders by name, also those that were there already. */
	folders: Map<string, string>;
	/** Those that are new. */
	made: string[];
}

/** Unpacks the checkpoints of one run to where runs of this database have theirs. A folder that is there already stays. */
export async function unpackCheckpoints(
	zip: ZipReader,
	databasePath: string,
	runId: string,
): Promise<PlacedCheckpoints> {
	const placed: PlacedCheckpoints = { folders: new Map(), made: [] };
	const byFolder = checkpointEntries(zip.entries, runId);
	if (byFolder.size === 0) return placed;
	const home = checkpointFolder(databasePath, runId);
	await mkdir(home, { recursive: true });
	// On the same disk as the place where the folders are going to be.
	const work = mkdtempSync(join(home, '.import-'));
	try {
		for (const [folder, entries] of byFolder) {
			const place = join(home, folder);
			placed.folders.set(folder, place);
			if (existsSync(place)) continue;
			await unpackFolder(zip, join(work, folder), entries);
			await rename(join(work, folder), place);
			placed.made.push(place);
		}
		return placed;
	} catch (error) {
		for (const made of placed.made) rmSync(made, { recursive: true, force: true });
		throw error;
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
}

/** Names were checked when the archive was opened: none leads outside. */
async function unpackFolder(
	zip: ZipReader,
	target: string,
	entries: readonly ZipEntry[],
): Promise<void> {
	for (const entry of entries) {
		const [, , , ...inFolder] = entry.name.split('/');
		const file = join(target, ...inFolder);
		await mkdir(dirname(file), { recursive: true });
		await zip.extract(entry, file);
	}
}
