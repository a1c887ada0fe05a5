/**
 * What a device must offer so that a decoder can be sampled and trained on it. Two engines implement it:
 * `cpu/` on ONNX Runtime and typed arrays, `tensorflow/` on tfjs (CUDA, WebGPU, and the reference in tests).
 */

/**
 * Token rows of equal padded length for one forward (and backward) pass. Rows belong to groups that may
 * share a prefix (the prompt), whose keys and values are then computed once per group.
 */
export interface TokenBatch {
	groups: number;
	rowsPerGroup: number;
	/** Padded length of the rows (T). Padding is on the right, where the causal mask hides it. */
	length: number;
	/** `[groups, rowsPerGroup, length]`; padding may be any valid id. */
	ids: Int32Array;
	/** Null: rows begin at position 0. Otherwise a row begins right after its group's prefix. */
	prefix: {
		length: number;
		/** `[groups, length]`, padded on the right. */
		ids: Int32Array;
		/** True length per group. */
		lengths: Int32Array;
	} | null;
	/** Flat positions in `ids` whose next token is scored, ascending. */
	scored: Int32Array;
	/** The token that comes next at each scored position. */
	targets: Int32Array;
}

export interface AdamWStep {
	learningRate: number;
	weightDecay: number;
	beta1: number;
	beta2: number;
	epsilon: number;
	/** Number of this step, from 1. */
	step: number;
	/** Factor on the gradient (clipping). */
	gradientScale: number;
}

/** One batch being sampled. Rows start as every sample of every prompt, in order. */
export interface Decoding {
	/** Logits of the next token of every row, `[rows, vocab]`, valid until the next call. */
	readonly logits: Float32Array;
	/** Their log-softmax, same shape. */
	readonly logProbs: Float32Array;
	/** Keeps the rows of these indices, in this order; the others cost nothing from now on. */
	keep(rows: readonly number[]): void;
	/** Appends one token per row and computes the next logits. */
	advance(tokens: Int32Array): Promise<void>;
	dispose(): void;
}

export type WeightSet = 'current' | 'reference';

export interface Engine {
	/** Size of the softmax: ids from here on are never sampled and have no probability. */
	readonly outputVocabulary: number;

	/**
	 * Log-probability of each target, temperature 1. With `coefficients` (one per target) the gradient of
	 * Σ coefficient · log-probability is added to the accumulated one.
	 */
	score(
		batch: TokenBatch,
		weights: WeightSet,
		coefficients: Float32Array | null,
	): Promise<Float32Array>;

	/** Forgets the accumulated gradient. */
	clearGradient(): void;
	/** Euclidean norm over all weights; not finite if any entry is not. */
	gradientNorm(): Promise<number>;
	/** AdamW as torch.optim.AdamW defines it: decoupled decay on all weights, bias-corrected moments. */
	applyAdamW(step: AdamWStep): Promise<void>;

	/** Prefills the prompts and makes room for `maxNewTokens` more on every row. */
	decode(
		prompts: readonly (readonly number[])[],
		samples: readonly number[],
		maxNewTokens: number,
	): Promise<Decoding>;

	/** Flat arrays in the order of the parameter layout; moments are null before the first step. */
	readWeights(): Promise<Float32Array>;
	readMoments(): Promise<{ first: Float32Array; second: Float32Array } | null>;
	/** The accumulated gradient, for tests. */
	readGradient(): Promise<Float32Array>;
	writeState(
		weights: Float32Array,
		moments: { first: Float32Array; second: Float32Array } | null,
	): Promise<void>;

	dispose(): void;
}
