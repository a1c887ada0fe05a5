import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GroveError } from '../contract/errors.ts';
import type { ImportReport } from '../contract/requests.ts';
import {
	type BundleManifest,
	bundleVersion,
	databaseName,
	manifestName,
	manifestSchema,
} from './bundle-manifest.ts';
import { removeRun } from './purge-runs.ts';
import { copyRun } from './run-copy.ts';
import type { ImportTarget } from './run-import.ts';
import { findRun } from './run-rows.ts';
import { openStrangersDatabase, type SecondDatabase } from './second-database.ts';
import { isTroubleOfTheDisk, toStoreError } from './store-error.ts';
import { checkpointEntries, unpackCheckpoints } from './unpack-checkpoints.ts';
import { ZipReader } from './zip-reader.ts';

const mostManifestBytes = 16 * 1024 * 1024;

/**
 * Brings the runs of a bundle in. Runs that are here already are recognised by their id and left alone.
 * Throws 'bad-input' where the file is no bundle or a harmful one, 'conflict' where it is from a newer
 * Grove, 'store' where our own disk fails; nothing is imported then.
 */
export async function readBundle(target: ImportTarget, path: string): Promise<ImportReport> {
	const zip = await openArchive(path);
	try {
		const manifest = await readManifest(zip, path);
		refuseIfTooLarge(target, zip, manifest);
		const home = dirname(target.connection.path);
		const work = mkdtempSync(join(home, '.grove-import-'));
		try {
			const source = await unpackDatabase(zip, path, join(work, databaseName));
			try {
				return await new BundleImport(target, source, zip).run(manifest);
			} finally {
				source.close();
			}
		} finally {
			rmSync(work, { recursive: true, force: true });
		}
	} catch (error) {
		throw whoseFault(error, target, path);
	} finally {
		await zip.close();
	}
}

async function openArchive(path: string): Promise<ZipReader> {
	try {
		return await ZipReader.open(path);
	} catch (error) {
		if (error instanceof GroveError) throw error;
		throw new GroveError(
			'bad-input',
			{
				what: 'the file cannot be read',
				where: path,
				expected: 'a .grove file written by `grove runs export`',
				given: error instanceof Error ? error.message : String(error),
			},
			{ cause: error },
		);
	}
}

/** A stranger's file may hold anything, so that whatever goes wrong with it is its fault, but not a full disk of ours. */
function whoseFault(error: unknown, target: ImportTarget, path: string): unknown {
	const home = target.connection.path;
	if (isTroubleOfTheDisk(error)) return toStoreError(error, home);
	if (error instanceof GroveError) {
		const isOurs = error.kind !== 'store' || error.complaints.some(({ where }) => where === home);
		if (isOurs && error.kind !== 'not-found') return error;
	}
	return new GroveError(
		'bad-input',
		{
			what: 'the bundle is damaged; nothing was imported',
			where: path,
			given: error instanceof Error ? error.message : String(error),
			fix: 'make it anew from the original runs',
		},
		{ cause: error },
	);
}

function notABundle(path: string, why: string): GroveError {
	return new GroveError('bad-input', {
		what: `the archive is no bundle of Grove's: ${why}`,
		where: path,
		expected: 'a .grove file written by `grove runs export`',
	});
}

async function readManifest(zip: ZipReader, path: string): Promise<BundleManifest> {
	const entry = zip.find(manifestName);
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

async function unpackDatabase(
	zip: ZipReader,
	path: string,
	draft: string,
): Promise<SecondDatabase> {
	const entry = zip.find(databaseName);
	if (entry === undefined) throw notABundle(path, `it holds no ${databaseName}`);
	await zip.extract(entry, draft);
	return openStrangersDatabase(draft);
}

/** What is unpacked must fit on the disk, and the database a second time when its runs are taken over. */
function refuseIfTooLarge(
	{ connection }: ImportTarget,
	zip: ZipReader,
	manifest: BundleManifest,
): void {
	const database = zip.find(databaseName)?.size ?? 0;
	const checkpoints = manifest.runs
		.flatMap(({ id }) => [...checkpointEntries(zip.entries, id).values()].flat())
		.reduce((sum, entry) => sum + entry.size, 0);
	const needed = 2 * database + checkpoints;
	const { bavail, bsize } = statfsSync(dirname(connection.path));
	const free = bavail * bsize;
	if (needed <= free) return;
	throw new GroveError('store', {
		what: 'the disk has too little room for what is in the bundle; nothing was imported',
		where: connection.path,
		expected: `${needed} free bytes`,
		given: `${free} free bytes`,
		fix: 'free some space, or export the runs without checkpoints',
	});
}

/** All runs of a bundle, or none: what was done is taken back where something fails. */
class BundleImport {
	readonly #target: ImportTarget;
	readonly #source: SecondDatabase;
	readonly #zip: ZipReader;
	readonly #folders: string[] = [];
	readonly #report: ImportReport = { runs: [], points: 0, trees: 0, problems: [] };

	constructor(target: ImportTarget, source: SecondDatabase, zip: ZipReader) {
		this.#target = target;
		this.#source = source;
		this.#zip = zip;
	}

	async run({ runs }: BundleManifest): Promise<ImportReport> {
		for (const { name, isLink } of this.#zip.entries) {
			if (!isLink) continue;
			this.#report.problems.push({ what: 'a link in the archive was passed over', where: name });
		}
		try {
			for (const id of new Set(runs.map((run) => run.id))) await this.#take(id);
			return this.#report;
		} catch (error) {
			this.#takeBack();
			throw error;
		}
	}

	async #take(id: string): Promise<void> {
		const { connection } = this.#target;
		const known = connection.read(() => findRun(connection, id));
		if (known !== undefined) {
			this.#report.runs.push({ id, name: known.name, isNew: false });
			return;
		}
		const { folders, made } = await unpackCheckpoints(this.#zip, connection.path, id);
		this.#folders.push(...made);
		const { name, points, trees } = await copyRun(this.#source, this.#target, id, {
			isForeign: true,
			pathOf: (checkpoint) => folders.get(basename(checkpoint.path)) ?? null,
		});
		this.#report.points += points;
		this.#report.trees += trees;
		this.#report.runs.push({ id, name, isNew: true });
	}

	#takeBack(): void {
		const { connection } = this.#target;
		for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
		for (const { id, isNew } of this.#report.runs) {
			if (!isNew) continue;
			connection.write(() => {
				const run = findRun(connection, id);
				if (run !== undefined) removeRun(connection, run);
			});
		}
	}
}
