import { expect, test } from 'vitest';
import { fromHalf } from '../../scripts/pretrain/half.ts';
import { initialWeights } from '../../scripts/pretrain/initial-weights.ts';
import { writeSafetensors } from '../../scripts/pretrain/safetensors.ts';

const shape = {
	hiddenSize: 8,
	intermediateSize: 12,
	layers: 2,
	heads: 2,
	kvHeads: 1,
	maxPositions: 16,
};

test('a file has an aligned header with places, and two bytes a value', () => {
	const file = writeSafetensors(
		new Map([
			['a', { shape: [2, 2], data: Float32Array.of(1, -2, 0.5, 1 / 3) }],
			['b', { shape: [1], data: Float32Array.of(7) }],
		]),
	);
	const view = new DataView(file.buffer);
	const start = 8 + Number(view.getBigUint64(0, true));
	expect(start % 8).toBe(0);
	const header: unknown = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
	expect(header).toEqual({
		__metadata__: { format: 'pt' },
		a: { dtype: 'F16', shape: [2, 2], data_offsets: [0, 8] },
		b: { dtype: 'F16', shape: [1], data_offsets: [8, 10] },
	});
	const values = [0, 1, 2, 3, 4].map((at) => fromHalf(view.getUint16(start + 2 * at, true)));
	expect(values.slice(0, 3)).toEqual([1, -2, 0.5]);
	expect(values[3]).toBeCloseTo(1 / 3, 3);
	expect(values[4]).toBe(7);
	expect(file.length).toBe(start + 10);
});

test('starting weights depend on the seed alone and have the deviation they should', () => {
	const weights = initialWeights(shape, 7);
	expect(initialWeights(shape, 7)).toEqual(weights);
	expect(initialWeights(shape, 8)).not.toEqual(weights);
	const embedding = weights.get('model.embed_tokens.weight');
	expect(embedding?.shape).toEqual([2048, 8]);
	const data = embedding?.data ?? new Float32Array();
	const square = data.reduce((sum, value) => sum + value * value, 0) / data.length;
	expect(Math.sqrt(square)).toBeCloseTo(0.02, 3);
});
