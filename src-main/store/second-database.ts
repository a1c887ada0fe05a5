/** Databases besides the one that is open: drafts of bundles, and those that came in bundles. */
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

function open(path: string): SecondDatabase {
	const connection = new Connection({
		path,
		readOnly: false,
		durability: 'normal',
		patienceMs: 5000,
	});
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
	return open(path);
}

/**
 * Opens a stranger's database, bringing it up to date: a copy that is thrown away afterwards. Throws
 * 'store' where it is none of Grove's or damaged, 'conflict' where it is from a newer Grove.
 */
export function openSecondDatabase(path: string): SecondDatabase {
	inspectFile(path);
	const second = open(path);
	try {
		// What its schema defines must not run with our rights.
		second.connection.pragma('trusted_schema = OFF');
		migrate(second.connection);
		return second;
	} catch (error) {
		second.close();
		throw error;
	}
}
