/** Databases of earlier versions, as they lie on people's disks: brought up to date with nothing lost, and a backup first. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { newestVersion } from '../../src-main/store/migrations.ts';
import { fillStore, fixtureFill } from '../support/fill-store.ts';
import { openAt, temporaryFolder, temporaryStore } from '../support/temporary-store.ts';

function storedFile(version: number): string {
	const packed = readFileSync(new URL(`./fixtures/version-${version}.db.gz`, import.meta.url));
	const path = join(temporaryFolder(), 'grove.db');
	writeFileSync(path, gunzipSync(packed));
	return path;
}

function schemaOf(path: string): unknown {
	const database = new Database(path, { readonly: true });
	const rows = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all();
	database.close();
	return rows;
}

function versionOf(path: string): unknown {
	const database = new Database(path, { readonly: true });
	const version: unknown = database.pragma('user_version', { simple: true });
	database.close();
	return version;
}

function contentOf(store: Store): unknown {
	return store
		.listRuns({ include: 'all', keys: [] })
		.runs.map(({ id, name, tags, notes, step, config }) => {
			const keys = store.metricKeys([id]).keys;
			const trees = store.listTrees({ runId: id, limit: 1000 }).trees;
			return {
				run: { id, name, tags, notes, step, config },
				keys,
				points: keys.map(({ key }) => store.metricPoints(id, key)),
				nodes: trees.flatMap((tree) =>
					Array.from({ length: tree.nodes }, (_, node) => store.treeNode({ ...tree, node }).node),
				),
				hits: store.search({ query: 'better', order: 'newest', offset: 0, limit: 100 }).hits,
				checkpoints: store.listCheckpoints(id),
			};
		});
}

const backupsBeside = (path: string): string[] =>
	readdirSync(dirname(path)).filter(
		(name) => name.includes('.backup-') && !/-(shm|wal)$/.test(name),
	);

const earlier = Array.from({ length: newestVersion - 1 }, (_, index) => index + 1);

describe.each(earlier)('a database of version %i', (version) => {
	it('is brought up to date with everything that it held', async () => {
		const path = storedFile(version);
		expect(versionOf(path)).toBe(version);
		const store = await openAt(path);
		const fresh = await temporaryStore();
		fillStore(fresh, fixtureFill);
		expect(contentOf(store)).toEqual(contentOf(fresh));
		expect(versionOf(path)).toBe(newestVersion);
		expect(schemaOf(path)).toEqual(schemaOf(fresh.path));
		store.putSaved({ kind: 'view', name: 'a', value: 'b' });
		fillStore(store, { ...fixtureFill, seed: 2 });
		expect(store.listRuns({ include: 'all', keys: [] }).runs).toHaveLength(4);
	});

	it('is backed up before, once', async () => {
		const path = storedFile(version);
		(await openStore({ path })).close();
		const [backup, ...others] = backupsBeside(path);
		expect(others).toEqual([]);
		expect(backup).toMatch(new RegExp(`^grove\\.db\\.backup-v${version}-20`));
		const saved = join(dirname(path), backup ?? '');
		expect(versionOf(saved)).toBe(version);
		expect(schemaOf(saved)).toEqual(schemaOf(storedFile(version)));
		(await openStore({ path })).close();
		expect(backupsBeside(path)).toHaveLength(1);
		expect(contentOf(await openAt(saved))).toEqual(contentOf(await openAt(path)));
	});

	it('is brought up to date once by many at the same time', async () => {
		const path = storedFile(version);
		const stores = await Promise.all([1, 2, 3, 4].map(() => openAt(path)));
		const contents = stores.map(contentOf);
		for (const content of contents) expect(content).toEqual(contents[0]);
	});

	it('that cannot be written is left alone, with a way out', async () => {
		const path = storedFile(version);
		await expect(openStore({ path, readOnly: true })).rejects.toMatchObject({
			kind: 'store',
			message: expect.stringMatching(/older version[^]*copy it/) as string,
		});
		expect(versionOf(path)).toBe(version);
		expect(backupsBeside(path)).toEqual([]);
	});

	it('is left as it is where a step fails', async () => {
		const path = storedFile(version);
		const database = new Database(path);
		database.pragma('journal_mode = DELETE');
		database.exec('DROP TABLE annotations; CREATE TABLE saved_entries (a)');
		database.close();
		await expect(openStore({ path })).rejects.toMatchObject({
			kind: 'store',
			message: expect.stringMatching(/left as it was[^]*backup-v/) as string,
		});
		expect(versionOf(path)).toBe(version);
		expect(backupsBeside(path)).toHaveLength(1);
	});
});

it('every earlier version has a stored file', () => {
	for (const version of earlier) {
		expect(existsSync(new URL(`./fixtures/version-${version}.db.gz`, import.meta.url))).toBe(true);
	}
	expect(earlier.length).toBeGreaterThan(0);
});
