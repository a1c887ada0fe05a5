/** Opening files: whatever lies there, the answer is clear and the file is left as it is. */
import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	chownSync,
	readdirSync,
	readFileSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { defaultDatabasePath, openStore, userDataFolder } from '../../src-main/store/index.ts';
import { fillStore, smallFill } from '../support/fill-store.ts';
import { newRun } from '../support/new-run.ts';
import { openAt, temporaryFolder } from '../support/temporary-store.ts';

const fill = { ...smallFill, runs: 1, steps: 10 };

async function filledFile(): Promise<string> {
	const path = join(temporaryFolder(), 'grove.db');
	const store = await openStore({ path });
	fillStore(store, fill);
	store.close();
	return path;
}

async function expectRefusal(path: string, message: RegExp, kind = 'store'): Promise<void> {
	const bytes = readFileSync(path);
	const beside = readdirSync(dirname(path));
	await expect(openStore({ path })).rejects.toMatchObject({
		kind,
		message: expect.stringMatching(message) as string,
	});
	expect(readFileSync(path).equals(bytes)).toBe(true);
	expect(readdirSync(dirname(path))).toEqual(beside);
}

describe('a place where nothing is', () => {
	it('gets a database, with its folders', async () => {
		const path = join(temporaryFolder(), 'new', 'folder with spaces', 'größe 森 #?%.db');
		const store = await openAt(path);
		const id = store.createRun(newRun());
		expect(store.readOnly).toBeNull();
		expect(readdirSync(dirname(path)).sort()).toEqual([
			'größe 森 #?%.db',
			'größe 森 #?%.db-shm',
			'größe 森 #?%.db-wal',
		]);
		const reader = await openAt(path, { readOnly: true });
		expect(reader.getRun(id).run.name).toBe('run');
	});

	it('stays empty where none may be made', async () => {
		const folder = temporaryFolder();
		const path = join(folder, 'grove.db');
		for (const options of [{ readOnly: true }, { mustExist: true }]) {
			await expect(openStore({ path, ...options })).rejects.toMatchObject({ kind: 'not-found' });
		}
		expect(readdirSync(folder)).toEqual([]);
	});

	it('gets one database where several processes start at once', async () => {
		const path = join(temporaryFolder(), 'grove.db');
		const stores = await Promise.all(Array.from({ length: 8 }, () => openAt(path)));
		const id = stores[0]?.createRun(newRun()) ?? '';
		for (const store of stores) expect(store.getRun(id).run.id).toBe(id);
		expect(readdirSync(dirname(path)).filter((name) => name.includes('.new-'))).toEqual([]);
	});
});

