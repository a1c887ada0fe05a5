/** What SQLite and the file system say, in words that a person can act on. */
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { GroveError } from '../contract/errors.ts';
import type { Complaint } from '../contract/errors.ts';

function codeOf(thrown: unknown): string {
	if (thrown instanceof Database.SqliteError) return thrown.code;
	if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') {
		return thrown.code;
	}
	return '';
}

/** Somebody else holds the lock; the same call may succeed later. */
export function isBusy(thrown: unknown): boolean {
	return isBusyCode(codeOf(thrown));
}

/** The disk, not the data: no room, no rights, a fault. */
export function isTroubleOfTheDisk(thrown: unknown): boolean {
	return /^(ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EIO|EMFILE)$/.test(codeOf(thrown));
}

function isBusyCode(code: string): boolean {
	return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code);
}

function complaintOf(code: string, path: string): Complaint | undefined {
	const keep = 'the file is left as it is';
	if (/^SQLITE_(FULL|IOERR_SHMSIZE)|^ENOSPC|^EDQUOT/.test(code)) {
		return {
			what: 'the disk is full: what was to be written last is not stored, everything before it is',
			where: path,
			fix: `free space on the disk of ${dirname(path)} (and of the temporary folder ${tmpdir()}), then go on`,
		};
	}
	if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
		return {
			what: `the database is damaged; ${keep}`,
			where: path,
			fix: 'export the runs that can still be read with `grove runs export`, or put back a backup (PATH.backup-*) or a bundle',
		};
	}
	if (/^SQLITE_(READONLY|PERM|AUTH)|^EACCES|^EPERM|^EROFS/.test(code)) {
		return {
			what: 'the database cannot be written',
			where: path,
			fix: 'give yourself the right to write the file and its folder, or choose another with --db',
		};
	}
	if (/^SQLITE_CANTOPEN|^ENOENT|^ENOTDIR|^EISDIR|^EEXIST/.test(code)) {
		return {
			what: 'the database cannot be opened',
			where: path,
			fix: 'look whether the folder exists and can be written, or choose another file with --db',
		};
	}
	if (isBusyCode(code)) {
		return {
			what: 'another program keeps the database locked',
			where: path,
			fix: 'close the program that holds it (a database browser with an open transaction, a backup), then go on',
		};
	}
	if (/^SQLITE_(IOERR|NOMEM|TOOBIG)|^EIO/.test(code)) {
		return {
			what: `the disk or the memory failed (${code}); ${keep}`,
			where: path,
			fix: 'look at the disk, and copy the file to a sound one',
		};
	}
	return undefined;
}

/** The thrown value as an error to hand on: known failures of SQLite and the disk as GroveError, the rest as it is. */
export function toStoreError(thrown: unknown, path: string): unknown {
	if (thrown instanceof GroveError) return thrown;
	const complaint = complaintOf(codeOf(thrown), path);
	return complaint === undefined ? thrown : new GroveError('store', complaint, { cause: thrown });
}
