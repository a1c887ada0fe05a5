/** What the passes of the CPU engine share: weights as tensors, compiled graphs, tables and scratch memory. */
import type { OnnxTensor as Tensor } from '../../compute/onnx-program.ts';
import { ArrayPool } from '../../compute/array-pool.ts';
import type { OnnxGraph } from '../../compute/onnx-graph.ts';
import { OnnxProgram, onnxTensor } from '../../compute/onnx-program.ts';
import type { ModelConfig } from '../model-config.ts';
import { parameterNamed, viewOf, type ParameterLayout } from '../parameters.ts';
import { rotaryTable, type RotaryTable } from '../rotary.ts';
import {
	backwardGraph,
	blockWeights,
	forwardGraph,
	savedValues,
	type BlockShape,
} from './block-graph.ts';
import { decodeGraph } from './decode-graph.ts';
import { headBackwardGraph, headForwardGraph, logitsGraph } from './head-graph.ts';

export type Tensors = Record<string, Tensor>;

/** A compiled graph with the names that it wants and gives. */
export interface Program {
	inputs: readonly string[];
	outputs: readonly string[];
	run: (inputs: Tensors, results: Tensors) => void;
}

const graphs = {
	forward: (config: ModelConfig) => forwardGraph(config, false),
	forwardPrefixed: (config: ModelConfig) => forwardGraph(config, true),
	backward: (config: ModelConfig) => backwardGraph(config, 'plain'),
	backwardPrefixed: (config: ModelConfig) => backwardGraph(config, 'prefixed'),
	backwardAsPrefix: (config: ModelConfig) => backwardGraph(config, 'as-prefix'),
	logits: logitsGraph,
	headForward: headForwardGraph,
	headBackward: headBackwardGraph,
	decode: (config: ModelConfig) => decodeGraph(config, hasLargeWeights(config)),
} satisfies Record<string, (config: ModelConfig) => OnnxGraph>;

/** Whether a layer's weights exceed what the caches hold, so that decoding streams them from memory. */
function hasLargeWeights(config: ModelConfig): boolean {
	return config.hiddenSize * config.intermediateSize > 300_000;
}

export class CpuModel {
	readonly config: ModelConfig;
	readonly layout: ParameterLayout;
	readonly outputVocabulary: number;
	readonly pool = new ArrayPool();
	readonly #programs = new Map<keyof typeof graphs, { program: Program; owner: OnnxProgram }>();
	#rotary: RotaryTable;

	constructor(config: ModelConfig, layout: ParameterLayout, outputVocabulary: number) {
		this.config = config;
		this.layout = layout;
		this.outputVocabulary = outputVocabulary;
		this.#rotary = rotaryTable(config, 256);
	}

	/** Compiled on first use. */
	program(name: keyof typeof graphs): Program {
		const known = this.#programs.get(name);
		if (known !== undefined) return known.program;
		const graph = graphs[name](this.config);
		const owner = new OnnxProgram(graph.build());
		const program: Program = {
			inputs: graph.inputs,
			outputs: graph.outputs,
			run: (inputs, results) => {
				owner.run(pick(inputs, graph.inputs), pick(results, graph.outputs));
			},
		};
		this.#programs.set(name, { program, owner });
		return program;
	}

