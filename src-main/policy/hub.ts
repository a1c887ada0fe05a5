/**
 * Models of the Hugging Face Hub, in the standard cache that Python shares: what is there is not
 * downloaded again. `HF_HOME`, `HF_HUB_CACHE`, `HF_TOKEN`, `HF_ENDPOINT`, `HF_HUB_OFFLINE` are honoured.
 */
import { access, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { GroveError } from '../contract/errors.ts';
import { downloadSnapshot } from './hub-download.ts';

export interface HubSettings {
	cache: string;
	endpoint: string;
	token: string | null;
	offline: boolean;
}

function isOn(value: string | undefined): boolean {
	return value !== undefined && ['1', 'on', 'yes', 'true'].includes(value.toLowerCase());
}

/** Settings from the environment, as Python's huggingface_hub reads them. */
export async function hubSettings(env: NodeJS.ProcessEnv = process.env): Promise<HubSettings> {
	const home = env.HF_HOME ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'huggingface');
	const stored = await readFile(env.HF_TOKEN_PATH ?? join(home, 'token'), 'utf8').catch(() => '');
	const token = (env.HF_TOKEN ?? stored).trim();
	return {
		cache: env.HF_HUB_CACHE ?? env.HUGGINGFACE_HUB_CACHE ?? join(home, 'hub'),
		endpoint: (env.HF_ENDPOINT ?? 'https://huggingface.co').replace(/\/+$/u, ''),
		token: token === '' ? null : token,
		offline: isOn(env.HF_HUB_OFFLINE) || isOn(env.TRANSFORMERS_OFFLINE),
	};
}

function repoFolder(cache: string, id: string): string {
	return join(cache, `models--${id.replaceAll('/', '--')}`);
}

async function present(path: string): Promise<boolean> {
	return access(path).then(
		() => true,
		() => false,
	);
}

/** The cached snapshot of a revision that has all a model needs; null where it has not. */
export async function cachedSnapshot(
	settings: HubSettings,
	id: string,
	revision: string,
): Promise<string | null> {
	const folder = repoFolder(settings.cache, id);
	const named = await readFile(join(folder, 'refs', revision), 'utf8').catch(() => revision);
	const snapshot = join(folder, 'snapshots', named.trim());
	for (const name of ['config.json', 'tokenizer.json'])
		if (!(await present(join(snapshot, name)))) return null;
	if (await present(join(snapshot, 'model.safetensors'))) return snapshot;
	const index = await readFile(join(snapshot, 'model.safetensors.index.json'), 'utf8').catch(
		() => null,
	);
	if (index === null) return null;
	const shards = new Set(index.match(/[\w.-]+\.safetensors/gu) ?? []);
	for (const shard of shards) if (!(await present(join(snapshot, shard)))) return null;
	return shards.size > 0 ? snapshot : null;
}

/** `owner/name` and snapshot folder of every model in the cache. */
export async function cachedModels(settings: HubSettings): Promise<{ id: string; path: string }[]> {
	const names = await readdir(settings.cache).catch(() => []);
	const found: { id: string; path: string }[] = [];
	for (const name of names) {
		if (!name.startsWith('models--')) continue;
		const id = name.slice('models--'.length).replace('--', '/');
		const path = await cachedSnapshot(settings, id, 'main');
		if (path !== null) found.push({ id, path });
	}
	return found;
}

const wanted =
	/^(?:config\.json|generation_config\.json|tokenizer.*\.json|special_tokens_map\.json|added_tokens\.json|vocab\.json|merges\.txt|chat_template\.(?:jinja|json)|model(?:-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json)$/u;

const advice: Record<number, string> = {
	401: 'set HF_TOKEN to a token that may read the model (a private, gated or misspelled model)',
	403: 'accept the terms of the model on its page, with the account of HF_TOKEN',
	404: 'check the id and the revision',
	429: 'the Hub asks to slow down: wait some minutes, or set HF_TOKEN',
};

function networkError(id: string, error: unknown): GroveError {
	const status =
		typeof error === 'object' &&
		error !== null &&
		'statusCode' in error &&
		typeof error.statusCode === 'number'
			? error.statusCode
			: null;
	return new GroveError(
		'network',
		{
			where: id,
			what: status === null ? 'the model could not be downloaded' : `the Hub answered ${status}`,
			given: error instanceof Error ? error.message.slice(0, 300) : undefined,
			fix:
				(status === null ? undefined : advice[status]) ??
				'try again (what is complete is kept), or give a local folder',
		},
		{ cause: error },
	);
}

/**
 * The snapshot folder of a Hub model, downloaded where it is not in the cache. A pinned or cached revision is
 * taken from the cache without asking the network.
 */
export async function downloadModel(
	id: string,
	revision: string | null,
	onProgress: (done: number, total: number, file: string) => void,
): Promise<string> {
	const settings = await hubSettings();
	const name = revision ?? 'main';
	const cached = await cachedSnapshot(settings, id, name);
	if (cached !== null) return cached;
	if (settings.offline)
		throw new GroveError('network', {
			where: id,
			what: 'the model is not in the cache, and HF_HUB_OFFLINE forbids a download',
			given: settings.cache,
			fix: 'unset HF_HUB_OFFLINE, or give a local folder',
		});
	try {
		const source = { id, revision: name, endpoint: settings.endpoint, token: settings.token };
		await downloadSnapshot(source, repoFolder(settings.cache, id), wanted, onProgress);
	} catch (error) {
		throw error instanceof GroveError ? error : networkError(id, error);
	}
	const snapshot = await cachedSnapshot(settings, id, name);
	if (snapshot === null)
		throw new GroveError('network', {
			where: id,
			what: 'the repository lacks a part of a model',
			expected: 'config.json, tokenizer.json and safetensors weights',
			fix: 'choose a model with these files',
		});
	return snapshot;
}
