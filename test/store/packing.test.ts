/** The packed columns: everything that goes in comes out again, bit for bit. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '../../src-main/store/byte-reader.ts';
import { ByteWriter } from '../../src-main/store/byte-writer.ts';
import { objectFromJson, toCanonicalJson } from '../../src-main/store/canonical-json.ts';
import {
	type Moment,
	packAxes,
	packChunks,
	packMoment,
	unpackAxes,
	unpackChunk,
	unpackMoment,
} from '../../src-main/store/moments.ts';
import { packContent, textsOf, unpackContent } from '../../src-main/store/node-content.ts';
import { readColumn, writeColumn } from '../../src-main/store/number-column.ts';
import { packList, unpackList } from '../../src-main/store/number-list.ts';
import {
	decodeText,
	encodeText,
	hashText,
	packBlock,
	unpackBlock,
} from '../../src-main/store/text-blocks.ts';

/** Also NaN, infinities, −0 and numbers beyond 2^53. */
const anyNumber = fc.oneof(
	fc.double(),
	fc.maxSafeInteger(),
	fc.integer(),
	fc.constantFrom(-0, 2 ** 53, 2 ** 60),
);
const anyText = fc.string({ unit: 'binary', maxLength: 60 });

describe('single numbers', () => {
	it('are kept exactly', () => {
		fc.assert(
			fc.property(
				fc.array(anyNumber),
				fc.array(fc.maxSafeInteger().map(Math.abs)),
				fc.array(fc.integer({ min: -(2 ** 51), max: 2 ** 51 })),
				(numbers, counts, signed) => {
					const writer = new ByteWriter(1);
					for (const value of numbers) writer.number(value);
					for (const value of counts) writer.count(value);
					for (const value of signed) writer.signed(value);
					const bytes = writer.finish();
					expect(bytes).toHaveLength(writer.length);
					const reader = new ByteReader(bytes);
					expect(numbers.map(() => reader.number())).toEqual(numbers);
					expect(counts.map(() => reader.count())).toEqual(counts);
					// −0 is not a whole number of either sign.
					expect(signed.map(() => reader.signed() + 0)).toEqual(signed.map((value) => value + 0));
					expect(reader.atEnd).toBe(true);
				},
			),
		);
	});

	it.each([-1, 0.5, NaN, 2 ** 53])('that are no counts are refused: %s', (value) => {
		expect(() => {
			new ByteWriter().count(value);
		}).toThrow(RangeError);
	});

	it('that end too early or never are refused', () => {
		expect(() => new ByteReader(Buffer.of(0x80)).count()).toThrow(RangeError);
		expect(() => new ByteReader(Buffer.alloc(20, 0xff)).count()).toThrow(RangeError);
		expect(() => new ByteReader(Buffer.of(9, 65)).text()).toThrow(RangeError);
		expect(() => new ByteReader(Buffer.alloc(7)).float64()).toThrow(RangeError);
	});
});

describe('a column', () => {
	it('is kept exactly', () => {
		fc.assert(
			fc.property(fc.oneof(fc.array(anyNumber), fc.array(fc.maxSafeInteger())), (values) => {
				const writer = new ByteWriter();
				writeColumn(writer, values);
				const column = readColumn(new ByteReader(writer.finish()), values.length);
				expect([...column]).toEqual(values);
			}),
		);
	});

	it('of even steps takes a byte a number', () => {
		const writer = new ByteWriter();
		writeColumn(
			writer,
			Array.from({ length: 1000 }, (_, i) => 5_000_000 + 4 * i),
		);
		expect(writer.length).toBeLessThan(1020);
	});
});

const moment = fc
	.record({
		step: fc.nat(),
		envStep: fc.maxSafeInteger().map(Math.abs),
		epoch: anyNumber,
		wallTimeMs: anyNumber,
		points: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 12 }), anyNumber), {
			selector: ([key]) => key,
			minLength: 1,
		}),
	})
	.map(({ points, ...axes }): Moment => ({
		...axes,
		keys: points.map(([key]) => key),
		values: points.map(([, value]) => value),
	}));

describe('moments', () => {
	it('are kept exactly one by one', () => {
		fc.assert(
			fc.property(moment, (own) => {
				expect(unpackMoment(packMoment(own))).toEqual(own);
			}),
		);
	});

	it('are kept exactly in a block', () => {
		fc.assert(
			fc.property(fc.array(moment, { minLength: 1, maxLength: 40 }), (moments) => {
				const axes = unpackAxes(packAxes(moments), moments.length);
				const again = moments.map((_, place) => ({
					step: axes.step[place],
					envStep: axes.envStep[place],
					epoch: axes.epoch[place],
					wallTimeMs: axes.wallTimeMs[place],
					points: new Map<number, number>(),
				}));
				for (const [key, data] of packChunks(moments)) {
					const { places, values } = unpackChunk(data);
					for (const [index, value] of values.entries()) {
						again[places === null ? index : (places[index] ?? -1)]?.points.set(key, value);
					}
				}
				expect(again).toEqual(
					moments.map(({ keys, values, ...rest }) => ({
						...rest,
						points: new Map(keys.map((key, index) => [key, values[index]])),
					})),
				);
			}),
		);
	});
});

