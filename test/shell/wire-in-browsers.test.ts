import { afterEach, expect, it, vi } from 'vitest';
import { decode, encode } from '../../src-main/contract/wire.ts';

afterEach(() => {
	vi.unstubAllGlobals();
});

it('arrays are written alike where there is no Buffer', () => {
	const arrays = {
		f64: Float64Array.from({ length: 50_001 }, (_, i) => i / 3),
		f32: Float32Array.from([NaN, -0, Infinity]),
		i32: Int32Array.from([-1, 2 ** 31 - 1]),
		u8: new Uint8Array(0),
	};
	const inNode = encode(arrays);
	vi.stubGlobal('Buffer', undefined);
	const inBrowser = encode(arrays);
	vi.unstubAllGlobals();
	expect(inBrowser).toBe(inNode);
	expect(decode(inBrowser)).toEqual(arrays);
});
