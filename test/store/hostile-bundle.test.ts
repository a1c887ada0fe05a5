/** Archives made to do harm, or broken on the way: refused with a reason, and nothing is left behind. */
import { tmpdir } from 'node:os';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	readdirSync,
	readFileSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { ZipReader } from '../../src-main/store/zip-reader.ts';
import { ZipWriter } from '../../src-main/store/zip-writer.ts';
import { fillStore, smallFill } from '../support/fill-store.ts';
import { temporaryFolder, temporaryStore } from '../support/temporary-store.ts';

const fill = { ...smallFill, runs: 2, steps: 3, keys: 4 };

const home = mkdtempSync(join(tmpdir(), 'grove-good-bundle-'));
const good = { path: '', ids: [] as string[] };

beforeAll(async () => {
	const store = await openStore({ path: join(home, 'grove.db') });
	good.ids = fillStore(store, fill);
	const what = { runIds: good.ids, format: 'bundle', what: 'metrics', checkpoints: false } as const;
	good.path = (await store.exportRuns(what, home)).path;
	store.close();
});

afterAll(() => {
	rmSync(home, { recursive: true, force: true });
});

/** A bundle like the good one, with its database changed by `change` and more files if wanted. */
async function forged(
	change: (database: Database.Database) => void,
	extra: Record<string, string> = {},
): Promise<string> {
	const folder = temporaryFolder();
	const zip = await ZipReader.open(good.path);
	const target = join(folder, 'forged.grove');
	const writer = await ZipWriter.create(target);
	for (const entry of zip.entries) {
		const file = join(folder, entry.name);
		await zip.extract(entry, file);
		if (entry.name === 'runs.db') {
			const database = new Database(file);
			database.pragma('journal_mode = DELETE');
			change(database);
			database.close();
		}
		await writer.addFile(entry.name, file, false);
	}
	for (const [name, text] of Object.entries(extra)) await writer.addText(name, text);
	await zip.close();
	await writer.finish();
	return target;
}

async function archive(files: Record<string, string>): Promise<string> {
	const path = join(temporaryFolder(), 'made.grove');
	const zip = await ZipWriter.create(path);
	for (const [name, text] of Object.entries(files)) await zip.addText(name, text);
	await zip.finish();
	return path;
}

function contentOf(store: Store): unknown {
	return [
		store.listRuns({ include: 'all', keys: [] }).runs,
		readdirSync(dirname(store.path)).filter((name) => !name.startsWith('grove.db')),
	];
}

async function expectRefusal(path: string, message: RegExp, kind = 'bad-input'): Promise<void> {
	const store = await temporaryStore();
	const before = contentOf(store);
	await expect(store.importFile(path)).rejects.toMatchObject({
		kind,
		message: expect.stringMatching(message) as string,
	});
	expect(contentOf(store)).toEqual(before);
}

const manifest = (version = 1): string =>
	JSON.stringify({ format: 'grove-bundle', version, runs: [{ id: 'a', name: 'a', step: 1 }] });

describe('what is no bundle', () => {
	it.each([
		['an empty file', ''],
		['text', 'runs, please\n'.repeat(100)],
		['the beginning of an archive', 'PK\x03\x04 and nothing more'],
	])('is refused: %s', async (_, text) => {
		const path = join(temporaryFolder(), 'file.grove');
		writeFileSync(path, text);
		await expectRefusal(path, /no whole zip archive/);
	});

	it('is refused: a file that is not there, and a folder', async () => {
		await expectRefusal(join(temporaryFolder(), 'nowhere.grove'), /cannot be read/);
		await expectRefusal(temporaryFolder(), /cannot be read/);
	});

	it('is refused: archives of something else, or of a newer Grove', async () => {
		await expectRefusal(await archive({ 'a.txt': 'a' }), /holds no manifest\.json/);
		await expectRefusal(await archive({ 'manifest.json': '{}' }), /not as it should be/);
		await expectRefusal(await archive({ 'manifest.json': manifest() }), /holds no runs\.db/);
		await expectRefusal(await archive({ 'manifest.json': manifest(2) }), /newer/, 'conflict');
		const text = { 'manifest.json': manifest(), 'runs.db': 'no database'.repeat(50) };
		await expectRefusal(await archive(text), /damaged/);
	});
});

