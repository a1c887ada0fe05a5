/** Forward and backward pass of the CPU engine over one batch. */
import type { OnnxTensor as Tensor } from '../../compute/onnx-program.ts';
import { onnxTensor } from '../../compute/onnx-program.ts';
import type { TokenBatch } from '../engine.ts';
import type { BlockShape } from './block-graph.ts';
import { floats, type CpuModel, type Tensors, type WeightTensors } from './cpu-model.ts';
import { embed, embedBackward, layoutTensors, rowShape } from './layout.ts';

/** Largest piece of `[rows, vocabulary]` that is held at once, in elements. */
const headElements = 8_000_000;

/** One stream of rows (the completions, or the prefixes) on its way through the blocks. */
class Stream {
	readonly model: CpuModel;
	readonly weights: WeightTensors;
	readonly ids: Int32Array;
	readonly shape: BlockShape;
	readonly layout: Tensors;
	readonly keep: boolean;
	/** What enters each block; the last is what leaves the model. */
	readonly inputs: Tensor[] = [];
	readonly saved: Tensors[] = [];

	constructor(
		model: CpuModel,
		weights: WeightTensors,
		ids: Int32Array,
		shape: BlockShape,
		prefixLengths: Int32Array | null,
		keep: boolean,
	) {
		this.model = model;
		this.weights = weights;
		this.ids = ids;
		this.shape = shape;
		this.keep = keep;
		this.layout = layoutTensors(model, shape, prefixLengths);
		const { hiddenSize } = model.config;
		const x = model.scratch([ids.length, hiddenSize]);
		embed(ids, weights.embedding, hiddenSize, floats(x));
		this.inputs.push(x);
	}

	get x(): Tensor {
		const last = this.inputs.at(-1);
		if (last === undefined) throw new Error('the stream has been released');
		return last;
	}

	/** Runs a block; its keys and values are among the returned tensors until the next block (always, if kept). */
	forward(layer: number, prefix: Tensors | null): Tensors {
		const { model } = this;
		const y = model.scratch([this.ids.length, model.config.hiddenSize]);
		const before = this.saved.at(-1);
		const saved = !this.keep && before !== undefined ? before : this.model.savedTensors(this.shape);
		model
			.program(prefix === null ? 'forward' : 'forwardPrefixed')
			.run(
				{ ...this.layout, ...this.weights.layers[layer], x: this.x, ...prefixInputs(prefix) },
				{ ...saved, y },
			);
		if (this.keep) {
			this.saved.push(saved);
		} else {
			this.saved[0] = saved;
			model.release(this.x);
			this.inputs.pop();
		}
		this.inputs.push(y);
		return saved;
	}

	/** Takes the gradient of a block's result, adds to its weights' gradients, gives that of its input. */
	backward(
		layer: number,
		dy: Tensor,
		gradient: WeightTensors,
		prefix: Tensors | null,
		external: Tensors | null,
	): { dx: Tensor; prefixGradients: Tensors } {
		const { model } = this;
		const x = this.inputs[layer];
		const saved = this.saved[layer];
		if (x === undefined || saved === undefined) throw new Error('the block was not kept');
		const dx = model.scratch([this.ids.length, model.config.hiddenSize]);
		const prefixGradients: Tensors =
			prefix === null
				? {}
				: {
						dPrefixKeys: model.scratch(prefixDims(prefix)),
						dPrefixValues: model.scratch(prefixDims(prefix)),
					};
		const kind =
			prefix !== null ? 'backwardPrefixed' : external !== null ? 'backwardAsPrefix' : 'backward';
		model.program(kind).run(
			{
				...this.layout,
				...this.weights.layers[layer],
				...gradient.named(layer, 'Sum'),
				...saved,
				...prefixInputs(prefix),
				...external,
				x,
				dy,
			},
			{ ...gradient.named(layer, 'Gradient'), ...prefixGradients, dx },
		);
		model.release(dy);
		return { dx, prefixGradients };
	}

