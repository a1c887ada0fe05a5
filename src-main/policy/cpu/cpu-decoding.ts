/** Sampling on the CPU engine: prefill once per prompt, then one fused step per token over all rows. */
import { onnxTensor, type OnnxTensor as Tensor } from '../../compute/onnx-program.ts';
import type { Decoding } from '../engine.ts';
import { canFuseDecoding } from './decode-graph.ts';
import { floats, type CpuModel, type Tensors, type WeightTensors } from './cpu-model.ts';
import { embed, layoutTensors } from './layout.ts';
import { prefill } from './passes.ts';

/** Prompt tokens of one forward pass, padding included. */
const prefillTokens = 4096;
/** The caches grow in steps: few prompts use all of a long limit. */
const cacheStep = 256;

export class CpuDecoding implements Decoding {
	logits: Float32Array = new Float32Array(0);
	logProbs: Float32Array = new Float32Array(0);
	readonly #model: CpuModel;
	readonly #weights: WeightTensors;
	/** Per layer, `[rows, K, capacity, E]`. */
	#keys: Float32Array[] = [];
	#values: Float32Array[] = [];
	#lengths: number[] = [];
	#capacity: number;
	readonly #limit: number;
	#feeds: Tensors | null = null;
	#results: Tensors = {};

	constructor(
		model: CpuModel,
		weights: WeightTensors,
		prompts: readonly (readonly number[])[],
		samples: readonly number[],
		maxNewTokens: number,
	) {
		this.#model = model;
		this.#weights = weights;
		const longest = prompts.reduce((most, ids) => Math.max(most, ids.length), 0);
		this.#limit = longest + maxNewTokens;
		this.#capacity = Math.min(this.#limit, longest + cacheStep);
		const rows = samples.reduce((sum, count) => sum + count, 0);
		for (let layer = 0; layer < model.config.layers; layer++) {
			this.#keys.push(model.pool.take(rows * this.#rowSize));
			this.#values.push(model.pool.take(rows * this.#rowSize));
		}
		this.#prefill(prompts, samples);
	}

