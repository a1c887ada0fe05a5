import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeQuery } from '../../../../src-renderer/logic/query/complete.ts';
import { matches } from '../../../../src-renderer/logic/query/evaluate.ts';
import {
	fieldsOf,
	operators,
	parseQuery,
	printQuery,
	type Query,
} from '../../../../src-renderer/logic/query/parse.ts';
import { QueryError } from '../../../../src-renderer/logic/query/tokens.ts';

const run: Record<string, unknown> = {
	name: 'baseline seed 1',
	lr: 5e-6,
	seed: 42,
	tags: ['paper', 'ablation'],
	status: 'finished',
	notes: null,
	'turn_2/reward_mean.last': 0.71,
	'turn_1/reward_mean.last': NaN,
	'a.b': false,
};
const fits = (text: string): boolean =>
	matches(parseQuery(text), (field) => run[field], [String(run['name']), 'paper', 'finished']);

describe('a query', () => {
	test.each([
		['', true],
		['lr < 1e-5 and tags has "paper" and turn_2/reward_mean.last > 0.6', true],
		['lr < 1e-5 and tags has nothing', false],
		['seed = 42', true],
		['seed == 42 or seed = 43', true],
		['seed != 42', false],
		['status = Finished', true],
		['not status = finished', false],
		['not (seed = 1 or seed = 2) status = finished', true],
		['name ~ "seed [0-9]"', true],
		['name ~ "seed ["', false],
		['baseline', true],
		['"seed 1"', true],
		['BASE paper', true],
		['nothing', false],
		['notes is null', true],
		['notes is not null', false],
		['seed is not null', true],
		['notes != x', true],
		['notes < 3', false],
		['turn_1/reward_mean.last > 0', false],
		['turn_1/reward_mean.last < 0', false],
		['a.b = false', true],
		['tags = ablation', true],
	])('%s', (text, expected) => {
		expect(fits(text)).toBe(expected);
	});

	test.each([
		['lr <', 4, 'a value'],
		['lr < )', 5, 'a value'],
		['(lr < 1', 0, 'never closed'],
		['lr < 1)', 6, 'never opened'],
		['name = "open', 7, 'closing quote'],
		['and lr < 1', 0, 'condition'],
		['lr is 5', 6, 'null'],
		['lr !5', 3, 'means nothing'],
		['seed = 1 or', 11, 'condition'],
	])('%s is refused with its place', (text, start, sign) => {
		const error = (() => {
			try {
				parseQuery(text);
				return null;
			} catch (thrown) {
				return thrown;
			}
		})();
		expect(error).toBeInstanceOf(QueryError);
		if (!(error instanceof QueryError)) return;
		expect(error.start).toBe(start);
		expect(error.message).toContain(sign);
	});

	test('names its fields with their places', () => {
		expect(fieldsOf(parseQuery('a < 1 and not (b is null or c ~ x)'))).toEqual([
			{ field: 'a', start: 0, end: 1 },
			{ field: 'b', start: 15, end: 16 },
			{ field: 'c', start: 28, end: 29 },
		]);
	});

	test('printed and parsed again is the same', () => {
		const field = fc
			.stringMatching(/^[a-z_][a-z0-9_/.]{0,8}$/u)
			.filter((name) => !['and', 'or', 'not', 'has', 'is'].includes(name));
		const leaf = fc.oneof(
			fc.record({ kind: fc.constant('words' as const), text: fc.string() }),
			fc.record({
				kind: fc.constant('compare' as const),
				field,
				operator: fc.constantFrom(...operators),
				value: fc.oneof(fc.string(), fc.double({ noNaN: true })),
				start: fc.constant(0),
				end: fc.constant(0),
			}),
			fc.record({
				kind: fc.constant('null' as const),
				field,
				start: fc.constant(0),
				end: fc.constant(0),
			}),
		);
		const { query } = fc.letrec<{ query: Query }>((tie) => ({
			query: fc.oneof(
				{ maxDepth: 4 },
				leaf,
				fc.record({ kind: fc.constant('not' as const), part: tie('query') }),
				fc.record({
					kind: fc.constantFrom('and' as const, 'or' as const),
					parts: fc.array(tie('query'), { minLength: 2, maxLength: 3 }),
				}),
			),
		}));
		fc.assert(
			fc.property(query, (made) => {
				const text = printQuery(made);
				expect(printQuery(parseQuery(text))).toBe(text);
			}),
		);
	});

	test('is an answer or a QueryError, whatever is typed', () => {
		const words = fc.constantFrom(
			'and',
			'or',
			'not',
			'(',
			')',
			'a',
			'=',
			'<',
			'"',
			'is',
			'null',
			'has',
			'5',
			'\\',
			'~',
		);
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string(),
					fc.array(words).map((list) => list.join(' ')),
				),
				(text) => {
					try {
						matches(parseQuery(text), () => 1, ['x']);
					} catch (error) {
						expect(error).toBeInstanceOf(QueryError);
					}
					completeQuery(text, text.length, { fields: ['a', 'b'], values: () => ['x'] });
				},
			),
		);
	});

	test('of endless parentheses is refused', () => {
		expect(() => parseQuery('('.repeat(100_000))).toThrow(QueryError);
		expect(() => parseQuery('not '.repeat(100_000))).toThrow(QueryError);
	});
});

describe('the completion', () => {
	const vocabulary = {
		fields: ['seed', 'status', 'turn_1/reward_mean.last'],
		values: (field: string) =>
			field === 'status' ? ['finished', 'running'] : field === 'seed' ? [42] : [],
	};
	const at = (text: string): string[] =>
		completeQuery(text, text.length, vocabulary).map(({ text: option }) => option);

	test.each([
		['', ['seed', 'status', 'turn_1/reward_mean.last', 'not']],
		['se', ['seed']],
		['rew', ['turn_1/reward_mean.last']],
		[
			'status ',
			['=', '!=', '<', '<=', '>', '>=', '~', 'has', 'is null', 'is not null', 'and', 'or'],
		],
		['status = ', ['"finished"', '"running"']],
		['status = r', ['"running"', '"finished"'].slice(0, 1)],
		['status = "fin', ['"finished"']],
		['seed = ', ['42']],
		['seed = 42 ', ['and', 'or']],
		['seed = 42 and sta', ['status']],
		['(', ['seed', 'status', 'turn_1/reward_mean.last', 'not']],
	])('of %j', (text, expected) => {
		expect(at(text)).toEqual(expected);
	});

	test('says what it replaces', () => {
		expect(completeQuery('seed = 42 and st', 16, vocabulary)[0]).toEqual({
			text: 'status',
			start: 14,
			end: 16,
			kind: 'field',
		});
	});
});
