import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src-main/contract/wire.ts';

describe('the wire format', () => {
	it('keeps what JSON loses', () => {
		const value = {
			nan: Number.NaN,
			up: Infinity,
			down: -Infinity,
			minusZero: -0,
			tiny: 5e-324,
			huge: 1.7976931348623157e308,
			array: new Float64Array([1, Number.NaN, -0]),
			ints: new Int32Array([-1, 7]),
		};
		expect(decode(encode(value))).toEqual(value);
	});

	it('round trips every JSON-like value, tags in user data and __proto__ keys included', () => {
		const key = fc.oneof(
			fc.string(),
			fc.constantFrom('$number', '$object', '$f64', '__proto__', 'constructor'),
		);
		const { tree } = fc.letrec((tie) => ({
			tree: fc.oneof(
				{ maxDepth: 4 },
				fc.double(),
				fc.boolean(),
				fc.constant(null),
				fc.string({ unit: 'binary' }),
				fc.array(tie('tree')),
				fc.array(fc.tuple(key, tie('tree'))).map((pairs) => {
					const object: Record<string, unknown> = {};
					for (const [name, value] of pairs)
						Object.defineProperty(object, name, {
							value,
							enumerable: true,
							writable: true,
							configurable: true,
						});
					return object;
				}),
			),
		}));
		fc.assert(
			fc.property(tree, (value) => {
				expect(decode(encode(value))).toEqual(value);
			}),
		);
	});

	it('is strict JSON', () => {
		expect(() => void JSON.parse(encode([Number.NaN, Infinity]))).not.toThrow();
	});
});
