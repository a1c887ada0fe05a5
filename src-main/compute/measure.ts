/** A measured second per device: how fast it multiplies and how fast it reads. */
import { OnnxGraph } from './onnx-graph.ts';
import { OnnxProgram, onnxTensor } from './onnx-program.ts';
import type { Tfjs } from './tensorflow.ts';

export interface Rates {
	gemmGflops: number;
	readGBs: number;
}

const measureMs = 400;
const side = 1024;
/** Large against any cache: 256 MB. */
const readElements = 64 * 1024 * 1024;

/** Best of the runs that fit the time; the best is the machine's, the rest is what else was running. */
function fastestSeconds(run: () => void): number {
	run();
	let best = Infinity;
	const end = performance.now() + measureMs;
	do {
		const start = performance.now();
		run();
		best = Math.min(best, performance.now() - start);
	} while (performance.now() < end);
	return best / 1000;
}

/** Rates of the CPU backend. */
export function measureCpu(): Rates {
	return { gemmGflops: cpuGemm(), readGBs: cpuRead() };
}

function cpuGemm(): number {
	const graph = new OnnxGraph();
	const a = graph.input('a', 'float32', ['m', 'k']);
	const b = graph.input('b', 'float32', ['k', 'n']);
	graph.op('MatMul', [a, b], {}, 'product');
	graph.declareOutput('product');
	const program = new OnnxProgram(graph.build());
	const square = () => onnxTensor(new Float32Array(side * side).fill(0.5), [side, side]);
	const [inputs, results] = [{ a: square(), b: square() }, { product: square() }];
	const seconds = fastestSeconds(() => program.run(inputs, results));
	program.dispose();
	return (2 * side ** 3) / seconds / 1e9;
}

function cpuRead(): number {
	const graph = new OnnxGraph();
	const rows = 64;
	const x = graph.input('x', 'float32', ['rows', 'columns']);
	graph.op('ReduceMax', [x, graph.integers([1])], { keepdims: 0 }, 'most');
	graph.declareOutput('most');
	const program = new OnnxProgram(graph.build());
	const inputs = {
		x: onnxTensor(new Float32Array(readElements).fill(1), [rows, readElements / rows]),
	};
	const results = { most: onnxTensor(new Float32Array(rows), [rows]) };
	const seconds = fastestSeconds(() => program.run(inputs, results));
	program.dispose();
	return (4 * readElements) / seconds / 1e9;
}

/** Rates of tfjs's present backend. A small download at the end of each run waits for the device. */
export async function measureTfjs(tf: Tfjs): Promise<Rates> {
	const matrix = tf.fill([side, side], 1 / side);
	const vector = tf.fill([readElements / 16], 1);
	// Several products per wait, so that the way to the device and back hardly counts.
	const products = 8;
	const multiply = async (): Promise<void> => {
		const most = tf.tidy(() => {
			let product = matrix;
			for (let i = 0; i < products; i++) product = tf.matMul(product, matrix);
			return tf.max(product);
		});
		await most.data();
		most.dispose();
	};
	const read = async (): Promise<void> => {
		const most = tf.tidy(() => tf.max(vector));
		await most.data();
		most.dispose();
	};
	try {
		return {
			gemmGflops: (products * 2 * side ** 3) / (await fastestAsync(multiply)) / 1e9,
			readGBs: (4 * vector.size) / (await fastestAsync(read)) / 1e9,
		};
	} finally {
		tf.dispose([matrix, vector]);
	}
}

async function fastestAsync(run: () => Promise<void>): Promise<number> {
	await run();
	let best = Infinity;
	const end = performance.now() + measureMs;
	do {
		const start = performance.now();
		await run();
		best = Math.min(best, performance.now() - start);
	} while (performance.now() < end);
	return best / 1000;
}
