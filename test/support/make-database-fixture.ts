/**
 * `node test/support/make-database-fixture.ts VERSION`: stores a small filled database of that version for
 * test/store/migrations.test.ts. To be run once, when a version is released, before the code goes on.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Connection } from '../../src-main/store/connection.ts';
import { createDatabase } from '../../src-main/store/create-database.ts';
import { Store } from '../../src-main/store/store.ts';
import { fillStore, fixtureFill } from './fill-store.ts';

const version = Number(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'grove-fixture-'));
try {
	const path = join(folder, 'grove.db');
	createDatabase(path, version);
	const connection = new Connection({
		path,
		readOnly: false,
		durability: 'normal',
		patienceMs: 1000,
	});
	const store = new Store(connection, { readOnly: null, notices: [] });
	fillStore(store, fixtureFill);
	store.close();
	const file = fileURLToPath(
		new URL(`../store/fixtures/version-${version}.db.gz`, import.meta.url),
	);
	writeFileSync(file, gzipSync(readFileSync(path), { level: 9 }));
	process.stdout.write(`${file}\n`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
