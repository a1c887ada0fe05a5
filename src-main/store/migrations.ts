/**
 * The versions of the database, oldest first. A change is a new entry at the end; entries never change,
 * since files of every version are in people's hands. `test/store/fixtures` holds a file of each.
 */
import type { Connection } from './connection.ts';
import { schema1 } from './schema-1.ts';

interface Migration {
	version: number;
	sql: string;
}

const migrations: readonly Migration[] = [
	{ version: 1, sql: schema1 },
	{
		// Views, filters and layouts that people saved; runs looked up by their parent.
		version: 2,
		sql: `
			CREATE TABLE saved_entries (
				kind TEXT NOT NULL,
				name TEXT NOT NULL,
				value TEXT NOT NULL,
				saved_ms REAL NOT NULL,
				PRIMARY KEY (kind, name)
			) STRICT;
			CREATE INDEX runs_parent ON runs (parent_run_id);
		`,
	},
];

export const newestVersion = migrations.length;

/** "Grov" in ASCII: tells our files from other SQLite files. */
export const applicationId = 0x47726f76;

export function versionOf(connection: Connection): number {
	return Number(connection.pragma('user_version'));
}

/** Brings the database to `version` in one transaction. Does nothing where another process was faster. */
export function migrate(connection: Connection, version: number = newestVersion): void {
	connection.write(() => {
		const from = versionOf(connection);
		for (const migration of migrations) {
			if (migration.version <= from || migration.version > version) continue;
			connection.exec(migration.sql);
			connection.pragma(`user_version = ${migration.version}`);
		}
		connection.pragma(`application_id = ${applicationId}`);
	});
}
