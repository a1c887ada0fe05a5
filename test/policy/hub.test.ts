/** Models by Hub id, against a local server: the cache's layout, what is not downloaded twice, and every failure. */
import { randomBytes } from 'node:crypto';
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { downloadModel } from '../../src-main/policy/index.ts';
import { commit, startHubServer, type HubServer } from '../support/hub-server.ts';
import { loadFolder, writeModelFolder } from '../support/model-folder.ts';
import { messageOf } from '../tasks/task-files.ts';

const id = 'owner/name';
let base: string;
let files: Record<string, Uint8Array>;
let hub: HubServer;

beforeEach(async () => {
	base = mkdtempSync(join(tmpdir(), 'grove-hub-'));
	const model = writeModelFolder(join(base, 'model'));
	files = Object.fromEntries(
		readdirSync(model).map((name) => [name, new Uint8Array(readFileSync(join(model, name)))]),
	);
	files['README.md'] = Buffer.from('not needed');
	files['pytorch_model.bin'] = Buffer.from('not wanted');
	// Weights of some size count as a large file here.
	hub = await startHubServer(files, 10_000);
	vi.stubEnv('HF_ENDPOINT', hub.url);
	vi.stubEnv('HF_HOME', join(base, 'home'));
	vi.stubEnv('HF_HUB_CACHE', undefined);
	vi.stubEnv('HUGGINGFACE_HUB_CACHE', undefined);
	vi.stubEnv('HF_TOKEN', undefined);
	vi.stubEnv('HF_TOKEN_PATH', undefined);
	vi.stubEnv('HF_HUB_OFFLINE', undefined);
	vi.stubEnv('TRANSFORMERS_OFFLINE', undefined);
});
afterEach(async () => {
	vi.unstubAllEnvs();
	await hub.close();
	rmSync(base, { recursive: true });
});

const download = (revision: string | null = null): Promise<string> =>
	downloadModel(id, revision, () => {});
const repository = (): string => join(base, 'home', 'hub', 'models--owner--name');

test('come into the standard cache, only the files that are needed, and load from there', async () => {
	const reports: [number, number][] = [];
	const path = await downloadModel(id, null, (done, total) => reports.push([done, total]));
	expect(path).toBe(join(repository(), 'snapshots', commit));
	expect(readFileSync(join(repository(), 'refs', 'main'), 'utf8')).toBe(commit);
	expect(readdirSync(path).toSorted()).toEqual(
		Object.keys(files)
			.filter((name) => !['README.md', 'pytorch_model.bin'].includes(name))
			.toSorted(),
	);
	for (const name of readdirSync(path))
		expect(new Uint8Array(readFileSync(join(path, name)))).toEqual(files[name]);
	const [done, total] = reports.at(-1) ?? [];
	expect(done).toBe(total);
	expect(reports.every(([value], at) => value >= (reports[at - 1]?.[0] ?? 0))).toBe(true);
	(await loadFolder(path)).dispose();
});

test('that are there already are not asked for again, not even by a request', async () => {
	await download();
	hub.requests.length = 0;
	await download();
	await download('main');
	await download(commit);
	expect(hub.requests).toEqual([]);
});

test('that Python has downloaded are taken as they are', async () => {
	const snapshot = join(repository(), 'snapshots', commit);
	mkdirSync(snapshot, { recursive: true });
	mkdirSync(join(repository(), 'refs'));
	writeFileSync(join(repository(), 'refs', 'main'), commit);
	for (const [name, data] of Object.entries(files)) writeFileSync(join(snapshot, name), data);
	expect(await download()).toBe(snapshot);
	expect(hub.requests).toEqual([]);
});

test('of a pinned tag or commit come under their own name', async () => {
	expect(await download('v1')).toBe(join(repository(), 'snapshots', commit));
	expect(readFileSync(join(repository(), 'refs', 'v1'), 'utf8')).toBe(commit);
	expect(await messageOf(() => download('v2'))).toMatch(/404.*revision/su);
});

test('go on after a broken connection, from where it broke', async () => {
	hub.cuts = 2;
	hub.cutAfter = 5000;
	const path = await download();
	expect(new Uint8Array(readFileSync(join(path, 'model.safetensors')))).toEqual(
		files['model.safetensors'],
	);
	const ranges = hub.requests.filter(
		(line) => line.includes('model.safetensors bytes=') && !line.endsWith('0-0'),
	);
	expect(ranges.some((line) => /bytes=[1-9]\d*-/u.test(line))).toBe(true);
});

test('go on in a later try, too', async () => {
	hub.cuts = 100;
	hub.cutAfter = 5000;
	expect(await messageOf(() => download())).toContain('model could not be downloaded');
	const [incomplete] = readdirSync(join(repository(), 'blobs')).filter((name) =>
		name.endsWith('.incomplete'),
	);
	expect(statSync(join(repository(), 'blobs', incomplete ?? '')).size).toBeGreaterThan(0);
	hub.cuts = 0;
	const path = await download();
	expect(new Uint8Array(readFileSync(join(path, 'model.safetensors')))).toEqual(
		files['model.safetensors'],
	);
	expect(
		readdirSync(join(repository(), 'blobs')).filter((name) => name.endsWith('.incomplete')),
	).toEqual([]);
}, 60_000);

test('of a wrong size or content are refused and not kept', async () => {
	const whole = files['model.safetensors'] ?? new Uint8Array();
	hub.instead.set('model.safetensors', new Uint8Array(randomBytes(whole.length)));
	expect(await messageOf(() => download())).toMatch(
		/model\.safetensors.*not what the Hub announced.*SHA-256/su,
	);
	hub.instead.set('model.safetensors', Buffer.concat([whole, Buffer.alloc(10)]));
	expect(await messageOf(() => download())).toMatch(
		/model\.safetensors.*not what the Hub announced/su,
	);
	hub.instead.clear();
	await download();
});

test.each([
	[401, 'HF_TOKEN'],
	[403, 'terms'],
	[404, 'id and the revision'],
	[429, 'slow down'],
	[500, 'again'],
])('where the Hub answers %d, say what to do', async (status, advice) => {
	hub.status = status;
	const message = await messageOf(() => download());
	expect(message).toContain(String(status));
	expect(message).toContain(advice);
	expect(message).toContain(id);
});

test('use the token of HF_TOKEN, or of the file that Python wrote', async () => {
	hub.token = 'hf_secret';
	expect(await messageOf(() => download())).toContain('401');
	vi.stubEnv('HF_TOKEN', 'hf_secret');
	await download();
	rmSync(repository(), { recursive: true });
	vi.stubEnv('HF_TOKEN', undefined);
	writeFileSync(join(base, 'home', 'token'), 'hf_secret\n');
	await download();
});

test('offline are taken from the cache, or told to be missing without asking', async () => {
	vi.stubEnv('HF_HUB_OFFLINE', '1');
	expect(await messageOf(() => download())).toContain('HF_HUB_OFFLINE');
	expect(hub.requests).toEqual([]);
	vi.stubEnv('HF_HUB_OFFLINE', undefined);
	const path = await download();
	vi.stubEnv('HF_HUB_OFFLINE', '1');
	expect(await download()).toBe(path);
});

test('without a network say so', async () => {
	await hub.close();
	expect(await messageOf(() => download())).toContain('could not be downloaded');
}, 60_000);

test('that lack a part of a model say which parts a model has', async () => {
	delete files['tokenizer.json'];
	expect(await messageOf(() => download())).toContain('tokenizer.json');
});
