/** A local model folder in the Hugging Face layout, read whole and checked. */
import { access, readdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { GroveError } from '../contract/errors.ts';
import { readModelConfig } from './config-json.ts';
import { isJsonObject, type JsonObject, readJsonObject } from './json-file.ts';
import type { ModelConfig, Weights } from './model-config.ts';
import { parameterLayout } from './parameters.ts';
import { type Dtype, inspectSafetensors, readSafetensors } from './safetensors.ts';
import { loadTokenizer, type PolicyTokenizer } from './tokenizer.ts';

export interface ModelFolder {
	path: string;
	config: ModelConfig;
	/** config.json as it is, for saving it again. */
	configJson: JsonObject;
	generationJson: JsonObject | null;
	weights: Weights;
	/** How the values are stored, to save them alike. */
	dtype: Dtype;
	tokenizer: PolicyTokenizer;
	generation: { eosTokenIds: number[]; padTokenId: number | null; bosTokenId: number | null };
	notes: string[];
}

const singleFile = 'model.safetensors';
const indexFile = 'model.safetensors.index.json';
const head = 'lm_head.weight';
const embedding = 'model.embed_tokens.weight';

function missingPart(path: string, expected: string): GroveError {
	return new GroveError('bad-input', {
		where: path,
		what: 'the model folder lacks a part',
		expected,
		given: 'no such file',
		fix: 'download the model again, or name another folder',
	});
}

async function exists(path: string): Promise<boolean> {
	return access(path).then(
		() => true,
		() => false,
	);
}

/** The weight files of a folder: one, or the shards that the index names (each inside the folder). */
export async function weightFiles(folder: string): Promise<string[]> {
	const single = join(folder, singleFile);
	if (await exists(single)) return [single];
	const path = join(folder, indexFile);
	const index = await readJsonObject(path);
	if (index === null) throw missingPart(single, `${singleFile}, or ${indexFile} with its shards`);
	if (!isJsonObject(index.weight_map))
		throw new GroveError('bad-input', { where: path, what: 'has no weight_map' });
	const files = new Set<string>();
	for (const [tensor, name] of Object.entries(index.weight_map)) {
		const file = typeof name === 'string' ? resolve(folder, name) : '';
		if (!file.startsWith(resolve(folder) + sep))
			throw new GroveError('bad-input', {
				where: `${path}: ${tensor}`,
				what: 'names a file outside the model folder',
				given: JSON.stringify(name),
			});
		files.add(file);
	}
	for (const file of files) {
		const facts = await stat(file).catch(() => null);
		if (facts === null || facts.size === 0)
			throw new GroveError('bad-input', {
				where: file,
				what:
					facts === null ? 'a part of the weights is missing' : 'a part of the weights is empty',
				expected: `the file that ${indexFile} names`,
				fix: 'the download may be incomplete; run it again',
			});
	}
	return [...files].sort();
}

/** Only the shape: config.json without weights, for estimates and lists. Throws GroveError 'bad-input'. */
export async function readFolderConfig(
	folder: string,
): Promise<{ config: ModelConfig; json: JsonObject }> {
	const facts = await stat(folder).catch(() => null);
	if (facts === null)
		throw new GroveError('bad-input', {
			where: resolve(folder),
			what: 'there is no such model folder',
			expected: 'a folder with config.json, tokenizer.json and model.safetensors',
		});
	if (!facts.isDirectory())
		throw new GroveError('bad-input', {
			where: resolve(folder),
			what: 'is a file',
			expected: 'a model folder',
		});
	const path = join(folder, 'config.json');
	const json = await readJsonObject(path);
	if (json === null) throw missingPart(path, 'config.json');
	return { config: readModelConfig(json, path), json };
}

/** Loads a folder. Throws GroveError 'bad-input' that names file, tensor or key. */
export async function loadModelFolder(folder: string): Promise<ModelFolder> {
	const { config, json } = await readFolderConfig(folder);
	const files = await weightFiles(folder);
	const tokenizer = await loadTokenizer(folder);
	const generationJson = await readJsonObject(join(folder, 'generation_config.json'));
	const weights: Weights = new Map();
	let dtype: Dtype = 'F32';
	for (const file of files) {
		const [first] = await inspectSafetensors(file);
		if (first !== undefined) dtype = first.dtype;
		for (const [name, tensor] of await readSafetensors(file)) {
			if (weights.has(name))
				throw new GroveError('bad-input', {
					where: `${file}: ${name}`,
					what: 'the tensor stands in two files',
				});
			weights.set(name, tensor);
		}
	}
	const notes: string[] = [];
	reconcileHead(config, weights, notes);
	checkNames(config, weights, folder, notes);
	const eos = generationJson?.eos_token_id ?? json.eos_token_id;
	const eosTokenIds = (Array.isArray(eos) ? eos : [eos]).filter(
		(id: unknown): id is number => typeof id === 'number',
	);
	// A generation config may leave out the tokenizer's own end token; a text that ends with it has ended.
	if (tokenizer.eosTokenId !== null && !eosTokenIds.includes(tokenizer.eosTokenId))
		eosTokenIds.push(tokenizer.eosTokenId);
	const idOf = (key: string, fallback: number | null): number | null => {
		const value = generationJson?.[key] ?? json[key];
		return typeof value === 'number' ? value : fallback;
	};
	return {
		path: folder,
		config,
		configJson: json,
		generationJson,
		weights,
		dtype,
		tokenizer,
		generation: {
			eosTokenIds,
			padTokenId: idOf('pad_token_id', tokenizer.padTokenId),
			bosTokenId: idOf('bos_token_id', tokenizer.bosTokenId),
		},
		notes,
	};
}

/** Tied: one weight serves both ends, and a differing head in the file is left out, with a note. */
function reconcileHead(config: ModelConfig, weights: Weights, notes: string[]): void {
	const stored = weights.get(head);
	const shared = weights.get(embedding);
	if (!config.tieWordEmbeddings || stored === undefined) return;
	const equal =
		shared !== undefined &&
		stored.data.length === shared.data.length &&
		stored.data.every((value, i) => Object.is(value, shared.data[i]));
	if (!equal)
		notes.push(
			`${head} differs from ${embedding} although tie_word_embeddings is true; the embedding is used for both`,
		);
	weights.delete(head);
}

/** Buffers that older checkpoints carry along. */
const derived = /\.rotary_emb\.inv_freq$/u;

function checkNames(config: ModelConfig, weights: Weights, folder: string, notes: string[]): void {
	const { byName } = parameterLayout(config);
	const missing = [...byName.keys()].filter((name) => !weights.has(name));
	if (missing.length > 0)
		throw new GroveError('bad-input', {
			where: folder,
			what: `${missing.length} of ${byName.size} tensors are missing: ${missing.slice(0, 12).join(', ')}${missing.length > 12 ? ', …' : ''}`,
			expected: 'every weight that config.json calls for',
			fix: 'the download may be incomplete, or config.json belongs to another model',
		});
	const misshapen = [...byName.values()].filter(
		({ name, shape }) => weights.get(name)?.shape.join() !== shape.join(),
	);
	const [first] = misshapen;
	if (first !== undefined)
		throw new GroveError('bad-input', {
			where: `${folder}: ${misshapen
				.map(({ name }) => name)
				.slice(0, 12)
				.join(', ')}`,
			what: 'the shape does not fit config.json',
			expected: `[${first.shape.join(', ')}] for ${first.name}`,
			given: `[${weights.get(first.name)?.shape.join(', ') ?? ''}]`,
		});
	for (const name of [...weights.keys()]) {
		if (byName.has(name)) continue;
		if (!derived.test(name))
			notes.push(`the tensor ${name} is not part of the model and was left out`);
		weights.delete(name);
	}
}

/** Tokenizer files that are carried over when a model is saved. */
export async function tokenizerFiles(folder: string): Promise<string[]> {
	const names = await readdir(folder);
	return names.filter((name) =>
		/^(?:tokenizer.*\.json|special_tokens_map\.json|added_tokens\.json|vocab\.(?:json|txt)|merges\.txt|tokenizer\.model|chat_template\.(?:jinja|json))$/u.test(
			name,
		),
	);
}
