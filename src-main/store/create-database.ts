import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Connection } from './connection.ts';
import { giveName } from './give-name.ts';
import { migrate, newestVersion } from './migrations.ts';

/**
 * Makes an empty database. It gets its name only when it is whole, and never that of a file that is there
 * already: a second process that starts at the same moment finds either no file or a good one.
 */
export function createDatabase(path: string, version: number = newestVersion): void {
	mkdirSync(dirname(path), { recursive: true });
	const draft = `${path}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
	try {
		const connection = new Connection({
			path: draft,
			readOnly: false,
			create: true,
			durability: 'full',
			patienceMs: 5000,
		});
		try {
			migrate(connection, version);
			connection.checkpoint();
		} finally {
			connection.close();
		}
		giveName(draft, path);
	} finally {
		for (const end of ['', '-wal', '-shm']) rmSync(draft + end, { force: true });
	}
}
