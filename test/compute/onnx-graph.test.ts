/**
 * Every operation that the CPU engine's graphs are made of, against tfjs's own, over random shapes with
 * broadcasting, sizes of 1 and no elements at all. Gradients are graphs of the same operations, and are compared whole in
 * test/policy/engines.test.ts.
 */
import type { Tensor } from '@tensorflow/tfjs';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTfjs } from '../../src-main/compute/index.ts';
import { OnnxGraph, type Value } from '../../src-main/compute/onnx-graph.ts';
import { OnnxProgram, onnxTensor, type OnnxTensor } from '../../src-main/compute/onnx-program.ts';
import { Random } from '../../src-main/contract/random.ts';

const tf = loadTfjs();
beforeAll(async () => {
	await tf.setBackend('cpu');
});

interface Case {
	/** Shapes of the inputs. */
	shapes: number[][];
	/** Names of the results, from the names of the inputs. */
	build: (graph: OnnxGraph, inputs: Value[]) => Value[];
	expected: (input: (at: number) => Tensor) => Tensor[];
	/** Integer inputs after the others. */
	more?: Record<string, OnnxTensor>;
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** Runs the graph and tfjs on the same random numbers. */
function compare(random: Random, one: Case): void {
	const graph = new OnnxGraph();
	const data = one.shapes.map((shape) =>
		Float32Array.from({ length: sizeOf(shape) }, () => random.normal()),
	);
	const names = one.shapes.map((shape, at) =>
		graph.input(
			`input${at}`,
			'float32',
			shape.map((_, axis) => `d${at}_${axis}`),
		),
	);
	for (const [name, tensor] of Object.entries(one.more ?? {}))
		graph.input(
			name,
			tensor.type === 'int64' ? 'int64' : 'float32',
			tensor.dims.map((_, axis) => `${name}${axis}`),
		);
	const outputs = one.build(graph, names);
	for (const output of outputs) graph.declareOutput(output);
	const expected = one.expected((at) =>
		tf.tensor(data[at] ?? new Float32Array(0), one.shapes[at] ?? [], 'float32'),
	);
	const results: Record<string, OnnxTensor> = {};
	for (const [at, name] of outputs.entries()) {
		const shape = expected[at]?.shape ?? [];
		results[name] = onnxTensor(new Float32Array(sizeOf(shape)).fill(NaN), shape);
	}
	const inputs = Object.fromEntries(
		names.map((name, at) => [
			name,
			onnxTensor(data[at] ?? new Float32Array(0), one.shapes[at] ?? []),
		]),
	);
	const program = new OnnxProgram(graph.build());
	program.run({ ...inputs, ...one.more }, results);
	program.dispose();
	for (const [at, name] of outputs.entries()) {
		const given = results[name]?.data as Float32Array;
		for (const [i, value] of (expected[at]?.dataSync() ?? []).entries())
			expect(Math.abs((given[i] ?? NaN) - value)).toBeLessThan(1e-5 * Math.max(1, Math.abs(value)));
	}
}

const rounds = Array.from({ length: 25 }, (_, seed) => seed);
const size = (random: Random): number => [0, 1, 1, 2, 3, 5][random.integer(6)] ?? 1;
const full = (random: Random): number => 1 + random.integer(5);

/** Two shapes that can be broadcast together. */
function broadcastable(random: Random): [number[], number[]] {
	const shape = Array.from({ length: 1 + random.integer(4) }, () => size(random));
	const other = shape.map((dim) => (random.integer(2) === 0 ? 1 : dim)).slice(random.integer(2));
	const first = shape.map((dim) => (random.integer(3) === 0 ? 1 : dim));
	return random.integer(2) === 0 ? [first, other] : [other, first];
}

describe.each([
	['Add', (a: Tensor, b: Tensor) => tf.add(a, b)],
	['Sub', (a: Tensor, b: Tensor) => tf.sub(a, b)],
	['Mul', (a: Tensor, b: Tensor) => tf.mul(a, b)],
] as const)('%s', (type, ours) => {
	test('with broadcasting', () => {
		for (const seed of rounds) {
			const random = Random.from(seed, type);
			compare(random, {
				shapes: broadcastable(random),
				build: (graph, inputs) => [graph.op(type, inputs)],
				expected: (input) => [ours(input(0), input(1))],
			});
		}
	});
});

describe.each([
	['Sigmoid', {}, (x: Tensor) => tf.sigmoid(x)],
	['QuickGelu', { alpha: { float: 1 } }, (x: Tensor) => tf.mul(x, tf.sigmoid(x))],
	['Softmax', { axis: -1 }, (x: Tensor) => tf.softmax(x, -1)],
	['LogSoftmax', { axis: -1 }, (x: Tensor) => tf.logSoftmax(x, -1)],
] as const)('%s', (type, attributes, ours) => {
	test('over random shapes', () => {
		for (const seed of rounds) {
			const random = Random.from(seed, type);
			// tfjs's own softmax fails on no columns; rows may be none.
			const shape = [
				...Array.from({ length: random.integer(3) }, () => size(random)),
				full(random),
			];
			compare(random, {
				shapes: [shape],
				build: (graph, inputs) => [graph.op(type, inputs, attributes)],
				expected: (input) => [ours(input(0))],
			});
		}
	});
});

test.each([
	['ReduceSum', (x: Tensor, axis: number, keep: boolean) => tf.sum(x, axis, keep)],
	['ReduceMean', (x: Tensor, axis: number, keep: boolean) => tf.mean(x, axis, keep)],
	['ReduceMax', (x: Tensor, axis: number, keep: boolean) => tf.max(x, axis, keep)],
] as const)('%s over the first and the last axis', (type, ours) => {
	for (const seed of rounds) {
		const random = Random.from(seed, type);
		const axis = random.integer(2) === 0 ? 0 : -1;
		const keep = random.integer(2) === 0;
		compare(random, {
			shapes: [Array.from({ length: 1 + random.integer(3) }, () => full(random))],
			build: (graph, [x = '']) => [
				graph.op(type, [x, graph.integers([axis])], { keepdims: keep ? 1 : 0 }),
			],
			expected: (input) => [ours(input(0), axis, keep)],
		});
	}
});

describe('matrix products', () => {
	test.each([
		[false, false],
		[false, true],
		[true, false],
		[true, true],
	])('in batches, turned %s and %s, scaled', (transA, transB) => {
		for (const seed of rounds) {
			const random = Random.from(seed, 'FusedMatMul');
			const batch = Array.from({ length: random.integer(3) }, () => full(random));
			const [m, k, n] = [full(random), full(random), full(random)];
			compare(random, {
				shapes: [
					[...batch, ...(transA ? [k, m] : [m, k])],
					[...batch, ...(transB ? [n, k] : [k, n])],
				],
				build: (graph, inputs) => [
					graph.op('FusedMatMul', inputs, {
						transA: transA ? 1 : 0,
						transB: transB ? 1 : 0,
						alpha: { float: 0.5 },
					}),
				],
				expected: (input) => [tf.mul(tf.matMul(input(0), input(1), transA, transB), 0.5)],
			});
		}
	});

	test('of no rows, and added to a bias or a sum', () => {
		for (const seed of rounds) {
			const random = Random.from(seed, 'Gemm');
			const [m, k, n] = [size(random), full(random), full(random)];
			const wide = random.integer(2) === 0;
			compare(random, {
				shapes: [[m, k], [n, k], wide ? [m, n] : [n]],
				build: (graph, inputs) => [graph.op('Gemm', inputs, { transB: 1 })],
				expected: (input) => [tf.add(tf.matMul(input(0), input(1), false, true), input(2))],
			});
		}
	});
});

test('Concat and Split on the last axis', () => {
	for (const seed of rounds) {
		const random = Random.from(seed, 'Concat');
		const rows = size(random);
		const [left, right] = [full(random), full(random)];
		compare(random, {
			shapes: [
				[rows, left],
				[rows, right],
			],
			build: (graph, [a = '', b = '']) => {
				const whole = graph.op('Concat', [b, a], { axis: -1 });
				return [whole, ...graph.split(whole, [right, left])];
			},
			expected: (input) => [tf.concat([input(1), input(0)], -1), input(1), input(0)],
		});
	}
});

test('Transpose and Reshape', () => {
	for (const seed of rounds) {
		const random = Random.from(seed, 'Transpose');
		const shape = Array.from({ length: 5 }, () => full(random));
		const order = random.shuffled([0, 1, 2, 3, 4]);
		compare(random, {
			shapes: [shape],
			build: (graph, [x = '']) => {
				const turned = graph.transpose(x, order);
				return [turned, graph.reshape(turned, [-1, shape[order[4] ?? 0] ?? 1])];
			},
			expected: (input) => {
				const turned = tf.transpose(input(0), order);
				return [turned, tf.reshape(turned, [-1, turned.shape[4] ?? 1])];
			},
		});
	}
});

test('GatherElements picks one of each row', () => {
	for (const seed of rounds) {
		const random = Random.from(seed, 'GatherElements');
		const [rows, columns] = [full(random), full(random)];
		const picked = Array.from({ length: rows }, () => random.integer(columns));
		compare(random, {
			shapes: [[rows, columns]],
			more: { picked: onnxTensor(BigInt64Array.from(picked, BigInt), [rows, 1]) },
			build: (graph, [x = '']) => [graph.op('GatherElements', [x, 'picked'], { axis: 1 })],
			expected: (input) => [tf.gather(input(0), tf.tensor2d(picked, [rows, 1], 'int32'), 1, 1)],
		});
	}
});

describe('RMSNorm', () => {
	const epsilon = { float: 1e-5 };
	const norm = (x: Tensor, weight: Tensor): Tensor[] => {
		const scale = tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), 1e-5));
		return [tf.mul(tf.mul(x, scale), weight), scale];
	};

	test('with the reciprocal root mean square', () => {
		for (const seed of rounds) {
			const random = Random.from(seed, 'norm');
			const [rows, width] = [size(random), full(random)];
			compare(random, {
				shapes: [[rows, width], [width]],
				build: (graph, inputs) => {
					const names = graph.names('norm', 2);
					graph.apply('SimplifiedLayerNormalization', inputs, names, { axis: -1, epsilon });
					return names;
				},
				expected: (input) => norm(input(0), input(1)),
			});
		}
	});

	test('of a sum, which is a result as well', () => {
		for (const seed of rounds) {
			const random = Random.from(seed, 'skip');
			const [rows, width] = [full(random), full(random)];
			compare(random, {
				shapes: [[rows, width], [rows, width], [width]],
				build: (graph, inputs) => {
					const [normed = '', total = ''] = graph.names('norm', 2);
					graph.apply('SkipSimplifiedLayerNormalization', inputs, [normed, '', '', total], {
						epsilon,
					});
					return [normed, total];
				},
				expected: (input) => {
					const total = tf.add(input(0), input(1));
					return [norm(total, input(2))[0] ?? total, total];
				},
			});
		}
	});
});
