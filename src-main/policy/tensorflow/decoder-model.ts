/**
 * The decoder in plain tfjs operations with tfjs's own gradients: what runs on CUDA and WebGPU, and the
 * reference that the CPU engine's kernels are tested against. B rows, T tokens, D hidden, H heads,
 * K key-value heads, E head dimension, S keys.
 */
import type { Tensor, Tensor2D, Variable } from '@tensorflow/tfjs';
import type { Tfjs } from '../../compute/index.ts';
import type { ModelConfig } from '../model-config.ts';
import { rotaryTable } from '../rotary.ts';

export interface KeysValues {
	/** `[B, K, S, E]` */
	keys: Tensor;
	values: Tensor;
}

export class DecoderModel {
	readonly tf: Tfjs;
	readonly config: ModelConfig;
	readonly #weights: ReadonlyMap<string, Variable>;
	readonly #outputVocabulary: number;

	constructor(
		tf: Tfjs,
		config: ModelConfig,
		weights: ReadonlyMap<string, Variable>,
		outputVocabulary: number,
	) {
		this.tf = tf;
		this.config = config;
		this.#weights = weights;
		this.#outputVocabulary = outputVocabulary;
	}

	#weight(name: string): Tensor {
		const weight = this.#weights.get(name);
		if (weight === undefined) throw new Error(`the model has no weight ${name}`);
		return weight;
	}

	#linear(x: Tensor, name: string): Tensor {
		const product = this.tf.matMul(x, this.#weight(`${name}.weight`), false, true);
		const bias = this.#weights.get(`${name}.bias`);
		return bias === undefined ? product : this.tf.add(product, bias);
	}

	#norm(x: Tensor, name: string): Tensor {
		const { tf } = this;
		const meanSquare = tf.mean(tf.square(x), -1, true);
		const scale = tf.rsqrt(tf.add(meanSquare, this.config.rmsNormEps));
		return tf.mul(tf.mul(x, scale), this.#weight(`${name}.weight`));
	}

	/** Turns `[B, heads, T, E]` by `cos` and `sin` `[B, 1, T, E/2]`. */
	#rotate(x: Tensor, cos: Tensor, sin: Tensor): Tensor {
		const { tf } = this;
		const [first, second] = tf.split(x, 2, -1) as [Tensor, Tensor];
		return tf.concat(
			[
				tf.sub(tf.mul(first, cos), tf.mul(second, sin)),
				tf.add(tf.mul(second, cos), tf.mul(first, sin)),
			],
			-1,
		);
	}

	/** Cosines and sines of the given positions (one per token), `[B, 1, T, E/2]`. */
	rotary(positions: Int32Array, rows: number): { cos: Tensor; sin: Tensor } {
		const { tf } = this;
		const half = this.config.headDim / 2;
		const table = rotaryTable(this.config, positions.reduce((a, b) => Math.max(a, b), 0) + 1);
		const pick = (from: Float32Array): Tensor => {
			const picked = new Float32Array(positions.length * half);
			positions.forEach((position, i) => {
				picked.set(from.subarray(position * half, (position + 1) * half), i * half);
			});
			return tf.tensor(picked, [rows, 1, positions.length / rows, half]);
		};
		return { cos: pick(table.cos), sin: pick(table.sin) };
	}

	/**
	 * Last hidden states `[B·T, D]` of `ids` `[B, T]` after the final norm. `mask` `[B or 1, 1, T, S]` is added to the
	 * scores; `past` are keys and values of earlier tokens per layer, `onLayer` sees those of all tokens.
	 */
	forward(
		ids: Int32Array,
		rows: number,
		positions: Int32Array,
		mask: Tensor,
		past: readonly KeysValues[] | null,
		onLayer: (layer: number, all: KeysValues) => void,
	): Tensor2D {
		const { tf, config } = this;
		const { heads, kvHeads, headDim } = config;
		const length = ids.length / rows;
		const { cos, sin } = this.rotary(positions, rows);
		const split = (x: Tensor, count: number): Tensor =>
			tf.transpose(tf.reshape(x, [rows, length, count, headDim]), [0, 2, 1, 3]);
		let x: Tensor = tf.gather(this.#weight('model.embed_tokens.weight'), tf.tensor1d(ids, 'int32'));
		for (let layer = 0; layer < config.layers; layer++) {
			const prefix = `model.layers.${layer}`;
			const attention = `${prefix}.self_attn`;
			const normed = this.#norm(x, `${prefix}.input_layernorm`);
			let q = split(this.#linear(normed, `${attention}.q_proj`), heads);
			let k = split(this.#linear(normed, `${attention}.k_proj`), kvHeads);
			let values = split(this.#linear(normed, `${attention}.v_proj`), kvHeads);
			if (config.qkNorm) {
				q = this.#norm(q, `${attention}.q_norm`);
				k = this.#norm(k, `${attention}.k_norm`);
			}
			q = this.#rotate(q, cos, sin);
			let keys = this.#rotate(k, cos, sin);
			const before = past?.[layer];
			if (before !== undefined) {
				keys = tf.concat([before.keys, keys], 2);
				values = tf.concat([before.values, values], 2);
			}
			onLayer(layer, { keys, values });
			const mixed = this.#attend(q, keys, values, mask, rows, length);
			x = tf.add(x, this.#linear(mixed, `${attention}.o_proj`));
			const normedMiddle = this.#norm(x, `${prefix}.post_attention_layernorm`);
			const gate = this.#linear(normedMiddle, `${prefix}.mlp.gate_proj`);
			const up = this.#linear(normedMiddle, `${prefix}.mlp.up_proj`);
			const active = tf.mul(tf.mul(gate, tf.sigmoid(gate)), up);
			x = tf.add(x, this.#linear(active, `${prefix}.mlp.down_proj`));
		}
		return tf.reshape(this.#norm(x, 'model.norm'), [rows * length, config.hiddenSize]);
	}

	/** The R = H/K query heads that share a key head are one matrix. Gives `[B·T, H·E]`. */
	#attend(
		q: Tensor,
		keys: Tensor,
		values: Tensor,
		mask: Tensor,
		rows: number,
		length: number,
	): Tensor {
		const { tf } = this;
		const { heads, kvHeads, headDim } = this.config;
		const grouped = tf.reshape(q, [rows, kvHeads, (heads / kvHeads) * length, headDim]);
		const scores = tf.mul(tf.matMul(grouped, keys, false, true), 1 / Math.sqrt(headDim));
		const keyCount = keys.shape[2] ?? 0;
		const masked = tf.add(tf.reshape(scores, [rows, heads, length, keyCount]), mask);
		const weights = tf.reshape(tf.softmax(masked, -1), [
			rows,
			kvHeads,
			(heads / kvHeads) * length,
			keyCount,
		]);
		const mixed = tf.reshape(tf.matMul(weights, values), [rows, heads, length, headDim]);
		return tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [rows * length, heads * headDim]);
	}

	#head(): Tensor2D {
		const { tf, config } = this;
		const name = config.tieWordEmbeddings ? 'model.embed_tokens.weight' : 'lm_head.weight';
		const rows = tf.slice(this.#weight(name), [0, 0], [this.#outputVocabulary, config.hiddenSize]);
		return tf.reshape(rows, [this.#outputVocabulary, config.hiddenSize]);
	}

	/** `[M, V]` */
	logits(hidden: Tensor2D): Tensor2D {
		return this.tf.matMul(hidden, this.#head(), false, true);
	}

	/** Log-probability of each row's target, `[M]`. The target's logit is a product with its row of the head alone. */
	targetLogProbs(hidden: Tensor2D, targets: Int32Array): Tensor {
		const { tf } = this;
		const head = this.#head();
		const rows = tf.gather(head, tf.tensor1d(targets, 'int32'));
		const target = tf.sum(tf.mul(hidden, rows), -1);
		return tf.sub(target, tf.logSumExp(tf.matMul(hidden, head, false, true), -1));
	}
}
