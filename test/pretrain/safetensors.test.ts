import { expect, test } from 'vitest';
import { fromHalf } from '../../scripts/pretrain/half.ts';
import { initialWeights } from '../../scripts/pretrain/initial-weights.ts';
import { readSafetensors, writeSafetensors } from '../../scripts/pretrain/safetensors.ts';

const shape = {
	hiddenSize: 8,
	intermediateSize: 12,
	layers: 2,
	heads: 2,
	kvHeads: 1,
	maxPositions: 16,
};

test('an F32 file reads back as it was written', () => {
	const tensors = initialWeights(shape, 1);
	expect(readSafetensors(writeSafetensors(tensors, 'F32'))).toEqual(tensors);
});

test('an F16 file has an aligned header and two bytes a value', () => {
	const file = writeSafetensors(
		[{ name: 'a', shape: [2, 2], data: Float32Array.of(1, -2, 0.5, 1 / 3) }],
		'F16',
	);
	const view = new DataView(file.buffer);
	const start = 8 + Number(view.getBigUint64(0, true));
	expect(start % 8).toBe(0);
	const values = [0, 1, 2, 3].map((at) => fromHalf(view.getUint16(start + 2 * at, true)));
	expect(values.slice(0, 3)).toEqual([1, -2, 0.5]);
	expect(values[3]).toBeCloseTo(1 / 3, 3);
	expect(file.length).toBe(start + 8);
});

test('starting weights depend on the seed alone and have the deviation they should', () => {
	const weights = initialWeights(shape, 7);
	expect(initialWeights(shape, 7)).toEqual(weights);
	expect(initialWeights(shape, 8)).not.toEqual(weights);
	const embedding = weights[0]?.data ?? new Float32Array();
	const square = embedding.reduce((sum, value) => sum + value * value, 0) / embedding.length;
	expect(Math.sqrt(square)).toBeCloseTo(0.02, 3);
});
