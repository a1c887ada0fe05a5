/** The decoder on any tfjs backend: weights, gradient and moments stay on the device. */
import type { Tensor, Variable } from '@tensorflow/tfjs';
import type { Tfjs } from '../../compute/index.ts';
import type { AdamWStep, Decoding, Engine, TokenBatch, WeightSet } from '../engine.ts';
import type { ModelConfig } from '../model-config.ts';
import { viewOf, type ParameterLayout } from '../parameters.ts';
import { DecoderModel } from './decoder-model.ts';
import { plainRows } from './plain-rows.ts';
import { TensorflowDecoding } from './tensorflow-decoding.ts';
import { causalMask } from './masks.ts';

export interface TensorflowEngineOptions {
	tf: Tfjs;
	config: ModelConfig;
	layout: ParameterLayout;
	weights: Float32Array;
	keepReference: boolean;
	outputVocabulary: number;
}

export class TensorflowEngine implements Engine {
	readonly outputVocabulary: number;
	readonly #tf: Tfjs;
	readonly #layout: ParameterLayout;
	readonly #weights: Map<string, Variable>;
	readonly #reference: Map<string, Variable> | null;
	readonly #models: Record<WeightSet, DecoderModel | null>;
	/** By weight name; empty before the first backward pass. */
	#gradient = new Map<string, Tensor>();
	#first: Map<string, Variable> | null = null;
	#second: Map<string, Variable> | null = null;

	constructor(options: TensorflowEngineOptions) {
		const { tf, config, layout, weights, outputVocabulary } = options;
		this.outputVocabulary = outputVocabulary;
		this.#tf = tf;
		this.#layout = layout;
		this.#weights = this.#variables(weights);
		this.#reference = options.keepReference ? this.#variables(weights) : null;
		const model = (set: Map<string, Variable>): DecoderModel =>
			new DecoderModel(tf, config, set, outputVocabulary);
		this.#models = {
			current: model(this.#weights),
			reference: this.#reference === null ? null : model(this.#reference),
		};
	}