	/** `cos`, `sin` and `negativeSin` for at least this many positions. */
	rotary(positions: number): Tensors {
		if (positions > this.#rotary.positions)
			this.#rotary = rotaryTable(this.config, Math.max(positions, 2 * this.#rotary.positions));
		const shape = [this.#rotary.positions, this.config.headDim / 2];
		return {
			cos: onnxTensor(this.#rotary.cos, shape),
			sin: onnxTensor(this.#rotary.sin, shape),
			negativeSin: onnxTensor(this.#rotary.negativeSin, shape),
		};
	}

	/** A scratch tensor; give its memory back with `release`. */
	scratch(shape: readonly number[]): Tensor {
		return onnxTensor(this.pool.take(shape.reduce((product, size) => product * size, 1)), shape);
	}

	/** Room for what a block's forward pass keeps. */
	savedTensors(shape: BlockShape): Tensors {
		const { groups, rowsPerGroup, length } = shape;
		const { heads, kvHeads, headDim } = this.config;
		const saved: Tensors = {};
		for (const [name, width] of Object.entries(savedValues(this.config))) {
			const dims =
				name === 'queries'
					? [groups, kvHeads, rowsPerGroup, (heads / kvHeads) * length, headDim]
					: name === 'keys' || name === 'values'
						? [groups, kvHeads, rowsPerGroup, length, headDim]
						: [groups * rowsPerGroup * length, width];
			saved[name] = this.scratch(dims);
		}
		return saved;
	}

	release(tensor: Tensor): void {
		this.pool.give(floats(tensor));
	}

	dispose(): void {
		for (const { owner } of this.#programs.values()) owner.dispose();
		this.#programs.clear();
		this.pool.trim();
	}
}

/** The array behind a float tensor. */
export function floats(tensor: Tensor): Float32Array {
	if (!(tensor.data instanceof Float32Array)) throw new Error(`not a float tensor: ${tensor.type}`);
	return tensor.data;
}

function pick(from: Tensors, names: readonly string[]): Tensors {
	const picked: Tensors = {};
	for (const name of names) {
		const tensor = from[name];
		if (tensor === undefined) throw new Error(`the graph wants a tensor ${name}`);
		picked[name] = tensor;
	}
	return picked;
}

/** A flat array of weights (or of their gradient) cut into the tensors that the graphs take. */
export class WeightTensors {
	readonly flat: Float32Array;
	/** Per layer, by the short names of `blockWeights`. */
	readonly layers: readonly Tensors[];
	readonly embedding: Float32Array;
	readonly norm: Tensor;
	/** Rows of the output vocabulary. */
	readonly head: Tensor;

	constructor(model: CpuModel, flat: Float32Array) {
		const { config, layout } = model;
		const tensor = (name: string): Tensor => {
			const parameter = parameterNamed(layout, name);
			return onnxTensor(viewOf(flat, parameter), parameter.shape);
		};
		const short = Object.entries(blockWeights(config));
		this.flat = flat;
		this.layers = Array.from({ length: config.layers }, (_, layer) =>
			Object.fromEntries(
				short.map(([key, name]) => [key, tensor(`model.layers.${layer}.${name}`)]),
			),
		);
		this.embedding = viewOf(flat, parameterNamed(layout, 'model.embed_tokens.weight'));
		this.norm = tensor('model.norm.weight');
		const headName = config.tieWordEmbeddings ? 'model.embed_tokens.weight' : 'lm_head.weight';
		const head = viewOf(flat, parameterNamed(layout, headName));
		this.head = onnxTensor(head.subarray(0, model.outputVocabulary * config.hiddenSize), [
			model.outputVocabulary,
			config.hiddenSize,
		]);
	}

	/** A layer's weights for the decoding graph: neighbours in the flat array are taken as one matrix. */
	fused(layer: number): Tensors {
		const own = this.layers[layer] ?? {};
		const joined = (...names: string[]): Tensor | undefined => {
			const first = own[names[0] ?? ''];
			if (first === undefined) return undefined;
			const rows = names.reduce((sum, name) => sum + (own[name]?.dims[0] ?? 0), 0);
			const rest = first.dims.slice(1);
			const start = floats(first).byteOffset / 4 - this.flat.byteOffset / 4;
			const size = rows * rest.reduce((product, dim) => product * dim, 1);
			return onnxTensor(this.flat.subarray(start, start + size), [rows, ...rest]);
		};
		const tensors: Record<string, Tensor | undefined> = {
			...own,
			qkv: joined('q', 'k', 'v'),
			qkvBias: joined('qBias', 'kBias', 'vBias'),
			gateUp: joined('gate', 'up'),
			gateUpBias: joined('gateBias', 'upBias'),
		};
		const named: Tensors = {};
		for (const [key, tensor] of Object.entries(tensors)) {
			if (tensor !== undefined) named[`${key}${layer}`] = tensor;
		}
		return named;
	}

	/** The same tensors under names with a suffix, as backward graphs take sums and give gradients. */
	named(layer: number, suffix: string): Tensors {
		return Object.fromEntries(
			Object.entries(this.layers[layer] ?? {}).map(([key, value]) => [`${key}${suffix}`, value]),
		);
	}
}
