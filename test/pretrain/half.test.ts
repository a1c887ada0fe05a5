import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromHalf, toHalf } from '../../scripts/pretrain/half.ts';

test('every half survives the way to a number and back', () => {
	for (let bits = 0; bits < 0x10000; bits++) {
		const value = fromHalf(bits);
		if (Number.isNaN(value)) expect(Number.isNaN(fromHalf(toHalf(value)))).toBe(true);
		else if (toHalf(value) !== bits) expect.fail(`${bits} became ${toHalf(value)}`);
	}
});

test('a number becomes the nearest half, and the even one of two equally near', () => {
	fc.assert(
		fc.property(fc.float({ noNaN: true, min: -65504, max: 65504 }), (value) => {
			const bits = toHalf(value);
			const distance = Math.abs(fromHalf(bits) - value);
			for (const neighbour of [bits - 1, bits + 1]) {
				const other = Math.abs(fromHalf(neighbour & 0xffff) - value);
				if (Number.isNaN(other) || fromHalf(neighbour & 0xffff) * value < 0) continue;
				expect(distance).toBeLessThanOrEqual(other);
				if (distance === other && distance > 0) expect(bits % 2).toBe(0);
			}
		}),
		{ numRuns: 2000 },
	);
	expect(toHalf(65520)).toBe(0x7c00);
	expect(toHalf(65519)).toBe(0x7bff);
	expect(toHalf(-Infinity)).toBe(0xfc00);
});
