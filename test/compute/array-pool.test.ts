import { expect, test } from 'vitest';
import { ArrayPool } from '../../src-main/compute/array-pool.ts';

test('arrays have the wanted size, and are used again for like sizes', () => {
	const pool = new ArrayPool();
	const first = pool.take(1000);
	expect(first).toHaveLength(1000);
	const { buffer } = first;
	pool.give(first);
	const { bytes } = pool;
	const second = pool.take(990);
	expect(second).toHaveLength(990);
	expect(second.buffer).toBe(buffer);
	expect(pool.bytes).toBe(bytes);
});

test('arrays in use are never handed out twice', () => {
	const pool = new ArrayPool();
	const taken = Array.from({ length: 5 }, () => pool.take(64));
	expect(new Set(taken.map(({ buffer }) => buffer)).size).toBe(5);
	for (const array of taken) pool.give(array);
	const again = Array.from({ length: 5 }, () => pool.take(64));
	expect(new Set(again.map(({ buffer }) => buffer)).size).toBe(5);
});

test.each([0, 1, 255, 256, 257, 4095, 4096, 5000, 1_000_001])(
	'size %d wastes little: at most an eighth, or 256 elements',
	(size) => {
		const pool = new ArrayPool();
		expect(pool.take(size)).toHaveLength(size);
		expect(pool.bytes / 4 - size).toBeLessThanOrEqual(Math.max(256, size / 8));
	},
);

test('what does not come from the pool, or comes back twice, is refused', () => {
	const pool = new ArrayPool();
	expect(() => pool.give(new Float32Array(4))).toThrow('does not come from this pool');
	const array = pool.take(4);
	pool.give(array);
	expect(() => pool.give(array)).toThrow('does not come from this pool');
});

test('trimming lets go of what is free and keeps what is in use', () => {
	const pool = new ArrayPool();
	const kept = pool.take(1000);
	const { bytes } = pool;
	pool.give(pool.take(5000));
	expect(pool.bytes).toBeGreaterThan(bytes);
	pool.trim();
	expect(pool.bytes).toBe(bytes);
	pool.give(kept);
	pool.trim();
	expect(pool.bytes).toBe(0);
});