describe('lists in rows', () => {
	it('are kept exactly', () => {
		fc.assert(
			fc.property(fc.array(fc.option(anyNumber)), (values) => {
				expect(unpackList(packList(values))).toEqual(values);
			}),
		);
	});

	it.each(['{}', '7', '["a"]', '[[1]]', '[true]', 'x'])('that are none are refused: %s', (json) => {
		expect(() => unpackList(json)).toThrow(SyntaxError);
	});
});

describe('texts', () => {
	it('are kept exactly in a block, also what is not well-formed and what was removed', () => {
		fc.assert(
			fc.property(fc.array(fc.option(anyText)), (texts) => {
				const packed = packBlock(texts.map((text) => (text === null ? null : encodeText(text))));
				const again = unpackBlock(packed, texts.length);
				expect(again.map((text) => (text === null ? null : decodeText(text)))).toEqual(texts);
			}),
		);
	});

	it('have one hash each, whichever way they are encoded', () => {
		fc.assert(
			fc.property(anyText, anyText, (a, b) => {
				expect(hashText(encodeText(a)) === hashText(encodeText(b))).toBe(a === b);
			}),
		);
		const lone = encodeText('\ud800');
		expect(lone.isUtf16).toBe(true);
		const sameBytes = { bytes: lone.bytes, isUtf16: false };
		expect(hashText(sameBytes)).not.toBe(hashText(lone));
	});

	it('are compressed only where it pays', () => {
		const repeated = packBlock([encodeText('the same words again and '.repeat(200))]);
		expect(repeated.data.length).toBeLessThan(200);
		expect(packBlock([encodeText('short')]).data.toString()).toContain('short');
	});

	it('never unpack to more than they say', () => {
		const packed = packBlock([encodeText('a'.repeat(100_000))]);
		expect(() => unpackBlock({ ...packed, bytes: 1000 }, 1)).toThrow();
	});
});

const numbers = fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), anyNumber);
const agentTurn = fc.record({
	prompt: anyText,
	rawPrompt: anyText,
	promptTokenIds: fc.array(fc.nat(), { maxLength: 5 }),
	promptTokensCut: fc.nat(),
	completions: fc.array(
		fc.record({
			text: anyText,
			tokenIds: fc.array(fc.nat(), { maxLength: 5 }),
			logProbs: fc.array(fc.oneof(anyNumber, fc.float()), { maxLength: 5 }),
			finishReason: fc.constantFrom('eos' as const, 'length' as const, 'stop' as const),
			return: fc.option(anyNumber),
			advantage: fc.option(anyNumber),
			referenceKl: fc.option(anyNumber),
		}),
		{ maxLength: 3 },
	),
});
const joint = fc
	.record({
		picks: fc.array(fc.nat(), { maxLength: 3 }),
		rawReward: fc.option(anyNumber),
		rewardParts: numbers,
		taskMetrics: numbers,
		rewardError: fc.option(anyText.map((text) => text.toWellFormed())),
		feedbackError: fc.option(anyText.map((text) => text.toWellFormed())),
	})
	.map(({ feedbackError, ...rest }) =>
		feedbackError === null ? rest : { ...rest, feedbackError },
	);

describe('the content of a node', () => {
	it('is kept exactly', () => {
		fc.assert(
			fc.property(
				fc.array(agentTurn, { maxLength: 3 }),
				fc.array(joint, { maxLength: 3 }),
				(agents, joints) => {
					const texts = [...new Set(textsOf(agents))];
					const packed = packContent(agents, joints, (text) => texts.indexOf(text));
					const again = unpackContent(packed, (number) => texts[number] ?? 'missing');
					expect(again).toEqual({ agents, joints });
				},
			),
		);
	});

	it('of an unknown format is refused', () => {
		expect(() => unpackContent(Buffer.of(99), String)).toThrow(/format 99/);
	});
});

describe('configurations', () => {
	it('have one text each, whatever the order of their keys', () => {
		expect(toCanonicalJson({ b: [1, { d: NaN, c: -0 }], a: Infinity })).toBe(
			toCanonicalJson({ a: Infinity, b: [1, { c: -0, d: NaN }] }),
		);
		expect(toCanonicalJson({ a: 0 })).not.toBe(toCanonicalJson({ a: -0 }));
	});

	it('are read again as they were', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (config) => {
				expect(objectFromJson(toCanonicalJson(config))).toEqual(config);
			}),
		);
		expect(objectFromJson('[1]')).toEqual({});
	});
});