	#variables(flat: Float32Array | null): Map<string, Variable> {
		const tf = this.#tf;
		return new Map(
			this.#layout.parameters.map((parameter) => {
				const shape = [...parameter.shape];
				const start =
					flat === null ? tf.zeros(shape) : tf.tensor(viewOf(flat, parameter).slice(), shape);
				const variable = tf.variable(start);
				start.dispose();
				return [parameter.name, variable];
			}),
		);
	}

	async score(
		batch: TokenBatch,
		weights: WeightSet,
		coefficients: Float32Array | null,
	): Promise<Float32Array> {
		const model = this.#models[weights];
		if (model === null) throw new Error('the engine was made without reference weights');
		const tf = this.#tf;
		const logProbs = (): Tensor => this.#logProbs(model, batch);
		if (coefficients === null) {
			const result = tf.tidy(logProbs);
			return await take(result);
		}
		const kept: Tensor[] = [];
		const names = new Map([...this.#weights].map(([name, variable]) => [variable.name, name]));
		const { value, grads } = tf.variableGrads(() => {
			const scored = logProbs();
			kept.push(tf.keep(scored.clone()));
			return tf.sum(tf.mul(scored, tf.tensor1d(coefficients)));
		}, [...this.#weights.values()]);
		value.dispose();
		for (const [variable, part] of Object.entries(grads)) {
			const name = names.get(variable) ?? variable;
			const before = this.#gradient.get(name);
			this.#gradient.set(name, before === undefined ? part : tf.add(before, part));
			if (before !== undefined) tf.dispose([before, part]);
		}
		const [scored] = kept;
		if (scored === undefined) throw new Error('tfjs did not call the loss');
		return await take(scored);
	}

	#logProbs(model: DecoderModel, batch: TokenBatch): Tensor {
		const tf = this.#tf;
		const { rows, length, ids, scored, targets } = plainRows(batch);
		const positions = Int32Array.from(ids, (_, i) => i % length);
		const hidden = model.forward(ids, rows, positions, causalMask(tf, length), null, () => {
			// Keys and values are of use only when sampling.
		});
		const chosen = tf.gather(hidden, tf.tensor1d(scored, 'int32'));
		return model.targetLogProbs(chosen, targets);
	}

	clearGradient(): void {
		for (const tensor of this.#gradient.values()) tensor.dispose();
		this.#gradient.clear();
	}

	async gradientNorm(): Promise<number> {
		const tf = this.#tf;
		if (this.#gradient.size === 0) return 0;
		const squares = tf.tidy(() =>
			tf.stack([...this.#gradient.values()].map((part) => tf.sum(tf.square(part)))),
		);
		// Summed here: a device may not see its own NaN.
		const parts = await take(squares);
		return Math.sqrt(parts.reduce((sum, part) => sum + part, 0));
	}

	applyAdamW(step: AdamWStep): Promise<void> {
		const tf = this.#tf;
		this.#first ??= this.#variables(null);
		this.#second ??= this.#variables(null);
		const { beta1, beta2, epsilon } = step;
		const stepSize = step.learningRate / (1 - beta1 ** step.step);
		const secondScale = 1 / Math.sqrt(1 - beta2 ** step.step);
		for (const [name, weight] of this.#weights) {
			const first = this.#first.get(name);
			const second = this.#second.get(name);
			if (first === undefined || second === undefined) continue;
			tf.tidy(() => {
				const raw = this.#gradient.get(name) ?? tf.zerosLike(weight);
				const g = tf.mul(raw, step.gradientScale);
				first.assign(tf.add(first, tf.mul(tf.sub(g, first), 1 - beta1)));
				second.assign(tf.add(tf.mul(second, beta2), tf.mul(tf.square(g), 1 - beta2)));
				const denominator = tf.add(tf.mul(tf.sqrt(second), secondScale), epsilon);
				const kept = tf.mul(weight, 1 - step.learningRate * step.weightDecay);
				weight.assign(tf.sub(kept, tf.div(tf.mul(first, stepSize), denominator)));
			});
		}
		return Promise.resolve();
	}

	async decode(
		prompts: readonly (readonly number[])[],
		samples: readonly number[],
	): Promise<Decoding> {
		const model = this.#models.current;
		if (model === null) throw new Error('the engine has been disposed');
		return await TensorflowDecoding.start(model, prompts, samples, this.outputVocabulary);
	}

	async #flat(set: ReadonlyMap<string, Tensor>): Promise<Float32Array> {
		const flat = new Float32Array(this.#layout.total);
		for (const parameter of this.#layout.parameters) {
			const tensor = set.get(parameter.name);
			if (tensor !== undefined) viewOf(flat, parameter).set(await tensor.data());
		}
		return flat;
	}

	readWeights(): Promise<Float32Array> {
		return this.#flat(this.#weights);
	}

	readGradient(): Promise<Float32Array> {
		return this.#flat(this.#gradient);
	}

	async readMoments(): Promise<{ first: Float32Array; second: Float32Array } | null> {
		if (this.#first === null || this.#second === null) return null;
		return { first: await this.#flat(this.#first), second: await this.#flat(this.#second) };
	}

	writeState(
		weights: Float32Array,
		moments: { first: Float32Array; second: Float32Array } | null,
	): Promise<void> {
		this.#assign(this.#weights, weights);
		if (moments === null) {
			for (const set of [this.#first, this.#second]) set?.forEach((part) => part.dispose());
			[this.#first, this.#second] = [null, null];
			return Promise.resolve();
		}
		this.#first ??= this.#variables(null);
		this.#second ??= this.#variables(null);
		this.#assign(this.#first, moments.first);
		this.#assign(this.#second, moments.second);
		return Promise.resolve();
	}

	#assign(set: ReadonlyMap<string, Variable>, flat: Float32Array): void {
		for (const parameter of this.#layout.parameters) {
			const value = this.#tf.tensor(viewOf(flat, parameter).slice(), [...parameter.shape]);
			set.get(parameter.name)?.assign(value);
			value.dispose();
		}
	}

	dispose(): void {
		this.clearGradient();
		for (const set of [this.#weights, this.#reference, this.#first, this.#second]) {
			set?.forEach((part) => part.dispose());
		}
		this.#models.current = null;
		this.#models.reference = null;
	}
}

/** Downloads a tensor's values and frees it. */
async function take(tensor: Tensor): Promise<Float32Array> {
	const values = await tensor.data();
	tensor.dispose();
	return Float32Array.from(values);
}