	/** Frees what a block kept, after its backward pass (or none). */
	release(): void {
		for (const saved of this.saved) Object.values(saved).forEach((t) => this.model.release(t));
		for (const x of this.inputs) this.model.release(x);
		this.saved.length = 0;
		this.inputs.length = 0;
	}
}

function prefixDims(prefix: Tensors): readonly number[] {
	return prefixInputs(prefix)['prefixKeys']?.dims ?? [];
}

/** Keys and values of a prefix stream (G = 1) as the blocks of its rows take them. */
function prefixInputs(saved: Tensors | null): Tensors {
	const keys = saved?.['keys'];
	const values = saved?.['values'];
	if (keys === undefined || values === undefined) return {};
	const [groups = 0, heads = 0, , length = 0, size = 0] = keys.dims;
	const dims = [groups, heads, length, size];
	return {
		prefixKeys: onnxTensor(floats(keys), dims),
		prefixValues: onnxTensor(floats(values), dims),
	};
}

/**
 * Log-probability of each target. With coefficients, adds the gradient of Σ coefficient · log-probability
 * to `gradient`.
 */
export function scoreBatch(
	model: CpuModel,
	weights: WeightTensors,
	batch: TokenBatch,
	training: { coefficients: Float32Array; gradient: WeightTensors } | null,
): Float32Array {
	const { layers } = model.config;
	const keep = training !== null;
	const shape = rowShape(batch);
	const prefixLengths = batch.prefix?.lengths ?? null;
	const rows = new Stream(model, weights, batch.ids, shape, prefixLengths, keep);
	const prefix =
		batch.prefix === null
			? null
			: new Stream(
					model,
					weights,
					batch.prefix.ids,
					{ groups: batch.groups, rowsPerGroup: 1, length: batch.prefix.length, prefixLength: 0 },
					null,
					keep,
				);
	for (let layer = 0; layer < layers; layer++) {
		rows.forward(layer, prefix?.forward(layer, null) ?? null);
	}
	const dLast = training === null ? null : model.scratch([...rows.x.dims]);
	const logProbs = scoreRows(model, weights, batch, rows.x, training, dLast);
	if (training !== null && dLast !== null) {
		backward(model, rows, prefix, training.gradient, dLast);
	}
	rows.release();
	prefix?.release();
	return logProbs;
}

function backward(
	model: CpuModel,
	rows: Stream,
	prefix: Stream | null,
	gradient: WeightTensors,
	dLast: Tensor,
): void {
	const { layers, hiddenSize } = model.config;
	let dRows = dLast;
	let dPrefix = prefix === null ? null : model.scratch([...prefix.x.dims]);
	if (dPrefix !== null) floats(dPrefix).fill(0);
	for (let layer = layers - 1; layer >= 0; layer--) {
		const step = rows.backward(layer, dRows, gradient, prefix?.saved[layer] ?? null, null);
		dRows = step.dx;
		if (prefix === null || dPrefix === null) continue;
		const external = Object.fromEntries(
			Object.entries(step.prefixGradients).map(([name, t]) => {
				const [groups = 0, heads = 0, length = 0, size = 0] = t.dims;
				return [name, onnxTensor(floats(t), [groups, heads, 1, length, size])];
			}),
		);
		dPrefix = prefix.backward(layer, dPrefix, gradient, null, external).dx;
		Object.values(step.prefixGradients).forEach((t) => model.release(t));
	}
	embedBackward(rows.ids, gradient.embedding, hiddenSize, floats(dRows));
	model.release(dRows);
	if (prefix === null || dPrefix === null) return;
	embedBackward(prefix.ids, gradient.embedding, hiddenSize, floats(dPrefix));
	model.release(dPrefix);
}

