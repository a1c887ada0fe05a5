/** A small model folder on disk, whole or spoilt: random weights, the tokenizer of the bundled models. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultConfig } from '../../src-main/contract/config.ts';
import { readModelConfig } from '../../src-main/policy/config-json.ts';
import { loadPolicy, type Weights } from '../../src-main/policy/index.ts';
import type { Policy } from '../../src-main/policy/policy.ts';
import { randomWeights } from './tiny-model.ts';

const bundled = fileURLToPath(new URL('../../resources/models/grove-tiny/', import.meta.url));

export const tinyConfigJson = {
	architectures: ['Qwen2ForCausalLM'],
	model_type: 'qwen2',
	hidden_act: 'silu',
	hidden_size: 8,
	intermediate_size: 16,
	num_hidden_layers: 1,
	num_attention_heads: 2,
	num_key_value_heads: 1,
	max_position_embeddings: 64,
	rms_norm_eps: 1e-6,
	rope_theta: 10_000,
	tie_word_embeddings: true,
	vocab_size: 2048,
	bos_token_id: 0,
	eos_token_id: 0,
	pad_token_id: 0,
};

export interface RawTensor {
	name: string;
	dtype: unknown;
	shape: unknown;
	/** Where its bytes are, from the end of the header. Default: after the tensor before. */
	offsets?: unknown;
	bytes: Uint8Array;
}

/** The bytes of a safetensors file, whatever is said in its header. */
export function safetensorsOf(
	tensors: readonly RawTensor[],
	changes: { header?: string; length?: bigint } = {},
): Uint8Array {
	let offset = 0;
	const entries = tensors.map(({ name, dtype, shape, offsets, bytes }) => {
		const end = offset + bytes.length;
		const entry = { dtype, shape, data_offsets: offsets ?? [offset, end] };
		offset = end;
		return `${JSON.stringify(name)}:${JSON.stringify(entry)}`;
	});
	const header = Buffer.from(changes.header ?? `{${entries.join(',')}}`);
	const length = Buffer.alloc(8);
	length.writeBigUInt64LE(changes.length ?? BigInt(header.length));
	return Buffer.concat([length, header, ...tensors.map(({ bytes }) => bytes)]);
}

export function floats(...values: number[]): Uint8Array {
	return new Uint8Array(Float32Array.from(values).buffer);
}

/** The weights that `config` calls for, seeded. */
export function weightsFor(config: object = tinyConfigJson): Weights {
	return randomWeights(readModelConfig({ ...config }, 'config.json'));
}

export function rawTensors(weights: Weights): RawTensor[] {
	return [...weights].map(([name, { shape, data }]) => ({
		name,
		dtype: 'F32',
		shape,
		bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
	}));
}

/** Writes a folder; `files` are added to it, or stand in the place of its own; null leaves one out. */
export function writeModelFolder(
	folder: string,
	files: Readonly<Record<string, string | Uint8Array | null>> = {},
	config: object = tinyConfigJson,
): string {
	mkdirSync(folder, { recursive: true });
	const whole: Record<string, string | Uint8Array | null> = {
		'config.json': JSON.stringify(config),
		'generation_config.json': JSON.stringify({ eos_token_id: 0, pad_token_id: 0 }),
		...files,
	};
	if (!('model.safetensors' in whole) && !('model.safetensors.index.json' in whole))
		whole['model.safetensors'] = safetensorsOf(rawTensors(weightsFor(config)));
	for (const name of ['tokenizer.json', 'tokenizer_config.json'])
		if (!(name in whole)) cpSync(join(bundled, name), join(folder, name));
	for (const [name, content] of Object.entries(whole))
		if (content !== null) writeFileSync(join(folder, name), content);
	return folder;
}

export async function loadFolder(folder: string): Promise<Policy> {
	return loadPolicy({
		model: folder,
		revision: null,
		keepReference: false,
		prompts: defaultConfig(),
		onProgress: () => {},
	});
}
