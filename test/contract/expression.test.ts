import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	type Expression,
	longestExpression,
	metricsIn,
	operators,
	parseExpression,
	standsAlone,
	writeMetric,
} from '../../src-main/contract/expression.ts';
import { pointValues } from '../../src-main/contract/expression-value.ts';

function parsed(text: string): Expression {
	const result = parseExpression(text);
	if (!result.ok) throw new Error(`${text}: ${result.problem.what} at ${result.problem.at}`);
	return result.expression;
}

/** Values of an expression at points that carry these metrics. */
function values(text: string, points: readonly Record<string, number>[]): number[] {
	const next = pointValues(parsed(text));
	return points.map((metrics, index) =>
		next({
			metric: (key) => (Object.hasOwn(metrics, key) ? (metrics[key] ?? NaN) : NaN),
			place: (name) => ({ step: index + 1, env_step: 8 * (index + 1), epoch: index / 10 })[name],
		}),
	);
}
const value = (text: string, metrics: Record<string, number> = {}): number | undefined =>
	values(text, [metrics])[0];

function problem(text: string): { at: number; what: string } {
	const result = parseExpression(text);
	if (result.ok) throw new Error(`${text} was read`);
	return result.problem;
}

describe('reading an expression', () => {
	it.each([
		['1 + 2 * 3', 7],
		['(1 + 2) * 3', 9],
		['2 - 3 - 4', -5],
		['2 ^ 3 ^ 2', 512],
		['-2 ^ 2', -4],
		['2 ^ -1', 0.5],
		['--3', 3],
		['7 % 4', 3],
		['1e3 + .5 + 2.', 1002.5],
		['1 / 0', Infinity],
		['clip(7, 0, 5)', 5],
		['max(1, 4, 2) - min(3, 2)', 2],
		['log10(1000) + log2(8) + sqrt(9) + abs(-1) + log(exp(2))', 12],
		['step + env_step + epoch', 9],
	])('%s is %d', (text, expected) => {
		expect(value(text)).toBeCloseTo(expected, 12);
	});

	it('takes a slash between letters as part of a name and one with spaces as division', () => {
		const metrics = { 'turn_1/reward_mean': 0.5, a: 8, b: 2, 'a/b': 5 };
		expect(value('turn_1/reward_mean', metrics)).toBe(0.5);
		expect(value('a / b', metrics)).toBe(4);
		expect(value('a/b', metrics)).toBe(5);
		expect(value('(a)/(b)', metrics)).toBe(4);
	});

	it('takes any name in quotes, also one that is a word of the language', () => {
		const odd = { 'a "b" – c': 1, step: 2, 'größe/平均': 3 };
		expect(value('"a ""b"" – c" + "step" + größe/平均', odd)).toBe(6);
	});

	it.each([
		['', 0, 'nothing'],
		['1 +', 3, 'ends'],
		['1 2', 2, 'operator'],
		['(1', 2, 'not closed'],
		['1)', 1, 'bracket'],
		['abs()', 4, 'value'],
		['clip(1)', 0, 'clip takes 3'],
		['smin(1)', 0, 'perhaps min'],
		['"open', 0, 'quote'],
		['a & b', 2, 'no meaning'],
		['*', 0, 'value'],
		['constructor(1)', 0, 'no function'],
	])('says what is wrong with %j and where', (text, at, what) => {
		expect(problem(text).at).toBe(at);
		expect(problem(text).what).toContain(what);
	});

	it('refuses what is too long or too deep instead of running out of stack', () => {
		expect(problem('1'.repeat(longestExpression + 1)).what).toContain('longer');
		for (const text of ['('.repeat(1900), '-'.repeat(1900), '2^'.repeat(900), '1+'.repeat(900)])
			expect(parseExpression(text).ok).toBe(false);
	});

	it('never throws, whatever is typed', () => {
		const pieces = fc.constantFrom(
			...['a', 'turn_1/x', '"', '(', ')', ',', '+', '-', '*', '/', '%', '^', ' '],
			...['1', '.', 'e', 'abs(', 'min(', 'step', '\u0000', '\ud800', '🙂', '__proto__'],
		);
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string({ unit: 'binary' }),
					fc.array(pieces).map((all) => all.join('')),
				),
				(text) => {
					const result = parseExpression(text);
					if (result.ok) expect(typeof value(text)).toBe('number');
					else {
						expect(result.problem.at).toBeGreaterThanOrEqual(0);
						expect(result.problem.at).toBeLessThanOrEqual(text.length);
					}
				},
			),
			{ numRuns: 600 },
		);
	});
});

/** Any expression as a text and as the value it should have, all in brackets. */
const written = fc.letrec<{ any: { text: string; value: number } }>((tie) => ({
	any: fc.oneof(
		{ maxDepth: 5, withCrossShrink: true },
		fc.nat({ max: 20 }).map((number) => ({ text: String(number), value: number })),
		fc.constantFrom({ text: 'a/b', value: 3 }, { text: '"a - b"', value: -2 }),
		fc
			.tuple(fc.constantFrom(...operators), tie('any'), tie('any'))
			.map(([operator, left, right]) => ({
				text: `(${left.text}) ${operator} (${right.text})`,
				value: {
					'+': left.value + right.value,
					'-': left.value - right.value,
					'*': left.value * right.value,
					'/': left.value / right.value,
					'%': left.value % right.value,
					'^': left.value ** right.value,
				}[operator],
			})),
		tie('any').map((inner) => ({ text: `-(${inner.text})`, value: -inner.value })),
	),
})).any;

describe('the value of an expression', () => {
	it('is that of the same arithmetic in JavaScript', () => {
		fc.assert(
			fc.property(written, ({ text, value: expected }) => {
				fc.pre(text.length <= longestExpression);
				expect(value(text, { 'a/b': 3, 'a - b': -2 })).toBe(expected);
			}),
		);
	});

	it('keeps what came before where a function asks for it, over points that are not finite', () => {
		const points = [3, NaN, 1, Infinity, 5].map((a) => ({ a }));
		expect(values('delta(a)', points)).toEqual([NaN, NaN, -2, Infinity, 4]);
		expect(values('cumsum(a)', points)).toEqual([3, NaN, 4, Infinity, 9]);
		expect(values('cummax(a)', points)).toEqual([3, NaN, 3, Infinity, 5]);
		expect(values('cummin(a)', points)).toEqual([3, NaN, 1, Infinity, 1]);
	});
});

describe('what an expression reads', () => {
	it('is each metric once', () => {
		expect(metricsIn(parsed('b - a/b + max(b, "c d", step)'))).toEqual(['b', 'a/b', 'c d']);
	});

	it('is the point alone, but for functions that remember', () => {
		expect(standsAlone(parsed('a + max(b, 1)'))).toBe(true);
		expect(standsAlone(parsed('1 - abs(delta(a))'))).toBe(false);
	});

	it('can be written for any key', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.constantFrom('step', 'a/b', 'a b', 'x"y')), (key) => {
				expect(metricsIn(parsed(writeMetric(key)))).toEqual([key]);
			}),
		);
	});
});
