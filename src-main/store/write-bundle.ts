import { readdir } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import {
	type BundleManifest,
	bundleVersion,
	checkpointsName,
	databaseName,
	manifestName,
} from './bundle-manifest.ts';
import { isPlainName } from './checkpoint-folders.ts';
import { copyRun } from './run-copy.ts';
import type { ImportTarget } from './run-import.ts';
import { createSecondDatabase } from './second-database.ts';
import { ZipWriter } from './zip-writer.ts';

interface CheckpointFolder {
	from: string;
	to: string;
}

/**
 * Writes the bundle as a new file; beside it stands its database for the time. Returns its size and the
 * number of points and trees in it. Throws 'not-found' for a run that is not there.
 */
export async function writeBundle(
	source: ImportTarget,
	runIds: readonly string[],
	withCheckpoints: boolean,
	path: string,
): Promise<{ bytes: number; rows: number }> {
	const database = `${path}-${databaseName}`;
	const { runs, folders, rows } = await copyRuns(source, runIds, withCheckpoints, database);
	const zip = await ZipWriter.create(path);
	try {
		const manifest: BundleManifest = { format: 'grove-bundle', version: bundleVersion, runs };
		await zip.addText(manifestName, JSON.stringify(manifest, null, '\t'));
		await zip.addFile(databaseName, database, false);
		for (const folder of folders) await addFolder(zip, folder);
		return { bytes: await zip.finish(), rows };
	} catch (error) {
		await zip.abandon();
		throw error;
	}
}

async function copyRuns(
	source: ImportTarget,
	runIds: readonly string[],
	withCheckpoints: boolean,
	database: string,
): Promise<{ runs: BundleManifest['runs']; folders: CheckpointFolder[]; rows: number }> {
	const target = createSecondDatabase(database);
	const runs: BundleManifest['runs'] = [];
	const folders: CheckpointFolder[] = [];
	let rows = 0;
	try {
		for (const id of new Set(runIds)) {
			const { name, step, points, trees } = await copyRun(source, target, id, {
				pathOf({ path }) {
					if (!withCheckpoints || !isPlainName(id)) return null;
					const to = `${checkpointsName}/${id}/${basename(path)}`;
					folders.push({ from: path, to });
					return to;
				},
			});
			rows += points + trees;
			runs.push({ id, name, step });
		}
	} finally {
		target.close();
	}
	return { runs, folders, rows };
}

/** A folder that is gone meanwhile (pruned by the trainer) is left out. */
async function addFolder(zip: ZipWriter, { from, to }: CheckpointFolder): Promise<void> {
	const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(() => []);
	for (const entry of entries) {
		if (!entry.isFile()) continue;
		const file = join(entry.parentPath, entry.name);
		// Weights do not get smaller.
		await zip.addFile(`${to}/${relative(from, file).split(sep).join('/')}`, file, true);
	}
}
