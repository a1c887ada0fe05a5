/** Sampling on a tfjs backend: the cache is a tensor per layer that grows by one token a step. */
import type { Tensor2D } from '@tensorflow/tfjs';
import type { Decoding } from '../engine.ts';
import type { DecoderModel, KeysValues } from './decoder-model.ts';
import { cacheMask, causalMask } from './masks.ts';

export class TensorflowDecoding implements Decoding {
	logits: Float32Array = new Float32Array(0);
	logProbs: Float32Array = new Float32Array(0);
	readonly #model: DecoderModel;
	readonly #vocabulary: number;
	#cache: KeysValues[] = [];
	/** True prompt length per row; the slots from there to `#promptSlots` are padding. */
	#prompts: number[] = [];
	readonly #promptSlots: number;
	/** Tokens appended so far. */
	#appended = 0;

	private constructor(model: DecoderModel, vocabulary: number, promptSlots: number) {
		this.#model = model;
		this.#vocabulary = vocabulary;
		this.#promptSlots = promptSlots;
	}

	/** Prefills each prompt once and spreads it over its samples. */
	static async start(
		model: DecoderModel,
		prompts: readonly (readonly number[])[],
		samples: readonly number[],
		vocabulary: number,
	): Promise<TensorflowDecoding> {
		const slots = prompts.reduce((most, ids) => Math.max(most, ids.length), 0);
		const decoding = new TensorflowDecoding(model, vocabulary, slots);
		await decoding.#prefill(prompts, samples);
		return decoding;
	}

	async #prefill(
		prompts: readonly (readonly number[])[],
		samples: readonly number[],
	): Promise<void> {
		const { tf } = this.#model;
		const slots = this.#promptSlots;
		const ids = new Int32Array(prompts.length * slots);
		prompts.forEach((prompt, row) => ids.set(prompt, row * slots));
		const owners = samples.flatMap((count, prompt) => Array.from({ length: count }, () => prompt));
		this.#prompts = owners.map((prompt) => prompts[prompt]?.length ?? 0);
		const logits = tf.tidy(() => {
			const positions = Int32Array.from(ids, (_, i) => i % slots);
			const spread = tf.tensor1d(owners, 'int32');
			const hidden = this.#model.forward(
				ids,
				prompts.length,
				positions,
				causalMask(tf, slots),
				null,
				(layer, { keys, values }) => {
					this.#cache[layer] = {
						keys: tf.keep(tf.gather(keys, spread)),
						values: tf.keep(tf.gather(values, spread)),
					};
				},
			);
			const last = prompts.map((prompt, row) => row * slots + prompt.length - 1);
			const ends = owners.map((prompt) => last[prompt] ?? 0);
			return this.#model.logits(tf.gather(hidden, tf.tensor1d(ends, 'int32')));
		});
		await this.#read(logits);
	}

	async #read(logits: Tensor2D): Promise<void> {
		const { tf } = this.#model;
		const logProbs = tf.logSoftmax(logits);
		this.logits = Float32Array.from(await logits.data());
		this.logProbs = Float32Array.from(await logProbs.data());
		tf.dispose([logits, logProbs]);
	}

	keep(rows: readonly number[]): void {
		if (rows.length === this.#prompts.length) return;
		const { tf } = this.#model;
		this.#cache = this.#cache.map(({ keys, values }) => {
			const kept = tf.tidy(() => {
				const index = tf.tensor1d([...rows], 'int32');
				return { keys: tf.gather(keys, index), values: tf.gather(values, index) };
			});
			tf.dispose([keys, values]);
			return kept;
		});
		const size = this.#vocabulary;
		const compact = (data: Float32Array): Float32Array => {
			const kept = new Float32Array(rows.length * size);
			rows.forEach((row, i) => {
				kept.set(data.subarray(row * size, (row + 1) * size), i * size);
			});
			return kept;
		};
		this.logits = compact(this.logits);
		this.logProbs = compact(this.logProbs);
		this.#prompts = rows.map((row) => this.#prompts[row] ?? 0);
	}

	async advance(tokens: Int32Array): Promise<void> {
		const { tf } = this.#model;
		const rows = tokens.length;
		const positions = Int32Array.from(this.#prompts, (length) => length + this.#appended);
		const next: KeysValues[] = [];
		const logits = tf.tidy(() => {
			const slots = this.#promptSlots + this.#appended + 1;
			const mask = cacheMask(tf, this.#prompts, this.#promptSlots, slots);
			const hidden = this.#model.forward(
				tokens,
				rows,
				positions,
				mask,
				this.#cache,
				(layer, { keys, values }) => {
					next[layer] = { keys: tf.keep(keys), values: tf.keep(values) };
				},
			);
			return this.#model.logits(hidden);
		});
		this.dispose();
		this.#cache = next;
		this.#appended++;
		await this.#read(logits);
	}

	dispose(): void {
		for (const { keys, values } of this.#cache) this.#model.tf.dispose([keys, values]);
		this.#cache = [];
	}
}
