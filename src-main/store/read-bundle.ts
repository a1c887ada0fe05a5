import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Complaint, GroveError } from '../contract/errors.ts';
import type { ImportReport } from '../contract/requests.ts';
import {
	type BundleManifest,
	bundleVersion,
	checkpointsName,
	databaseName,
	manifestName,
	manifestSchema,
} from './bundle-manifest.ts';
import { checkpointFolder, isPlainName } from './checkpoint-folders.ts';
import { copyRun } from './run-copy.ts';
import type { ImportTarget } from './run-import.ts';
import { findRun } from './run-rows.ts';
import { openSecondDatabase } from './second-database.ts';
import { type ZipEntry, ZipReader } from './zip-reader.ts';

const mostManifestBytes = 16 * 1024 * 1024;

/**
 * Brings the runs of a bundle in. Runs that are here already are recognised by their id and left alone.
 * Throws 'bad-input' where the file is no bundle or a harmful one; nothing is imported then.
 */
export async function readBundle(target: ImportTarget, path: string): Promise<ImportReport> {
	const zip = await ZipReader.open(path);
	const work = mkdtempSync(join(dirname(target.connection.path), '.grove-import-'));
	try {
		const manifest = await readManifest(zip, path);
		const database = zip.entries.find((entry) => entry.name === databaseName && !entry.isLink);
		if (database === undefined) throw notABundle(path, `it holds no ${databaseName}`);
		const draft = join(work, databaseName);
		await zip.extract(database, draft);
		const problems: Complaint[] = zip.entries
			.filter((entry) => entry.isLink)
			.map((entry) => ({ what: 'a link in the archive was passed over', where: entry.name }));
		return await importRuns(target, zip, manifest, draft, { path, work, problems });
	} finally {
		await zip.close();
		rmSync(work, { recursive: true, force: true });
	}
}

function notABundle(path: string, why: string): GroveError {
	return new GroveError('bad-input', {
		what: `the archive is no bundle of Grove's: ${why}`,
		where: path,
		expected: 'a .grove file written by `grove runs export`',
	});
}

async function readManifest(zip: ZipReader, path: string): Promise<BundleManifest> {
	const entry = zip.entries.find(({ name }) => name === manifestName);
	if (entry === undefined) throw notABundle(path, `it holds no ${manifestName}`);
	let parsed: BundleManifest;
	try {
		parsed = manifestSchema.parse(JSON.parse(await zip.text(entry, mostManifestBytes)));
	} catch (error) {
		if (error instanceof GroveError) throw error;
		throw notABundle(path, `its ${manifestName} is not as it should be`);
	}
	if (parsed.version <= bundleVersion) return parsed;
	throw new GroveError('conflict', {
		what: 'the bundle was made by a newer version of Grove',
		where: path,
		expected: `bundle version ${bundleVersion}`,
		given: `bundle version ${parsed.version}`,
		fix: 'update Grove',
	});
}

async function importRuns(
	target: ImportTarget,
	zip: ZipReader,
	manifest: BundleManifest,
	database: string,
	{ path, work, problems }: { path: string; work: string; problems: Complaint[] },
): Promise<ImportReport> {
	const report: ImportReport = { runs: [], points: 0, trees: 0, problems };
	const source = openSecondDatabase(database);
	try {
		for (const { id, name } of manifest.runs) {
			const known = target.connection.read(() => findRun(target.connection, id));
			if (known !== undefined) {
				report.runs.push({ id, name: known.name, isNew: false });
				continue;
			}
			const folders = isPlainName(id)
				? await unpackCheckpoints(target, zip, id, work)
				: new Map<string, string>();
			const counts = await copyRun(
				source,
				target,
				id,
				(checkpoint) => folders.get(basename(checkpoint.path)) ?? null,
			);
			report.points += counts.points;
			report.trees += counts.trees;
			report.runs.push({ id, name, isNew: true });
		}
		return report;
	} catch (error) {
		if (error instanceof GroveError && error.kind !== 'not-found') throw error;
		// A stranger's file may hold anything.
		throw new GroveError(
			'bad-input',
			{ what: 'the bundle is damaged', where: path, fix: 'make it anew from the original runs' },
			{ cause: error },
		);
	} finally {
		source.close();
	}
}

/** Unpacks the checkpoints of one run; returns their folders by name. A folder that is there already stays. */
async function unpackCheckpoints(
	target: ImportTarget,
	zip: ZipReader,
	id: string,
	work: string,
): Promise<Map<string, string>> {
	const prefix = `${checkpointsName}/${id}/`;
	const byFolder = new Map<string, ZipEntry[]>();
	for (const entry of zip.entries) {
		if (!entry.name.startsWith(prefix) || entry.isLink || entry.name.endsWith('/')) continue;
		const [folder = ''] = entry.name.slice(prefix.length).split('/');
		if (isPlainName(folder)) byFolder.set(folder, [...(byFolder.get(folder) ?? []), entry]);
	}
	const placed = new Map<string, string>();
	for (const [folder, entries] of byFolder) {
		const draft = join(work, id, folder);
		for (const entry of entries) {
			// Names were checked when the archive was opened: none leads outside.
			const file = join(draft, ...entry.name.slice(prefix.length).split('/').slice(1));
			await mkdir(dirname(file), { recursive: true });
			await zip.extract(entry, file);
		}
		const place = join(checkpointFolder(target.connection.path, id), folder);
		if (!existsSync(place)) {
			await mkdir(dirname(place), { recursive: true });
			await rename(draft, place);
		}
		placed.set(folder, place);
	}
	return placed;
}
