/**
 * What this machine can do at most, measured by the process that is held against it, in turn with the work:
 * a neighbour who takes half a core then halves both.
 */
import { availableParallelism } from 'node:os';
import { OnnxGraph } from '../src-main/compute/onnx-graph.ts';
import { OnnxProgram, onnxTensor, type OnnxTensor } from '../src-main/compute/onnx-program.ts';

const side = 1024;
/** 256 MB, large against any cache. */
const readElements = 64 * 1024 * 1024;

interface Prepared {
	program: OnnxProgram;
	inputs: Record<string, OnnxTensor>;
	results: Record<string, OnnxTensor>;
}

export class Limits {
	readonly #gemm = preparedGemm();
	readonly #read = preparedRead();

	/** Floating point operations a second of a large matrix product, all cores. */
	gemm(forMs = 150): number {
		return 2 * side ** 3 * runsPerSecond(this.#gemm, forMs);
	}

	/** Bytes a second read from memory, all cores. */
	read(forMs = 150): number {
		return 4 * readElements * runsPerSecond(this.#read, forMs);
	}

	dispose(): void {
		this.#gemm.program.dispose();
		this.#read.program.dispose();
	}
}

function runsPerSecond({ program, inputs, results }: Prepared, forMs: number): number {
	const start = performance.now();
	let count = 0;
	do {
		program.run(inputs, results);
		count++;
	} while (performance.now() - start < forMs);
	return (count * 1000) / (performance.now() - start);
}

function preparedGemm(): Prepared {
	const graph = new OnnxGraph();
	const a = graph.input('a', 'float32', ['m', 'k']);
	const b = graph.input('b', 'float32', ['n', 'k']);
	graph.op('FusedMatMul', [a, b], { transB: 1 }, 'product');
	graph.declareOutput('product');
	const square = (): OnnxTensor =>
		onnxTensor(new Float32Array(side * side).fill(1 / side), [side, side]);
	return warm(graph, { a: square(), b: square() }, { product: square() });
}

/** The largest of each core's part: one comparison a number, so that only the memory can be slow. */
function preparedRead(): Prepared {
	const graph = new OnnxGraph();
	const rows = availableParallelism();
	const columns = Math.floor(readElements / rows);
	const x = graph.input('x', 'float32', ['rows', 'columns']);
	graph.op('ReduceMax', [x, graph.integers([1])], { keepdims: 0 }, 'most');
	graph.declareOutput('most');
	const numbers = onnxTensor(new Float32Array(rows * columns).fill(1), [rows, columns]);
	return warm(graph, { x: numbers }, { most: onnxTensor(new Float32Array(rows), [rows]) });
}

function warm(
	graph: OnnxGraph,
	inputs: Record<string, OnnxTensor>,
	results: Record<string, OnnxTensor>,
): Prepared {
	const program = new OnnxProgram(graph.build());
	program.run(inputs, results);
	return { program, inputs, results };
}
