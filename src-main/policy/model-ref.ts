/** What `model:` may say, and the folder that it means. */
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GroveError } from '../contract/errors.ts';
import { nearestName } from '../contract/nearest-name.ts';

const prefix = 'bundled:';

/** `resources/models` of this application; a packaged one says where by `GROVE_RESOURCES`. */
export function bundledModelsFolder(): string {
	const resources = process.env.GROVE_RESOURCES;
	return resources === undefined
		? fileURLToPath(new URL('../../resources/models', import.meta.url))
		: join(resources, 'models');
}

export async function bundledModels(): Promise<string[]> {
	const entries = await readdir(bundledModelsFolder(), { withFileTypes: true }).catch(() => []);
	return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** `owner/name`, as the Hub writes it. */
export function isHubId(reference: string): boolean {
	return /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/u.test(reference);
}

export interface ResolveOptions {
	revision?: string | null;
	/** Bytes received and to be received of a download. */
	onProgress?: (done: number, total: number, file: string) => void;
	/** Downloads a Hub id; a parameter so that only those who may use the network bring it. */
	download: (
		id: string,
		revision: string | null,
		onProgress: (done: number, total: number, file: string) => void,
	) => Promise<string>;
}

/** The folder of a model reference. Throws GroveError 'bad-input' (unknown) or 'network'. */
export async function resolveModel(reference: string, options: ResolveOptions): Promise<string> {
	if (reference.startsWith(prefix)) {
		const name = reference.slice(prefix.length);
		const known = await bundledModels();
		if (known.includes(name)) return join(bundledModelsFolder(), name);
		const nearest = nearestName(name, known);
		throw new GroveError('bad-input', {
			where: 'model',
			what: 'there is no such bundled model',
			expected:
				nearest === undefined
					? known.map((each) => prefix + each).join(', ')
					: `perhaps ${prefix}${nearest}`,
			given: reference,
		});
	}
	const path = reference.startsWith('~/')
		? join(homedir(), reference.slice(2))
		: resolve(reference);
	const facts = await stat(path).catch(() => null);
	if (facts !== null) return path;
	if (isHubId(reference) && !isAbsolute(reference))
		return options.download(
			reference,
			options.revision ?? null,
			options.onProgress ?? (() => undefined),
		);
	throw new GroveError('bad-input', {
		where: 'model',
		what: 'there is no such model',
		expected: 'bundled:NAME, a folder with config.json, or a Hub id such as Qwen/Qwen2.5-0.5B',
		given: path,
	});
}
