/** `grove models list` and `download`, against a local server. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { grove, jsonOf } from '../support/captured-terminal.ts';
import { commit, startHubServer, type HubServer } from '../support/hub-server.ts';
import { writeModelFolder } from '../support/model-folder.ts';
import { temporaryFolder } from '../support/temporary-store.ts';

let home: string;
let hub: HubServer;
beforeEach(async () => {
	const folder = temporaryFolder();
	const model = writeModelFolder(join(folder, 'model'));
	hub = await startHubServer(
		Object.fromEntries(
			readdirSync(model).map((name) => [name, new Uint8Array(readFileSync(join(model, name)))]),
		),
		10_000,
	);
	home = join(folder, 'home');
	vi.stubEnv('HF_ENDPOINT', hub.url);
	vi.stubEnv('HF_HOME', home);
	for (const name of ['HF_HUB_CACHE', 'HUGGINGFACE_HUB_CACHE', 'HF_TOKEN', 'HF_TOKEN_PATH'])
		vi.stubEnv(name, undefined);
	for (const name of ['HF_HUB_OFFLINE', 'TRANSFORMERS_OFFLINE']) vi.stubEnv(name, undefined);
});
afterEach(async () => {
	vi.unstubAllEnvs();
	await hub.close();
});

describe('models list', () => {
	it('shows the bundled models', async () => {
		const { code, stdout } = await grove('models', 'list');
		expect(code).toBe(0);
		expect(stdout).toMatch(/^bundled:grove-tiny +bundled +qwen2 +90\.4 k/mu);
		const { models } = jsonOf(await grove('models', 'list', '--json')) as {
			models: { ref: string; problem: string | null }[];
		};
		expect(models.map(({ ref }) => ref)).toContain('bundled:grove-small');
		expect(models.every(({ problem }) => problem === null)).toBe(true);
	});
});

describe('models download', () => {
	it('brings a model into the cache, says how far it is, and lists it afterwards', async () => {
		const { code, stdout, stderr } = await grove('models', 'download', 'owner/name');
		expect(code, stderr).toBe(0);
		const path = join(home, 'hub', 'models--owner--name', 'snapshots', commit);
		expect(stdout).toContain(`It is in ${path}`);
		expect(stderr).toMatch(/^\d.* of .* {2}model\.safetensors$/mu);
		expect((await grove('models', 'list')).stdout).toMatch(/^owner\/name +cache +qwen2/mu);
	});

	it('asks for nothing twice', async () => {
		await grove('models', 'download', 'owner/name');
		const asked = hub.requests.length;
		const again = jsonOf(await grove('models', 'download', 'owner/name', '--json'));
		expect(again).toMatchObject({ model: { ref: 'owner/name', source: 'cache', problem: null } });
		expect(hub.requests).toHaveLength(asked);
	});

	it.each([
		['a private model', 401, 'HF_TOKEN'],
		['no such model', 404, 'check the id and the revision'],
		['too many requests', 429, 'slow down'],
	])('%s: exit code 7', async (_, status, message) => {
		hub.status = status;
		const { code, stderr } = await grove('models', 'download', 'owner/name');
		expect(code).toBe(7);
		expect(stderr).toContain(message);
	});

	it('is refused offline', async () => {
		vi.stubEnv('HF_HUB_OFFLINE', '1');
		const { code, stderr } = await grove('models', 'download', 'owner/name');
		expect(code).toBe(7);
		expect(stderr).toContain('HF_HUB_OFFLINE');
		expect(hub.requests).toEqual([]);
	});

	it.each([
		['bundled:grove-tyni', 'perhaps bundled:grove-tiny'],
		['not a model', 'there is no such model'],
	])('%s: exit code 2', async (model, message) => {
		const { code, stderr } = await grove('models', 'download', model);
		expect(code).toBe(2);
		expect(stderr).toContain(message);
	});

	it('of a folder tells what it lacks', async () => {
		const folder = join(temporaryFolder(), 'broken');
		mkdirSync(folder);
		writeModelFolder(folder);
		rmSync(join(folder, 'config.json'));
		const { stdout } = await grove('models', 'download', folder);
		expect(stdout).toContain('cannot be used');
	});
});