describe('an archive that was cut or changed on the way', () => {
	it('is refused wherever it was cut', async () => {
		const whole = readFileSync(good.path);
		const store = await temporaryStore();
		const before = contentOf(store);
		const cut = join(temporaryFolder(), 'cut.grove');
		for (let part = 0; part < 20; part++) {
			writeFileSync(cut, whole.subarray(0, Math.floor((whole.length * part) / 20)));
			await expect(store.importFile(cut)).rejects.toMatchObject({ kind: 'bad-input' });
		}
		truncateSync(cut, 0);
		writeFileSync(cut, whole.subarray(0, whole.length - 1));
		await expect(store.importFile(cut)).rejects.toMatchObject({ kind: 'bad-input' });
		expect(contentOf(store)).toEqual(before);
	});

	it('is refused or harmless whichever byte was changed', async () => {
		const whole = readFileSync(good.path);
		const changed = join(temporaryFolder(), 'changed.grove');
		for (let part = 0; part < 40; part++) {
			const store = await temporaryStore();
			const bytes = Buffer.from(whole);
			const at = Math.floor((whole.length * (part + 0.5)) / 40);
			bytes[at] = (bytes[at] ?? 0) ^ 0x10;
			writeFileSync(changed, bytes);
			const outcome = await store.importFile(changed).catch((error: unknown) => error);
			if (outcome instanceof Error) {
				expect(outcome).toMatchObject({ kind: 'bad-input' });
				expect(contentOf(store)).toEqual([[], []]);
			} else
				expect(store.listRuns({ include: 'all', keys: [] }).runs).toHaveLength(good.ids.length);
		}
	});
});

describe('an archive made to do harm', () => {
	it.each([
		'../outside',
		'/tmp/outside',
		'a/../../outside',
		'C:\\outside',
		'a\\..\\outside',
		'./a',
	])('is refused for the name %s', async (name) => {
		await expectRefusal(await archive({ [name]: 'x' }), /leads outside/);
	});

	it('never writes checkpoints anywhere but below their own folder', async () => {
		const store = await temporaryStore();
		const id = `fill-${fill.seed}-0`;
		const path = await forged(() => undefined, {
			[`checkpoints/${id}/step-1/a`]: 'good',
			[`checkpoints/${id}/.hidden/a`]: 'no plain name',
			[`checkpoints/${id}/loose`]: 'in no folder',
			'checkpoints/somebody-else/step-1/a': 'of no run of the bundle',
			'autostart/a': 'x',
		});
		await store.importFile(path);
		const home = dirname(store.path);
		expect(readdirSync(join(home, 'checkpoints'))).toEqual([id]);
		expect(readdirSync(join(home, 'checkpoints', id))).toEqual(['step-1']);
		expect(existsSync(join(home, 'autostart'))).toBe(false);
	});

	it('passes over links', async () => {
		const id = `fill-${fill.seed}-0`;
		const name = `checkpoints/${id}/step-1/link`;
		const path = await forged(() => undefined, { [name]: '/etc/passwd' });
		const bytes = readFileSync(path);
		// In the directory: made on Unix, a symbolic link.
		const at = bytes.lastIndexOf(name) - 46;
		bytes[at + 5] = 3;
		bytes.writeUInt32LE((0o120777 << 16) >>> 0, at + 38);
		writeFileSync(path, bytes);
		const store = await temporaryStore();
		const { problems } = await store.importFile(path);
		expect(problems).toEqual([{ what: expect.stringContaining('link') as string, where: name }]);
		expect(existsSync(join(dirname(store.path), 'checkpoints'))).toBe(false);
	});

	it('is refused when a file would grow beyond what files do', async () => {
		const folder = temporaryFolder();
		const zeros = join(folder, 'zeros');
		writeFileSync(zeros, '');
		truncateSync(zeros, 80 * 1024 * 1024);
		const path = join(folder, 'bomb.grove');
		const zip = await ZipWriter.create(path);
		await zip.addText('manifest.json', manifest());
		await zip.addFile('runs.db', zeros, false);
		await zip.finish();
		expect(readFileSync(path).length).toBeLessThan(100_000);
		await expectRefusal(path, /would grow/);
	});

	it('is refused when a file is larger than it says, or many files are one', async () => {
		const whole = readFileSync(good.path);
		const lying = join(temporaryFolder(), 'lying.grove');
		const directory = whole.lastIndexOf('runs.db') - 46;
		const small = Buffer.from(whole);
		small.writeUInt32LE(4096, directory + 24);
		writeFileSync(lying, small);
		await expectRefusal(lying, /larger than it says/);
		const entry = whole.subarray(directory, whole.length - 22);
		const end = Buffer.from(whole.subarray(whole.length - 22));
		const start = end.readUInt32LE(16);
		end.writeUInt16LE(102, 10);
		end.writeUInt32LE(whole.length - 22 - start + 100 * entry.length, 12);
		const copies = Array<Buffer>(100).fill(entry);
		writeFileSync(lying, Buffer.concat([whole.subarray(0, -22), ...copies, end]));
		await expectRefusal(lying, /share the same bytes/);
	});
});

