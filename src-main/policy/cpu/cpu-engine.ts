/** The decoder on the CPU: ONNX Runtime for whole blocks, typed arrays for weights, moments and caches. */
import type { AdamWStep, Decoding, Engine, TokenBatch, WeightSet } from '../engine.ts';
import type { ModelConfig } from '../model-config.ts';
import type { ParameterLayout } from '../parameters.ts';
import { adamW, euclideanNorm } from './adamw.ts';
import { CpuDecoding } from './cpu-decoding.ts';
import { CpuModel, WeightTensors } from './cpu-model.ts';
import { scoreBatch } from './passes.ts';

export interface CpuEngineOptions {
	config: ModelConfig;
	layout: ParameterLayout;
	/** Owned by the engine from here on. */
	weights: Float32Array;
	/** Frozen copy for the reference KL, if the run wants one. */
	reference: Float32Array | null;
	outputVocabulary: number;
}

export class CpuEngine implements Engine {
	readonly outputVocabulary: number;
	readonly #model: CpuModel;
	readonly #weights: WeightTensors;
	readonly #reference: WeightTensors | null;
	#gradient: WeightTensors | null = null;
	#moments: { first: Float32Array; second: Float32Array } | null = null;

	constructor(options: CpuEngineOptions) {
		this.outputVocabulary = options.outputVocabulary;
		this.#model = new CpuModel(options.config, options.layout, options.outputVocabulary);
		this.#weights = new WeightTensors(this.#model, options.weights);
		this.#reference =
			options.reference === null ? null : new WeightTensors(this.#model, options.reference);
	}

	/** Bytes of scratch memory, for tests of growth. */
	get scratchBytes(): number {
		return this.#model.pool.bytes;
	}

	score(
		batch: TokenBatch,
		weights: WeightSet,
		coefficients: Float32Array | null,
	): Promise<Float32Array> {
		const set = weights === 'current' ? this.#weights : this.#reference;
		if (set === null) throw new Error('the engine was made without reference weights');
		const training =
			coefficients === null ? null : { coefficients, gradient: this.#gradientTensors() };
		return Promise.resolve(scoreBatch(this.#model, set, batch, training));
	}

	#gradientTensors(): WeightTensors {
		this.#gradient ??= new WeightTensors(this.#model, new Float32Array(this.#weights.flat.length));
		return this.#gradient;
	}

	clearGradient(): void {
		this.#gradient?.flat.fill(0);
	}

	gradientNorm(): Promise<number> {
		return Promise.resolve(euclideanNorm(this.#gradientTensors().flat));
	}

	applyAdamW(step: AdamWStep): Promise<void> {
		const size = this.#weights.flat.length;
		this.#moments ??= { first: new Float32Array(size), second: new Float32Array(size) };
		const { first, second } = this.#moments;
		adamW(this.#weights.flat, this.#gradientTensors().flat, first, second, step);
		return Promise.resolve();
	}

	decode(
		prompts: readonly (readonly number[])[],
		samples: readonly number[],
		maxNewTokens: number,
	): Promise<Decoding> {
		return Promise.resolve(
			new CpuDecoding(this.#model, this.#weights, prompts, samples, maxNewTokens),
		);
	}

	readWeights(): Promise<Float32Array> {
		return Promise.resolve(this.#weights.flat);
	}

	readMoments(): Promise<{ first: Float32Array; second: Float32Array } | null> {
		return Promise.resolve(this.#moments);
	}

	readGradient(): Promise<Float32Array> {
		return Promise.resolve(this.#gradientTensors().flat);
	}

	writeState(
		weights: Float32Array,
		moments: { first: Float32Array; second: Float32Array } | null,
	): Promise<void> {
		this.#weights.flat.set(weights);
		this.#moments =
			moments === null ? null : { first: moments.first.slice(), second: moments.second.slice() };
		return Promise.resolve();
	}

	dispose(): void {
		this.#gradient = null;
		this.#moments = null;
		this.#model.dispose();
	}
}
