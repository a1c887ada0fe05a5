import { constants, copyFileSync, linkSync } from 'node:fs';

function hasCode(thrown: unknown, code: string): boolean {
	return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}

/**
 * Gives a finished draft its name, never that of a file that is there already: false then. The draft
 * stays and is the caller's to remove.
 */
export function giveName(draft: string, path: string): boolean {
	try {
		linkSync(draft, path);
		return true;
	} catch (linkError) {
		if (hasCode(linkError, 'EEXIST')) return false;
	}
	// No hard links on this file system.
	try {
		copyFileSync(draft, path, constants.COPYFILE_EXCL);
		return true;
	} catch (error) {
		if (hasCode(error, 'EEXIST')) return false;
		throw error;
	}
}
