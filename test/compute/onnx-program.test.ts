/** What the engines rely upon of onnxruntime-node's native binding, whose version is pinned. */
import { expect, test } from 'vitest';
import { OnnxGraph } from '../../src-main/compute/onnx-graph.ts';
import { OnnxProgram, onnxTensor } from '../../src-main/compute/onnx-program.ts';

function program(build: (graph: OnnxGraph) => void): OnnxProgram {
	const graph = new OnnxGraph();
	build(graph);
	return new OnnxProgram(graph.build());
}

const addition = (): OnnxProgram =>
	program((graph) => {
		const a = graph.input('a', 'float32', ['n']);
		const b = graph.input('b', 'float32', ['n']);
		graph.op('Add', [a, b], {}, 'sum');
		graph.declareOutput('sum');
	});
const vector = (...values: number[]) => onnxTensor(Float32Array.from(values), [values.length]);

test('results are written into the given arrays, and sizes may change from run to run', () => {
	const add = addition();
	for (const size of [3, 1, 5, 0]) {
		const sum = new Float32Array(size);
		const ones = onnxTensor(new Float32Array(size).fill(1), [size]);
		add.run({ a: ones, b: ones }, { sum: onnxTensor(sum, [size]) });
		expect([...sum]).toEqual(Array.from({ length: size }, () => 2));
	}
	add.dispose();
});

test('views into a larger array are read and written in their place', () => {
	const add = addition();
	const memory = Float32Array.of(9, 1, 2, 9, 0, 0, 9);
	add.run(
		{ a: onnxTensor(memory.subarray(1, 3), [2]), b: vector(10, 20) },
		{ sum: onnxTensor(memory.subarray(4, 6), [2]) },
	);
	expect([...memory]).toEqual([9, 1, 2, 9, 11, 22, 9]);
	add.dispose();
});

test('an input may be written over, as gradients are summed', () => {
	const add = addition();
	const sum = vector(1, 2, 3);
	for (let i = 0; i < 3; i++) add.run({ a: sum, b: vector(1, 1, 1) }, { sum });
	expect([...sum.data]).toEqual([4, 5, 6]);
	add.dispose();
});

test('a matrix product may add to its own result', () => {
	const gemm = program((graph) => {
		const a = graph.input('a', 'float32', ['n', 'm']);
		const b = graph.input('b', 'float32', ['n', 'k']);
		const sum = graph.input('sum', 'float32', ['m', 'k']);
		graph.op('Gemm', [a, b, sum], { transA: 1 }, 'gradient');
		graph.declareOutput('gradient');
	});
	const total = onnxTensor(Float32Array.of(1, 1, 1, 1), [2, 2]);
	const a = onnxTensor(Float32Array.of(1, 2, 3, 4), [2, 2]);
	const b = onnxTensor(Float32Array.of(5, 6, 7, 8), [2, 2]);
	for (let i = 0; i < 2; i++) gemm.run({ a, b, sum: total }, { gradient: total });
	expect([...total.data]).toEqual([1 + 2 * 26, 1 + 2 * 30, 1 + 2 * 38, 1 + 2 * 44]);
	gemm.dispose();
});

test('results are not copied out of ONNX Runtime', () => {
	// The last copy, of 4 MB, would still be held outside the heap.
	const size = 1_000_000;
	const add = addition();
	const [a, sum] = [new Float32Array(size), new Float32Array(size)];
	const tensors = { a: onnxTensor(a, [size]), b: onnxTensor(a, [size]) };
	const results = { sum: onnxTensor(sum, [size]) };
	add.run(tensors, results);
	const before = process.memoryUsage().arrayBuffers;
	for (let i = 0; i < 50; i++) add.run(tensors, results);
	expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(size);
	add.dispose();
});

test('shapes that do not fit are an error, and nothing is taken for success', () => {
	const add = addition();
	expect(() =>
		add.run({ a: vector(1, 2), b: vector(1, 2, 3) }, { sum: vector(0, 0, 0) }),
	).toThrow();
	expect(() => add.run({ a: vector(1, 2), b: vector(1, 2) }, { sum: vector(0) })).toThrow();
	expect(() => add.run({ a: vector(1, 2) }, { sum: vector(0, 0) })).toThrow();
	add.dispose();
});

test('a graph that cannot be run says why', () => {
	expect(() =>
		program((graph) => {
			const a = graph.input('a', 'float32', ['n']);
			graph.op('NoSuchOperation', [a], {}, 'b');
			graph.declareOutput('b');
		}),
	).toThrow(/NoSuchOperation/u);
});
