/** Databases besides the one that is open: drafts of bundles, and those that came in bundles. */
import { rmSync } from 'node:fs';
import { Connection } from './connection.ts';
import { createDatabase } from './create-database.ts';
import { inspectFile } from './inspect-file.ts';
import { MetricKeys } from './metric-keys.ts';
import { migrate } from './migrations.ts';
import type { ImportTarget } from './run-import.ts';
import { Texts } from './texts.ts';

export interface SecondDatabase extends ImportTarget {
	close(): void;
}

function connect(path: string): Connection {
	return new Connection({ path, readOnly: false, durability: 'normal', patienceMs: 5000 });
}

function withConnection(connection: Connection): SecondDatabase {
	return {
		connection,
		texts: new Texts(connection),
		keys: new MetricKeys(connection),
		close() {
			connection.checkpoint();
			connection.close();
		},
	};
}

export function createSecondDatabase(path: string): SecondDatabase {
	createDatabase(path);
	return withConnection(connect(path));
}

/**
 * Opens a stranger's database, bringing it up to date: a copy that is thrown away afterwards. Throws
 * 'conflict' where it is from a newer Grove, another error where it is none of Grove's or damaged.
 */
export function openStrangersDatabase(path: string): SecondDatabase {
	const version = inspectFile(path)?.version ?? 0;
	const connection = connect(path);
	try {
		// What its schema defines must not run with our rights, and what its pages say is not believed.
		connection.pragma('trusted_schema = OFF');
		connection.pragma('cell_size_check = ON');
		refuseOtherSchema(connection, version);
		const verdict = connection.pragma('integrity_check(1)');
		if (verdict !== 'ok') throw new RangeError(`the database is damaged: ${String(verdict)}`);
		migrate(connection);
		return withConnection(connection);
	} catch (error) {
		connection.close();
		throw error;
	}
}

/** Tables are as we make them: no view or trigger hides behind a name of ours, and types and checks hold. */
function refuseOtherSchema(connection: Connection, version: number): void {
	const path = `${connection.path}-plain`;
	createDatabase(path, version);
	const plain = connect(path);
	try {
		if (schemaOf(connection) !== schemaOf(plain)) {
			throw new RangeError('the tables of the database are not as Grove makes them');
		}
	} finally {
		plain.close();
		rmSync(path, { force: true });
	}
}

/** The tables of the search index are SQLite's own; their wording is left out, since it depends on its version. */
function schemaOf(connection: Connection): string {
	const rows = connection
		.prepare<[], { type: string; name: string; sql: string | null }>(
			"SELECT type, name, iif(name LIKE 'text_search\\_%' ESCAPE '\\' AND type = 'table', NULL, sql) AS sql FROM sqlite_schema ORDER BY type, name",
		)
		.all();
	return JSON.stringify(rows);
}