describe('a database made to do harm', () => {
	it('is refused with other tables, views or triggers than ours', async () => {
		const trigger = await forged((database) => {
			database.exec('CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END');
		});
		await expectRefusal(trigger, /tables of the database/);
		const view = await forged((database) => {
			database.exec(`ALTER TABLE logs RENAME TO old; CREATE VIEW logs AS
				WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM old, n`);
		});
		await expectRefusal(view, /tables of the database/);
	});

	it('is refused with damaged pages, other types and impossible values', async () => {
		const types = await forged((database) => {
			database.unsafeMode(true);
			database.pragma('writable_schema = ON');
			const strict = database.prepare(
				"UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'nodes'",
			);
			strict.run('\n) STRICT', '\n)');
			database.pragma('writable_schema = RESET');
			database.prepare("UPDATE nodes SET turn = 'first'").run();
			database.pragma('writable_schema = ON');
			strict.run('\n)', '\n) STRICT');
		});
		await expectRefusal(types, /damaged/);
		const checks = await forged((database) => {
			database.pragma('ignore_check_constraints = ON');
			database.exec("UPDATE runs SET status = 'dancing'");
		});
		await expectRefusal(checks, /damaged/);
	});

	it.each([
		['packed content', 'UPDATE nodes SET content = zeroblob(40)'],
		['packed texts', 'UPDATE text_blocks SET data = zeroblob(9), codec = 1'],
		['packed axes', 'UPDATE metric_blocks SET axes = zeroblob(3)'],
		['lists', `UPDATE nodes SET rewards = '{"a":1}'`],
		['cycles of nodes', 'UPDATE nodes SET parent_node = id - (SELECT min(id) FROM nodes)'],
		['agents', `UPDATE run_details SET agents = '{"name":1}'`],
		['tags', `UPDATE runs SET tags = '[{}]'`],
		['errors', `UPDATE runs SET error = '{"kind":"joke"}'`],
		['times', 'UPDATE runs SET created_ms = 9e999'],
	])('is refused with impossible %s', async (_, sql) => {
		const path = await forged((database) => {
			database.exec(sql);
		});
		await expectRefusal(path, /damaged/);
	});

	it('takes back the sound runs that came before a broken one, with their checkpoints', async () => {
		const path = await forged(
			(database) => {
				database.exec(
					'UPDATE nodes SET content = zeroblob(40) WHERE tree IN (SELECT tree FROM trees WHERE run = 2)',
				);
			},
			{ [`checkpoints/fill-${fill.seed}-0/step-1/a`]: 'good' },
		);
		const store = await temporaryStore();
		mkdirSync(join(dirname(store.path), 'checkpoints'));
		await expect(store.importFile(path)).rejects.toMatchObject({ kind: 'bad-input' });
		expect(store.listRuns({ include: 'all', keys: [] }).runs).toEqual([]);
		expect(
			readdirSync(join(dirname(store.path), 'checkpoints'), { recursive: true }),
		).not.toContain(join(`fill-${fill.seed}-0`, 'step-1'));
	});
});
