/** How the rows of a batch lie, as the tensors that the block graphs take. */
import { onnxTensor } from '../../compute/onnx-program.ts';
import type { TokenBatch } from '../engine.ts';
import { layoutShapes, type BlockShape } from './block-graph.ts';
import type { CpuModel, Tensors } from './cpu-model.ts';

/** Shapes, positions, rotary tables and masks for rows that begin at the given position per group. */
export function layoutTensors(
	model: CpuModel,
	shape: BlockShape,
	prefixLengths: Int32Array | null,
): Tensors {
	const { groups, rowsPerGroup, length, prefixLength } = shape;
	const tensors: Tensors = {};
	for (const [name, sizes] of Object.entries(layoutShapes(model.config, shape))) {
		tensors[`${name}Shape`] = onnxTensor(BigInt64Array.from(sizes, BigInt), [sizes.length]);
	}
	const rows = groups * rowsPerGroup;
	const positions = new BigInt64Array(rows * length);
	for (let row = 0; row < rows; row++) {
		const start = prefixLengths?.[Math.floor(row / rowsPerGroup)] ?? 0;
		for (let t = 0; t < length; t++) positions[row * length + t] = BigInt(start + t);
	}
	tensors['positions'] = onnxTensor(positions, [rows, length]);
	tensors['mask'] = onnxTensor(causalMask(length), [length, length]);
	if (prefixLengths !== null) {
		const mask = new Float32Array(groups * prefixLength);
		for (let group = 0; group < groups; group++) {
			mask.fill(
				hidden,
				group * prefixLength + (prefixLengths[group] ?? 0),
				(group + 1) * prefixLength,
			);
		}
		tensors['prefixMask'] = onnxTensor(mask, [groups, 1, 1, 1, 1, prefixLength]);
	}
	return { ...tensors, ...model.rotary(prefixLength + length) };
}

/** Finite, so that no mask can make NaN; its exponential is zero beside any real score. */
export const hidden = -1e30;

function causalMask(length: number): Float32Array {
	const mask = new Float32Array(length * length);
	for (let query = 0; query < length; query++) {
		mask.fill(hidden, query * length + query + 1, (query + 1) * length);
	}
	return mask;
}

export function rowShape(batch: TokenBatch): BlockShape {
	return {
		groups: batch.groups,
		rowsPerGroup: batch.rowsPerGroup,
		length: batch.length,
		prefixLength: batch.prefix?.length ?? 0,
	};
}

/** Copies embedding rows: `[ids.length, hidden]`. Ids are checked by the caller. */
export function embed(
	ids: ArrayLike<number>,
	embedding: Float32Array,
	hiddenSize: number,
	into: Float32Array,
): void {
	for (let i = 0; i < ids.length; i++) {
		const at = (ids[i] ?? 0) * hiddenSize;
		into.set(embedding.subarray(at, at + hiddenSize), i * hiddenSize);
	}
}

/** Adds the gradient of embedding rows to the embedding's. */
export function embedBackward(
	ids: ArrayLike<number>,
	gradient: Float32Array,
	hiddenSize: number,
	rows: Float32Array,
): void {
	for (let i = 0; i < ids.length; i++) {
		const to = (ids[i] ?? 0) * hiddenSize;
		const from = i * hiddenSize;
		for (let j = 0; j < hiddenSize; j++)
			gradient[to + j] = (gradient[to + j] ?? 0) + (rows[from + j] ?? 0);
	}
}
