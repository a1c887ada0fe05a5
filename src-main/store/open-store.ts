import {
	accessSync,
	chmodSync,
	constants,
	copyFileSync,
	existsSync,
	mkdtempSync,
	realpathSync,
	rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { GroveError } from '../contract/errors.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { createDatabase } from './create-database.ts';
import { defaultDatabasePath } from './database-path.ts';
import { inspectFile, madeByNewer } from './inspect-file.ts';
import { migrate, newestVersion, versionOf } from './migrations.ts';
import { type FileSystemType, networkDriveNotice } from './network-drive.ts';
import { Store } from './store.ts';
import { toStoreError } from './store-error.ts';

export interface OpenStoreOptions {
	/** Default: `defaultDatabasePath()`. */
	path?: string;
	/** Never write, and never make a file. */
	readOnly?: boolean;
	/** Do not make a new database where there is none (opening again what was open before). */
	mustExist?: boolean;
	/** `normal` (default): a crash of the program loses nothing, a power cut may undo the last steps but never a part of one. `full`: a power cut loses no finished step either. */
	durability?: 'normal' | 'full';
	/** How long a writer waits for another program's lock, in milliseconds. Default 30 s; a trainer should wait much longer. */
	patienceMs?: number;
	/** Told while a writer waits, about every two seconds. */
	onWaiting?: (waitedMs: number) => void;
	/** How long a search looks through texts before it says that there may be more. Default 120 ms. */
	searchBudgetMs?: number;
	/** Stands in for the operating system in tests. */
	fileSystemType?: FileSystemType;
}

/**
 * Opens the database, making or migrating it where needed. Throws GroveError: 'store' where the file is
 * damaged, foreign or cannot be used, 'conflict' where it is from a newer Grove, 'not-found' where there
 * is none and none may be made. Never deletes or overwrites a file. A file that cannot be written is
 * opened for reading; `store.readOnly` then says why.
 */
export async function openStore(options: OpenStoreOptions = {}): Promise<Store> {
	const path = resolve(options.path ?? defaultDatabasePath());
	try {
		ensureFile(path, options);
		const notices: string[] = [];
		const network = networkDriveNotice(dirname(realpathSync(path)), options.fileSystemType);
		if (network !== null) notices.push(network);
		const readOnly = options.readOnly === true ? 'opened for reading only' : whyNotWritable(path);
		const connection = connect(path, readOnly !== null, options, notices);
		try {
			await bringUpToDate(connection);
			return new Store(connection, { readOnly, notices, searchBudgetMs: options.searchBudgetMs });
		} catch (error) {
			connection.close();
			throw error;
		}
	} catch (error) {
		throw toStoreError(error, path);
	}
}

function ensureFile(path: string, options: OpenStoreOptions): void {
	if (inspectFile(path) !== null) return;
	if (options.readOnly === true || options.mustExist === true) {
		throw new GroveError('not-found', {
			what: 'there is no database',
			where: path,
			fix: 'check the path; a first `grove train` or `grove open` makes one',
		});
	}
	createDatabase(path);
}

function isWritable(path: string): boolean {
	try {
		accessSync(path, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

function whyNotWritable(path: string): string | null {
	const folder = dirname(path);
	if (!isWritable(path)) return `the file ${path} cannot be written`;
	if (!isWritable(folder)) return `the folder ${folder} cannot be written`;
	return null;
}

function connect(
	path: string,
	readOnly: boolean,
	options: OpenStoreOptions,
	notices: string[],
): Connection {
	const settings = {
		path,
		readOnly,
		durability: options.durability ?? 'normal',
		patienceMs: options.patienceMs ?? 30_000,
		onWaiting: options.onWaiting,
	};
	if (!readOnly) return new Connection(settings);
	try {
		const connection = new Connection(settings);
		connection.pragma('schema_version');
		return connection;
	} catch (error) {
		// SQLite keeps its notes on readers beside the file, and they cannot be written here.
		if (isWritable(dirname(path))) throw error;
		notices.push(
			`The folder ${dirname(path)} cannot be written: what is shown is a copy of the database as it was when it was opened.`,
		);
		return new Connection({ ...settings, ...temporaryCopy(path) });
	}
}

/** The database with its log, in a folder where SQLite can make notes; gone when the connection is closed. */
function temporaryCopy(path: string): Required<Pick<ConnectionOptions, 'copy' | 'onClosed'>> {
	const folder = mkdtempSync(join(tmpdir(), 'grove-read-only-'));
	const onClosed = (): void => {
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		const copy = join(folder, 'grove.db');
		for (const end of ['', '-wal']) {
			if (!existsSync(path + end)) continue;
			copyFileSync(path + end, copy + end, constants.COPYFILE_FICLONE);
			chmodSync(copy + end, 0o600);
		}
		return { copy, onClosed };
	} catch (error) {
		onClosed();
		throw error;
	}
}

async function bringUpToDate(connection: Connection): Promise<void> {
	const version = versionOf(connection);
	if (version > newestVersion) throw madeByNewer(connection.path, version);
	if (version === newestVersion) return;
	if (connection.readOnly) {
		throw new GroveError('store', {
			what: 'the database is from an older version of Grove and cannot be brought up to date, since it cannot be written',
			where: connection.path,
			fix: 'copy it to a folder that you can write to, and open the copy',
		});
	}
	const stamp = new Date().toISOString().replaceAll(/[:.]/gu, '-');
	const backup = `${connection.path}.backup-v${version}-${stamp}`;
	await connection.backup(backup);
	try {
		migrate(connection);
	} catch (error) {
		const known = toStoreError(error, connection.path);
		if (known instanceof GroveError) throw known;
		throw new GroveError(
			'store',
			{
				what: `the database of version ${version} could not be brought up to date; it is left as it was`,
				where: connection.path,
				given: error instanceof Error ? error.message : String(error),
				fix: `keep the file and its backup ${backup}, and open it with the version of Grove that made it`,
			},
			{ cause: error },
		);
	}
}