/** The head over the scored positions only, in pieces; fills `dLast` (zero elsewhere) when training. */
function scoreRows(
	model: CpuModel,
	weights: WeightTensors,
	batch: TokenBatch,
	x: Tensor,
	training: { coefficients: Float32Array; gradient: WeightTensors } | null,
	dLast: Tensor | null,
): Float32Array {
	const { hiddenSize } = model.config;
	const vocabulary = model.outputVocabulary;
	const all = floats(x);
	const dAll = dLast === null ? null : floats(dLast);
	dAll?.fill(0);
	const logProbs = new Float32Array(batch.scored.length);
	const piece = Math.max(1, Math.floor(headElements / vocabulary));
	for (let start = 0; start < batch.scored.length; start += piece) {
		const positions = batch.scored.subarray(start, start + piece);
		const targets = batch.targets.subarray(start, start + piece);
		const count = positions.length;
		const chosen = model.scratch([count, hiddenSize]);
		for (let i = 0; i < count; i++) {
			const at = (positions[i] ?? 0) * hiddenSize;
			floats(chosen).set(all.subarray(at, at + hiddenSize), i * hiddenSize);
		}
		const column = (): Tensor => model.scratch([count, 1]);
		const results: Tensors = {
			probabilities: model.scratch([count, vocabulary]),
			targetLogit: column(),
			topLogit: column(),
			topProbability: column(),
			normed: model.scratch([count, hiddenSize]),
			scale: column(),
		};
		const head = { x: chosen, norm: weights.norm, head: weights.head };
		model
			.program('headForward')
			.run(
				{ ...head, targets: onnxTensor(BigInt64Array.from(targets, BigInt), [count, 1]) },
				results,
			);
		const read = (name: string): Float32Array => floats(results[name] ?? chosen);
		const [target, top, share] = [read('targetLogit'), read('topLogit'), read('topProbability')];
		for (let i = 0; i < count; i++) {
			logProbs[start + i] = (target[i] ?? 0) - (top[i] ?? 0) + Math.log(share[i] ?? 0);
		}
		if (training !== null && dAll !== null) {
			const errors = read('probabilities');
			const negated = column();
			for (let i = 0; i < count; i++) {
				const at = i * vocabulary + (targets[i] ?? 0);
				errors[at] = (errors[at] ?? 0) - 1;
				floats(negated)[i] = -(training.coefficients[start + i] ?? 0);
			}
			const dx = model.scratch([count, hiddenSize]);
			const { gradient } = training;
			model.program('headBackward').run(
				{
					...results,
					...head,
					errors: onnxTensor(errors, [count, vocabulary]),
					negated,
					headSum: gradient.head,
					normSum: gradient.norm,
				},
				{ dx, headGradient: gradient.head, normGradient: gradient.norm },
			);
			for (let i = 0; i < count; i++) {
				dAll.set(
					floats(dx).subarray(i * hiddenSize, (i + 1) * hiddenSize),
					(positions[i] ?? 0) * hiddenSize,
				);
			}
			model.release(dx);
			model.release(negated);
		}
		model.release(chosen);
		Object.values(results).forEach((t) => model.release(t));
	}
	return logProbs;
}

/** Forward over right-padded prompts; `visit` sees every layer's keys and values. Gives the last block's result. */
export function prefill(
	model: CpuModel,
	weights: WeightTensors,
	ids: Int32Array,
	rows: number,
	visit: (layer: number, keys: Float32Array, values: Float32Array) => void,
	read: (x: Float32Array) => void,
): void {
	const shape = { groups: rows, rowsPerGroup: 1, length: ids.length / rows, prefixLength: 0 };
	const stream = new Stream(model, weights, ids, shape, null, false);
	for (let layer = 0; layer < model.config.layers; layer++) {
		const { keys, values } = stream.forward(layer, null);
		if (keys !== undefined && values !== undefined) visit(layer, floats(keys), floats(values));
	}
	read(floats(stream.x));
	stream.release();
}
