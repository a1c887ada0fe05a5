/**
 * All weights of a decoder in one flat array, so that gradient, moments and weights line up and one loop
 * serves them all. Matrices that are used together (q, k, v; gate, up) lie one after the other.
 */
import { GroveError, type Complaint } from '../contract/errors.ts';
import type { ModelConfig, Weights } from './model-config.ts';

export interface Parameter {
	/** Name in the Hugging Face checkpoint. */
	name: string;
	shape: readonly number[];
	/** First element within the flat array, and number of elements. */
	offset: number;
	size: number;
}

export interface ParameterLayout {
	parameters: readonly Parameter[];
	byName: ReadonlyMap<string, Parameter>;
	/** Elements of the flat array. */
	total: number;
}

/** Names and places of every weight of a model; `[out, in]` as checkpoints store matrices. */
export function parameterLayout(config: ModelConfig): ParameterLayout {
	const { hiddenSize, intermediateSize, heads, kvHeads, headDim } = config;
	const parameters: Parameter[] = [];
	let total = 0;
	const add = (name: string, ...shape: number[]): void => {
		const size = shape.reduce((product, dim) => product * dim, 1);
		parameters.push({ name, shape, offset: total, size });
		total += size;
	};
	add('model.embed_tokens.weight', config.vocabSize, hiddenSize);
	for (let layer = 0; layer < config.layers; layer++) {
		const prefix = `model.layers.${layer}`;
		const attention = `${prefix}.self_attn`;
		add(`${prefix}.input_layernorm.weight`, hiddenSize);
		add(`${attention}.q_proj.weight`, heads * headDim, hiddenSize);
		add(`${attention}.k_proj.weight`, kvHeads * headDim, hiddenSize);
		add(`${attention}.v_proj.weight`, kvHeads * headDim, hiddenSize);
		if (config.qkvBias) {
			add(`${attention}.q_proj.bias`, heads * headDim);
			add(`${attention}.k_proj.bias`, kvHeads * headDim);
			add(`${attention}.v_proj.bias`, kvHeads * headDim);
		}
		if (config.qkNorm) {
			add(`${attention}.q_norm.weight`, headDim);
			add(`${attention}.k_norm.weight`, headDim);
		}
		add(`${attention}.o_proj.weight`, hiddenSize, heads * headDim);
		if (config.outputBias) add(`${attention}.o_proj.bias`, hiddenSize);
		add(`${prefix}.post_attention_layernorm.weight`, hiddenSize);
		add(`${prefix}.mlp.gate_proj.weight`, intermediateSize, hiddenSize);
		add(`${prefix}.mlp.up_proj.weight`, intermediateSize, hiddenSize);
		if (config.mlpBias) {
			add(`${prefix}.mlp.gate_proj.bias`, intermediateSize);
			add(`${prefix}.mlp.up_proj.bias`, intermediateSize);
		}
		add(`${prefix}.mlp.down_proj.weight`, hiddenSize, intermediateSize);
		if (config.mlpBias) add(`${prefix}.mlp.down_proj.bias`, hiddenSize);
	}
	add('model.norm.weight', hiddenSize);
	if (!config.tieWordEmbeddings) add('lm_head.weight', config.vocabSize, hiddenSize);
	return { parameters, byName: new Map(parameters.map((p) => [p.name, p])), total };
}

/** The parameter of this name; a wrong name is a bug of the caller. */
export function parameterNamed(layout: ParameterLayout, name: string): Parameter {
	const parameter = layout.byName.get(name);
	if (parameter === undefined) throw new Error(`the model has no weight ${name}`);
	return parameter;
}

/** Part of a flat array that belongs to a parameter, sharing its memory. */
export function viewOf(flat: Float32Array, parameter: Parameter): Float32Array {
	return flat.subarray(parameter.offset, parameter.offset + parameter.size);
}

function firstNonFinite(data: Float32Array): number {
	// A sum is finite unless a part is not (or it overflows, which the search then clears up).
	let sum = 0;
	for (const value of data) sum += value;
	if (Number.isFinite(sum)) return -1;
	return data.findIndex((value) => !Number.isFinite(value));
}

/**
 * Copies a checkpoint into one flat array.
 * Throws GroveError 'bad-input' naming every missing weight, wrong shape, and NaN or infinite value.
 */
export function flattenWeights(
	layout: ParameterLayout,
	weights: Weights,
	where: string,
): Float32Array {
	const flat = new Float32Array(layout.total);
	const complaints: Complaint[] = [];
	for (const parameter of layout.parameters) {
		const found = weights.get(parameter.name);
		const tensor = `${where}, tensor ${parameter.name}`;
		if (found === undefined) {
			complaints.push({ what: 'the weight is missing', where: tensor });
			continue;
		}
		if (found.shape.join() !== parameter.shape.join()) {
			complaints.push({
				what: 'the weight has another shape than config.json says',
				where: tensor,
				expected: `[${parameter.shape.join(', ')}]`,
				given: `[${found.shape.join(', ')}]`,
			});
			continue;
		}
		const bad = firstNonFinite(found.data);
		if (bad >= 0) {
			complaints.push({
				what: 'the weight holds a value that is not a finite number',
				where: tensor,
				given: `${String(found.data[bad])} at element ${bad} of ${found.data.length}`,
				fix: 'use another checkpoint: this one is damaged or its training had diverged',
			});
			continue;
		}
		flat.set(found.data, parameter.offset);
	}
	if (complaints.length > 0) throw new GroveError('bad-input', complaints.slice(0, 20));
	return flat;
}

/** The flat array as a checkpoint; the values share its memory. */
export function namedWeights(layout: ParameterLayout, flat: Float32Array): Weights {
	return new Map(layout.parameters.map((p) => [p.name, { shape: p.shape, data: viewOf(flat, p) }]));
}
