/** config.json of a checkpoint as a ModelConfig; what the decoder does not do is refused by name, before any weight loads. */
import { GroveError } from '../contract/errors.ts';
import { isJsonObject, type JsonObject } from './json-file.ts';
import type { ModelConfig, RopeScaling } from './model-config.ts';

const families = { qwen2: 'qwen2', qwen3: 'qwen3', llama: 'llama' } as const;

class ConfigReader {
	readonly #json: JsonObject;
	readonly #where: string;

	constructor(json: JsonObject, where: string) {
		this.#json = json;
		this.#where = where;
	}

	refuse(key: string, what: string, expected?: string): GroveError {
		return new GroveError('bad-input', {
			where: `${this.#where}: ${key}`,
			what,
			expected,
			given: JSON.stringify(this.#json[key]),
		});
	}

	whole(key: string, fallback?: number): number {
		const value = this.#json[key] ?? fallback;
		if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
			throw this.refuse(key, 'is missing or not a legal value', 'a whole number from 1');
		return value;
	}

	number(key: string, fallback: number): number {
		const value = this.#json[key] ?? fallback;
		if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0)
			throw this.refuse(key, 'is not a legal value', 'a number above 0');
		return value;
	}

	flag(key: string, fallback: boolean): boolean {
		const value = this.#json[key] ?? fallback;
		if (typeof value !== 'boolean') throw this.refuse(key, 'is not a legal value', 'true or false');
		return value;
	}

	/** Refuses a feature that is switched on. */
	mustBeOff(key: string, what: string): void {
		const value = this.#json[key];
		if (value !== undefined && value !== null && value !== false && value !== 0)
			throw this.refuse(key, `${what} is not supported`, 'absent');
	}
}

/** `where` names the file in messages. Throws GroveError 'bad-input'. */
export function readModelConfig(json: JsonObject, where: string): ModelConfig {
	const reader = new ConfigReader(json, where);
	const type = json.model_type;
	if (typeof type !== 'string' || !Object.hasOwn(families, type)) {
		throw reader.refuse(
			'model_type',
			'the architecture is not supported',
			'qwen2, qwen3 or llama (the families of Qwen2, Qwen2.5, Qwen3, Llama, SmolLM2)',
		);
	}
	const family = families[type as keyof typeof families];
	for (const key of ['num_experts', 'num_local_experts', 'moe_intermediate_size'])
		reader.mustBeOff(key, 'a mixture of experts');
	reader.mustBeOff('quantization_config', 'a quantised checkpoint');
	if (reader.flag('use_sliding_window', false))
		throw reader.refuse('use_sliding_window', 'sliding window attention is not supported', 'false');
	const layerTypes = json.layer_types;
	if (Array.isArray(layerTypes) && layerTypes.some((kind) => kind !== 'full_attention'))
		throw reader.refuse(
			'layer_types',
			'only full attention is supported',
			'full_attention in every layer',
		);
	const activation = json.hidden_act ?? 'silu';
	if (activation !== 'silu')
		throw reader.refuse('hidden_act', 'the activation is not supported', 'silu');
	const heads = reader.whole('num_attention_heads');
	const hiddenSize = reader.whole('hidden_size');
	const kvHeads = reader.whole('num_key_value_heads', heads);
	const headDim = reader.whole('head_dim', hiddenSize / heads);
	if (heads % kvHeads !== 0)
		throw reader.refuse(
			'num_key_value_heads',
			'does not divide num_attention_heads',
			`a divisor of ${heads}`,
		);
	if (headDim % 2 !== 0)
		throw reader.refuse('head_dim', 'is odd, so it cannot be rotated', 'an even number');
	const attentionBias =
		family === 'llama' || family === 'qwen3' ? reader.flag('attention_bias', false) : true;
	const rope = ropeOf(json, reader);
	return {
		family,
		vocabSize: reader.whole('vocab_size'),
		hiddenSize,
		intermediateSize: reader.whole('intermediate_size'),
		layers: reader.whole('num_hidden_layers'),
		heads,
		kvHeads,
		headDim,
		rmsNormEps: reader.number('rms_norm_eps', 1e-6),
		ropeTheta: rope.theta,
		ropeScaling: rope.scaling,
		// Both families' own default where the key is absent.
		tieWordEmbeddings: reader.flag('tie_word_embeddings', false),
		qkvBias: attentionBias,
		outputBias: family !== 'qwen2' && attentionBias,
		mlpBias: family === 'llama' && reader.flag('mlp_bias', false),
		qkNorm: family === 'qwen3',
		maxPositions: reader.whole('max_position_embeddings'),
	};
}

/** `rope_scaling` and `rope_theta` (transformers 4), or `rope_parameters` (transformers 5). */
function ropeOf(json: JsonObject, reader: ConfigReader): { theta: number; scaling: RopeScaling } {
	const key = isJsonObject(json.rope_parameters) ? 'rope_parameters' : 'rope_scaling';
	const settings = isJsonObject(json[key]) ? json[key] : {};
	const number = (name: string): number => {
		const value = settings[name];
		if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0)
			throw reader.refuse(key, `${name} is missing or not a number above 0`);
		return value;
	};
	const theta =
		typeof settings.rope_theta === 'number'
			? number('rope_theta')
			: reader.number('rope_theta', 10_000);
	const kind = settings.rope_type ?? settings.type ?? 'default';
	switch (kind) {
		case 'default':
			return { theta, scaling: { kind: 'none' } };
		case 'linear':
			return { theta, scaling: { kind: 'linear', factor: number('factor') } };
		case 'llama3':
			return {
				theta,
				scaling: {
					kind: 'llama3',
					factor: number('factor'),
					lowFreqFactor: number('low_freq_factor'),
					highFreqFactor: number('high_freq_factor'),
					originalMaxPositions: number('original_max_position_embeddings'),
				},
			};
		default:
			throw reader.refuse(
				key,
				'this scaling of the rotary embedding is not supported',
				'default, linear or llama3',
			);
	}
}
