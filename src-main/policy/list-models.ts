/** Models that are on this machine: bundled ones, and the Hugging Face cache. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GroveError } from '../contract/errors.ts';
import type { ModelEntry } from '../contract/requests.ts';
import { cachedModels, hubSettings } from './hub.ts';
import { readFolderConfig } from './model-folder.ts';
import { bundledModels, bundledModelsFolder } from './model-ref.ts';
import { parameterLayout } from './parameters.ts';

async function folderBytes(folder: string): Promise<number> {
	let bytes = 0;
	for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
	return bytes;
}

/** One folder as an entry; a folder that cannot be used says why. */
export async function describeModel(
	ref: string,
	source: ModelEntry['source'],
	path: string,
): Promise<ModelEntry> {
	const entry: ModelEntry = {
		ref,
		source,
		path,
		architecture: '',
		parameters: null,
		bytes: 0,
		trainingBytes: null,
		problem: null,
	};
	try {
		entry.bytes = await folderBytes(path);
		const { config } = await readFolderConfig(path);
		const parameters = parameterLayout(config).total;
		// Weights, gradient and two moments, in fp32.
		return { ...entry, architecture: config.family, parameters, trainingBytes: parameters * 4 * 4 };
	} catch (error) {
		if (!(error instanceof GroveError)) throw error;
		return { ...entry, problem: error.message };
	}
}

export async function listModels(): Promise<ModelEntry[]> {
	const bundled = (await bundledModels()).map((name) =>
		describeModel(`bundled:${name}`, 'bundled', join(bundledModelsFolder(), name)),
	);
	const cached = (await cachedModels(await hubSettings())).map(({ id, path }) =>
		describeModel(id, 'cache', path),
	);
	return Promise.all([...bundled, ...cached]);
}
