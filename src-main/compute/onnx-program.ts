/**
 * Runs the graphs of `onnx-graph.ts` on ONNX Runtime's CPU kernels, synchronously and into given arrays.
 * The public interface of onnxruntime-node costs an event-loop turn a call, so its native binding is used;
 * the version is pinned in package.json and `test/compute/onnx-program.test.ts` checks what is relied upon.
 */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type { Tensor } from 'onnxruntime-node';
import { endMark } from './onnx-graph.ts';

export type OnnxTensor = Tensor;

/** Tensors are plain typed arrays with a shape; ONNX Runtime reads and writes their memory directly. */
export type OnnxArray = Float32Array | Int32Array | BigInt64Array;

interface NativeSession {
	loadModel(
		buffer: ArrayBufferLike,
		byteOffset: number,
		byteLength: number,
		options: Record<string, unknown>,
	): void;
	run(
		feeds: Record<string, Tensor>,
		fetches: Record<string, Tensor | null>,
		options: Record<string, unknown>,
	): Record<string, Tensor>;
	dispose(): void;
}

interface NativeModule {
	binding: { InferenceSession: new () => NativeSession };
	initOrt(): void;
}

interface Runtime {
	createSession: () => NativeSession;
	Tensor: typeof Tensor;
}

let loaded: Runtime | undefined;

/** Loaded on first use: a run on a GPU has no need of it. */
function runtime(): Runtime {
	if (loaded !== undefined) return loaded;
	const require = createRequire(import.meta.url);
	const native = require('onnxruntime-node/dist/binding.js') as NativeModule;
	const api = require('onnxruntime-node') as { Tensor: typeof Tensor };
	native.initOrt();
	loaded = {
		createSession: () => new native.binding.InferenceSession(),
		Tensor: api.Tensor,
	};
	return loaded;
}

const endMarkComplaint = /^Tensor type \(\d+\) is not supported/;

export interface ProgramOptions {
	/** Worker threads, the calling one included; by default one per core. */
	threads?: number;
	/** Let ONNX Runtime rewrite the graph; needed where constant weights shall be packed once. */
	optimize?: boolean;
}

const tensorTypes = new Map<unknown, 'float32' | 'int32' | 'int64'>([
	[Float32Array, 'float32'],
	[Int32Array, 'int32'],
	[BigInt64Array, 'int64'],
]);

/** A tensor over the array's own memory; nothing is copied. */
export function onnxTensor(data: OnnxArray, shape: readonly number[]): Tensor {
	const type = tensorTypes.get(data.constructor);
	return new (runtime().Tensor)(type ?? 'float32', data as Float32Array, shape);
}

/** One compiled graph. Owned by whoever made it; `dispose` frees its memory. */
export class OnnxProgram {
	readonly #session: NativeSession;

	/** Throws Error with ONNX Runtime's text on a graph it cannot run. */
	constructor(model: Uint8Array, options: ProgramOptions = {}) {
		this.#session = runtime().createSession();
		this.#session.loadModel(model.buffer, model.byteOffset, model.byteLength, {
			intraOpNumThreads: options.threads ?? availableParallelism(),
			interOpNumThreads: 1,
			executionMode: 'sequential',
			graphOptimizationLevel: options.optimize === true ? 'all' : 'basic',
			enableCpuMemArena: true,
			enableMemPattern: false,
			// A pool that spins keeps the cores from the pools of the other programs.
			extra: { session: { intra_op: { allow_spinning: '0' } } },
		});
	}

	/**
	 * Runs the graph and writes its results into the given tensors. Inputs and results may share memory where
	 * the operation allows it.
	 *
	 * After a run the native binding copies every result into a new array, given tensors included: for
	 * activations, caches and gradients that costs more than the arithmetic. It does so one after the other and
	 * gives up at a type that JavaScript does not have, so every graph's first result is such a one, and the
	 * complaint about it is the sign that the run itself has ended well.
	 */
	run(inputs: Record<string, Tensor>, results: Record<string, Tensor>): void {
		try {
			this.#session.run(inputs, { [endMark]: null, ...results }, {});
		} catch (error) {
			if (error instanceof Error && endMarkComplaint.test(error.message)) return;
			throw error;
		}
	}

	dispose(): void {
		this.#session.dispose();
	}
}