	/** Elements of one row's cache in one layer. */
	get #rowSize(): number {
		return this.#model.config.kvHeads * this.#capacity * this.#model.config.headDim;
	}

	#prefill(prompts: readonly (readonly number[])[], samples: readonly number[]): void {
		const { hiddenSize } = this.#model.config;
		const last = new Float32Array(prompts.length * hiddenSize);
		let firstRow = 0;
		for (let start = 0; start < prompts.length;) {
			const end = pieceEnd(prompts, start);
			const piece = prompts.slice(start, end);
			const length = Math.max(...piece.map((ids) => ids.length));
			const padded = new Int32Array(piece.length * length);
			piece.forEach((ids, row) => padded.set(ids, row * length));
			const counts = samples.slice(start, end);
			const base = firstRow;
			const copy = (from: Float32Array, to: Float32Array | undefined): void => {
				if (to !== undefined) this.#copyPrompts(from, to, piece, length, counts, base);
			};
			prefill(
				this.#model,
				this.#weights,
				padded,
				piece.length,
				(layer, keys, values) => {
					copy(keys, this.#keys[layer]);
					copy(values, this.#values[layer]);
				},
				(x) => {
					piece.forEach((ids, row) => {
						const at = (row * length + ids.length - 1) * hiddenSize;
						last.set(x.subarray(at, at + hiddenSize), (start + row) * hiddenSize);
					});
				},
			);
			piece.forEach((ids, row) => {
				for (let k = 0; k < (counts[row] ?? 0); k++) this.#lengths.push(ids.length);
				firstRow += counts[row] ?? 0;
			});
			start = end;
		}
		this.#firstLogits(last, samples);
	}

	/** `[prompts, K, T, E]` into the caches of all samples of each prompt. */
	#copyPrompts(
		from: Float32Array,
		to: Float32Array,
		prompts: readonly (readonly number[])[],
		length: number,
		samples: readonly number[],
		firstRow: number,
	): void {
		const { kvHeads, headDim } = this.#model.config;
		let row = firstRow;
		prompts.forEach((ids, prompt) => {
			for (let k = 0; k < (samples[prompt] ?? 0); k++, row++) {
				for (let head = 0; head < kvHeads; head++) {
					const source = (prompt * kvHeads + head) * length * headDim;
					const target = row * this.#rowSize + head * this.#capacity * headDim;
					to.set(from.subarray(source, source + ids.length * headDim), target);
				}
			}
		});
	}

	#firstLogits(last: Float32Array, samples: readonly number[]): void {
		const { logits, logProbs } = this.#head(last, samples.length);
		const vocabulary = this.#model.outputVocabulary;
		const rows = this.#lengths.length;
		this.logits = new Float32Array(rows * vocabulary);
		this.logProbs = new Float32Array(rows * vocabulary);
		let row = 0;
		samples.forEach((count, prompt) => {
			const at = prompt * vocabulary;
			for (let k = 0; k < count; k++, row++) {
				this.logits.set(logits.subarray(at, at + vocabulary), row * vocabulary);
				this.logProbs.set(logProbs.subarray(at, at + vocabulary), row * vocabulary);
			}
		});
	}

	#head(last: Float32Array, rows: number): { logits: Float32Array; logProbs: Float32Array } {
		const model = this.#model;
		const vocabulary = model.outputVocabulary;
		const logits = new Float32Array(rows * vocabulary);
		const logProbs = new Float32Array(rows * vocabulary);
		model.program('logits').run(
			{
				x: onnxTensor(last, [rows, model.config.hiddenSize]),
				norm: this.#weights.norm,
				head: this.#weights.head,
			},
			{
				logits: onnxTensor(logits, [rows, vocabulary]),
				logProbs: onnxTensor(logProbs, [rows, vocabulary]),
			},
		);
		return { logits, logProbs };
	}

	keep(rows: readonly number[]): void {
		if (rows.length === this.#lengths.length && rows.every((row, i) => row === i)) return;
		const vocabulary = this.#model.outputVocabulary;
		// Rows only move towards the front, so a copy never overwrites one that is still to be moved.
		const compact = (data: Float32Array, size: number): void => {
			rows.forEach((row, i) => {
				if (row !== i) data.copyWithin(i * size, row * size, (row + 1) * size);
			});
		};
		for (const cache of [...this.#keys, ...this.#values]) compact(cache, this.#rowSize);
		compact(this.logits, vocabulary);
		compact(this.logProbs, vocabulary);
		this.#lengths = rows.map((row) => this.#lengths[row] ?? 0);
		this.logits = this.logits.subarray(0, rows.length * vocabulary);
		this.logProbs = this.logProbs.subarray(0, rows.length * vocabulary);
		this.#feeds = null;
	}

	advance(tokens: Int32Array): Promise<void> {
		const longest = this.#lengths.reduce((most, length) => Math.max(most, length), 0);
		if (longest + 1 > this.#capacity) this.#grow(longest + 1);
		if (canFuseDecoding(this.#model.config)) this.#fusedStep(tokens, longest);
		else this.#blockStep(tokens, longest);
		this.#lengths = this.#lengths.map((length) => length + 1);
		return Promise.resolve();
	}

	#grow(needed: number): void {
		const { kvHeads, headDim } = this.#model.config;
		const old = this.#capacity;
		this.#capacity = Math.max(needed, Math.min(this.#limit, old + Math.max(cacheStep, old / 2)));
		this.#capacity = Math.ceil(this.#capacity);
		const heads = this.#lengths.length * kvHeads;
		const grown = (cache: Float32Array): Float32Array => {
			const larger = this.#model.pool.take(heads * this.#capacity * headDim);
			for (let head = 0; head < heads; head++) {
				const at = head * old * headDim;
				larger.set(cache.subarray(at, at + old * headDim), head * this.#capacity * headDim);
			}
			this.#model.pool.give(cache);
			return larger;
		};
		this.#keys = this.#keys.map(grown);
		this.#values = this.#values.map(grown);
		this.#feeds = null;
	}

	#fusedStep(tokens: Int32Array, longest: number): void {
		const model = this.#model;
		const feeds = (this.#feeds ??= this.#fusedFeeds());
		const { x, pastLength, totalLength } = feeds;
		if (x === undefined || pastLength === undefined || totalLength === undefined) return;
		embed(tokens, this.#weights.embedding, model.config.hiddenSize, floats(x));
		(pastLength.data as Int32Array).set(this.#lengths);
		(totalLength.data as Int32Array)[0] = longest + 1;
		model.program('decode').run(feeds, this.#results);
	}

	/** All tensors of a fused step; they stay the same until rows leave or the caches grow. */
	#fusedFeeds(): Tensors {
		const model = this.#model;
		const { config } = model;
		const rows = this.#lengths.length;
		const feeds: Tensors = {
			...model.rotary(this.#capacity),
			x: onnxTensor(new Float32Array(rows * config.hiddenSize), [rows, config.hiddenSize]),
			pastLength: onnxTensor(new Int32Array(rows), [rows]),
			totalLength: onnxTensor(new Int32Array(1), [1]),
			norm: this.#weights.norm,
			head: this.#weights.head,
		};
		const vocabulary = model.outputVocabulary;
		this.logits = new Float32Array(rows * vocabulary);
		this.logProbs = new Float32Array(rows * vocabulary);
		this.#results = {
			logits: onnxTensor(this.logits, [rows, vocabulary]),
			logProbs: onnxTensor(this.logProbs, [rows, vocabulary]),
		};
		for (let layer = 0; layer < config.layers; layer++) {
			Object.assign(feeds, this.#weights.fused(layer));
			const cache = (data: Float32Array | undefined): Tensor =>
				onnxTensor((data ?? new Float32Array(0)).subarray(0, rows * this.#rowSize), [
					rows,
					config.kvHeads,
					this.#capacity,
					config.headDim,
				]);
			const keys = cache(this.#keys[layer]);
			const values = cache(this.#values[layer]);
			feeds[`keys${layer}`] = keys;
			feeds[`values${layer}`] = values;
			this.#results[`newKeys${layer}`] = keys;
			this.#results[`newValues${layer}`] = values;
		}
		return feeds;
	}

	/** One token per row through the blocks of training, with the cache as each row's prefix. */
	#blockStep(tokens: Int32Array, longest: number): void {
		const model = this.#model;
		const { config } = model;
		const { hiddenSize, kvHeads, headDim } = config;
		const rows = tokens.length;
		const shape = { groups: rows, rowsPerGroup: 1, length: 1, prefixLength: this.#capacity };
		const layout = layoutTensors(model, shape, Int32Array.from(this.#lengths));
		let x = model.scratch([rows, hiddenSize]);
		embed(tokens, this.#weights.embedding, hiddenSize, floats(x));
		const saved = model.savedTensors(shape);
		for (let layer = 0; layer < config.layers; layer++) {
			const keys = this.#keys[layer] ?? new Float32Array(0);
			const values = this.#values[layer] ?? new Float32Array(0);
			const dims = [rows, kvHeads, this.#capacity, headDim];
			const y = model.scratch([rows, hiddenSize]);
			model.program('forwardPrefixed').run(
				{
					...layout,
					...this.#weights.layers[layer],
					x,
					prefixKeys: onnxTensor(keys.subarray(0, rows * this.#rowSize), dims),
					prefixValues: onnxTensor(values.subarray(0, rows * this.#rowSize), dims),
				},
				{ ...saved, y },
			);
			for (const [cache, fresh] of [
				[keys, saved['keys']],
				[values, saved['values']],
			] as const) {
				if (fresh === undefined) continue;
				for (let head = 0; head < rows * kvHeads; head++) {
					const position = this.#lengths[Math.floor(head / kvHeads)] ?? longest;
					const at = (head * this.#capacity + position) * headDim;
					cache.set(floats(fresh).subarray(head * headDim, (head + 1) * headDim), at);
				}
			}
			model.release(x);
			x = y;
		}
		Object.values(saved).forEach((tensor) => model.release(tensor));
		const { logits, logProbs } = this.#head(floats(x), rows);
		model.release(x);
		this.logits = logits;
		this.logProbs = logProbs;
	}

	dispose(): void {
		for (const cache of [...this.#keys, ...this.#values]) this.#model.pool.give(cache);
		this.#keys = [];
		this.#values = [];
		this.#feeds = null;
		this.#results = {};
	}
}

/** How many prompts fit one forward pass; at least one. */
function pieceEnd(prompts: readonly (readonly number[])[], start: number): number {
	let longest = 0;
	let end = start;
	for (; end < prompts.length; end++) {
		longest = Math.max(longest, prompts[end]?.length ?? 0);
		if (end > start && longest * (end + 1 - start) > prefillTokens) break;
	}
	return end;
}
