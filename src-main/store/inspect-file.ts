/**
 * A look at a file before SQLite opens it: SQLite takes an empty file for an empty database, a foreign
 * database for ours, and may write to a damaged one.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { GroveError } from '../contract/errors.ts';
import { applicationId, newestVersion } from './migrations.ts';

const magic = Buffer.from('SQLite format 3\0', 'latin1');
const headerBytes = 100;
const moveAside = 'move the file elsewhere to keep it, then start again: a new database is made';

/** Null where there is no file. Throws GroveError where what is there is no healthy database of Grove's. */
export function inspectFile(path: string): { version: number } | null {
	const facts = statSync(path, { throwIfNoEntry: false });
	if (facts === undefined) return null;
	if (facts.isDirectory()) {
		throw refuse(
			path,
			'a folder has the name of the database',
			'name a file, or rename the folder',
		);
	}
	const { header, size } = readHeader(path);
	if (size === 0) throw refuse(path, 'the database file is empty (0 bytes)', moveAside);
	if (!header.subarray(0, magic.length).equals(magic)) {
		const what = isText(header) ? 'the file is text, no database' : 'the file is no database';
		throw refuse(path, what, `check the path; otherwise ${moveAside}`);
	}
	if (header.length < headerBytes) throw refuse(path, 'the database file is cut off', moveAside);
	if (header.readUInt32BE(68) !== applicationId) {
		throw refuse(
			path,
			"the file is another program's database, not one of Grove's",
			'choose another file with --db; this one was not touched',
		);
	}
	const version = header.readUInt32BE(60);
	if (version > newestVersion) throw madeByNewer(path, version);
	refuseIfCut(path, header, size);
	return { version };
}

export function madeByNewer(path: string, version: number): GroveError {
	return new GroveError('conflict', {
		what: 'the database was made by a newer version of Grove; it was not touched',
		where: path,
		expected: `schema version ${newestVersion} or older`,
		given: `schema version ${version}`,
		fix: 'update Grove, or choose another file with --db',
	});
}

function refuse(path: string, what: string, fix: string): GroveError {
	return new GroveError('store', { what, where: path, fix });
}

function readHeader(path: string): { header: Buffer; size: number } {
	const file = openSync(path, 'r');
	try {
		const header = Buffer.alloc(headerBytes);
		const read = readSync(file, header, 0, headerBytes, 0);
		return { header: header.subarray(0, read), size: fstatSync(file).size };
	} finally {
		closeSync(file);
	}
}

/** While a log stands beside the file, its missing pages may be in there. */
function refuseIfCut(path: string, header: Buffer, size: number): void {
	const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
	if (log !== undefined && log.size > 0) return;
	const stored = header.readUInt16BE(16);
	const pageSize = stored === 1 ? 65536 : stored;
	const pages = header.readUInt32BE(28);
	const pagesAreCounted = header.readUInt32BE(24) === header.readUInt32BE(92);
	if (!pagesAreCounted || size >= pages * pageSize) return;
	throw new GroveError('store', {
		what: 'the database file is cut off',
		where: path,
		expected: `${pages * pageSize} bytes`,
		given: `${size} bytes`,
		fix: `put back a backup (${path}.backup-*) or import bundles; ${moveAside}`,
	});
}

function isText(bytes: Buffer): boolean {
	return bytes.length > 0 && bytes.every((byte) => byte >= 0x20 || (byte >= 9 && byte <= 13));
}