describe('what is no database of ours', () => {
	it.each([
		['an empty file', '', /empty \(0 bytes\)/],
		['text', 'These are my notes.\n', /text, no database/],
		['other bytes', '\u0000\u0001\u0002PNG'.repeat(99), /no database/],
		['the beginning of one', 'SQLite format 3\u0000', /cut off/],
	])('is refused and left alone: %s', async (_, content, message) => {
		const path = join(temporaryFolder(), 'grove.db');
		writeFileSync(path, content);
		await expectRefusal(path, message);
	});

	it("is refused and left alone: another program's database", async () => {
		const path = join(temporaryFolder(), 'grove.db');
		const other = new Database(path);
		other.exec('CREATE TABLE runs (a); INSERT INTO runs VALUES (1)');
		other.close();
		await expectRefusal(path, /another program's database/);
	});

	it('is refused and left alone: a folder', async () => {
		const folder = temporaryFolder();
		await expect(openStore({ path: folder })).rejects.toMatchObject({
			kind: 'store',
			message: expect.stringMatching(/a folder has the name/) as string,
		});
		const below = join(folder, 'file');
		writeFileSync(below, 'x');
		await expect(openStore({ path: join(below, 'grove.db') })).rejects.toMatchObject({
			kind: 'store',
		});
	});

	it('is refused and left alone: a database of a newer Grove', async () => {
		const path = await filledFile();
		const database = new Database(path);
		database.pragma('user_version = 99');
		database.pragma('wal_checkpoint(TRUNCATE)');
		database.close();
		await expectRefusal(path, /newer version[^]*99[^]*update Grove/, 'conflict');
	});
});

describe('a damaged database', () => {
	it('is refused where it was cut off', async () => {
		const path = await filledFile();
		truncateSync(path, readFileSync(path).length - 8192);
		await expectRefusal(path, /cut off[^]*expected[^]*given/);
	});

	it('says so when a damaged page is read, and what is sound can still be read and exported', async () => {
		const path = await filledFile();
		const database = new Database(path);
		const page = database
			.prepare<[], { pageno: number }>(
				"SELECT pageno FROM dbstat WHERE name = 'nodes' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1",
			)
			.get()?.pageno;
		database.close();
		const bytes = readFileSync(path);
		const size = bytes.readUInt16BE(16);
		bytes.fill(0xa5, ((page ?? 0) - 1) * size, (page ?? 0) * size);
		writeFileSync(path, bytes);
		const store = await openAt(path);
		const [run] = store.listRuns({ include: 'live', keys: ['turn_1/reward_mean'] }).runs;
		const runId = run?.id ?? '';
		expect(store.metricPoints(runId, 'turn_1/reward_mean').value).toHaveLength(10);
		const trees = store.listTrees({ runId, limit: 100 }).trees;
		const outcomes = trees.map((tree) => {
			try {
				store.treeOutline(tree);
				return 'read';
			} catch (error) {
				return error instanceof Error ? error.message : error;
			}
		});
		expect(outcomes).toContain('read');
		expect(outcomes).toContainEqual(
			expect.stringMatching(/damaged[^]*left as it is[^]*grove runs export/),
		);
		const exports = { runIds: [runId], format: 'csv' as const, checkpoints: false };
		const written = await store.exportRuns({ ...exports, what: 'metrics' }, dirname(path));
		expect(written.rows).toBeGreaterThan(0);
		await expect(
			store.exportRuns({ ...exports, what: 'rollouts' }, dirname(path)),
		).rejects.toMatchObject({ kind: 'store' });
	});
});

describe('a place that cannot be written', () => {
	/** Root may write everywhere: then another user looks. */
	function asOrdinaryUser(folder: string, script: string): string {
		const isRoot = process.getuid?.() === 0;
		const nobody = 65534;
		if (isRoot) chownSync(folder, nobody, nobody);
		const source = fileURLToPath(new URL('../../src-main/store/index.ts', import.meta.url));
		const outcome = spawnSync(
			process.execPath,
			[
				'--input-type=module',
				'-e',
				`import { openStore } from ${JSON.stringify(source)};\n${script}`,
			],
			{ encoding: 'utf8', cwd: '/', ...(isRoot ? { uid: nobody, gid: nobody } : {}) },
		);
		return outcome.stdout + outcome.stderr;
	}

	it('is opened for reading, and says why nothing can be written', async () => {
		const path = await filledFile();
		const folder = dirname(path);
		chmodSync(path, 0o444);
		chmodSync(folder, 0o555);
		const before = readFileSync(path);
		const output = asOrdinaryUser(
			folder,
			`const store = await openStore({ path: ${JSON.stringify(path)} });
			console.log(store.listRuns({ include: 'all', keys: [] }).runs.length, store.readOnly);
			try { store.emptyTrash(); store.restoreRuns(['x']); } catch (error) { console.log(error.kind, error.message); }
			store.close();`,
		);
		chmodSync(folder, 0o755);
		expect(output).toMatch(/^1 the file .* cannot be written\nstore .*reading only/u);
		expect(readFileSync(path).equals(before)).toBe(true);
		expect(readdirSync(folder)).toEqual(['grove.db']);
	});

	it('is refused where no database is there yet', () => {
		const folder = temporaryFolder();
		chmodSync(folder, 0o555);
		const path = join(folder, 'grove.db');
		const output = asOrdinaryUser(
			folder,
			`await openStore({ path: ${JSON.stringify(path)} }).catch((error) => console.log(error.kind, error.message));`,
		);
		chmodSync(folder, 0o755);
		expect(output).toMatch(/^store .*grove\.db/u);
		expect(output).toMatch(/--db/u);
		expect(readdirSync(folder)).toEqual([]);
	});
});

describe('a network drive', () => {
	it.each([
		[0x6969, /NFS/],
		[0xff534d42, /CIFS/],
		[0x65735546, /FUSE/],
	])('is used, with a warning and a way out: %s', async (type, message) => {
		const path = join(temporaryFolder(), 'grove.db');
		const store = await openAt(path, { fileSystemType: () => type });
		expect(store.notices).toEqual([expect.stringMatching(message)]);
		expect(store.notices[0]).toMatch(/--db or GROVE_DB/);
	});

	it('is not seen where there is none', async () => {
		const path = join(temporaryFolder(), 'grove.db');
		expect((await openAt(path)).notices).toEqual([]);
		const unknown = await openAt(path, { fileSystemType: () => undefined });
		expect(unknown.notices).toEqual([]);
	});
});

describe('a backup', () => {
	it('is a whole database, made while others write, and never replaces a file', async () => {
		const path = await filledFile();
		const store = await openAt(path);
		const copy = join(dirname(path), 'copy.db');
		const [run] = store.listRuns({ include: 'live', keys: [] }).runs;
		const saving = store.backup(copy);
		store.createRun(newRun());
		await saving;
		const again = await openAt(copy);
		expect(again.metricPoints(run?.id ?? '', 'turn_1/reward_mean')).toEqual(
			store.metricPoints(run?.id ?? '', 'turn_1/reward_mean'),
		);
		await expect(store.backup(copy)).rejects.toMatchObject({ kind: 'conflict' });
	});
});

describe('the default place', () => {
	it('is the user-data folder of the platform, or GROVE_DB', () => {
		const home = { XDG_DATA_HOME: '/data', APPDATA: 'C:\\Users\\a\\AppData\\Roaming' };
		expect(userDataFolder(home, 'linux')).toBe('/data/grove');
		expect(userDataFolder({ XDG_DATA_HOME: 'relative' }, 'linux')).toMatch(
			/\.local\/share\/grove$/,
		);
		expect(userDataFolder(home, 'darwin')).toMatch(/Library\/Application Support\/Grove$/);
		expect(userDataFolder(home, 'win32')).toContain('Roaming');
		expect(defaultDatabasePath(home, 'linux')).toBe('/data/grove/grove.db');
		expect(defaultDatabasePath({ GROVE_DB: '' }, 'linux')).toMatch(/grove\.db$/);
		expect(defaultDatabasePath({ GROVE_DB: '/a/b.db' }, 'linux')).toBe('/a/b.db');
	});
});
