import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	GroveError,
	exitCodes,
	fromErrorValue,
	toErrorValue,
} from '../../src-main/contract/errors.ts';
import { explainMetric, metricDefinitions } from '../../src-main/contract/metrics.ts';
import { nearestName } from '../../src-main/contract/nearest-name.ts';
import { Random } from '../../src-main/contract/random.ts';
import { fullTreeSize } from '../../src-main/contract/tree.ts';

describe('errors', () => {
	it('have distinct exit codes, none of them 0 or 1', () => {
		const codes = Object.values(exitCodes);
		expect(new Set(codes).size).toBe(codes.length);
		expect(codes.every((code) => code > 1)).toBe(true);
	});

	it('survive as values, whatever was thrown', () => {
		const error = new GroveError('bad-input', {
			where: 'key',
			what: 'wrong',
			expected: 'a',
			given: 'b',
			fix: 'c',
		});
		expect(error.message).toBe('key: wrong\n  expected: a\n  given:    b\n  to fix:   c');
		const back = fromErrorValue(toErrorValue(error));
		expect(back).toBeInstanceOf(GroveError);
		expect(back.message).toBe(error.message);
		const hostile = {
			toString: () => {
				throw new Error('no');
			},
		};
		for (const thrown of [null, undefined, 'text', 7n, Symbol('s'), hostile])
			expect(toErrorValue(thrown).kind).toBe('fault');
	});
});

describe('Random', () => {
	it('gives equal streams for equal names and different ones otherwise', () => {
		const draw = (...name: [number | string, ...(number | string)[]]): number[] => {
			const random = Random.from(...name);
			return Array.from({ length: 8 }, () => random.uint32());
		};
		expect(draw(1, 'a', 2)).toEqual(draw(1, 'a', 2));
		expect(draw(1, 'a', 2)).not.toEqual(draw(1, 'a', 3));
		expect(draw(1, 'ab')).not.toEqual(draw(1, 'a', 'b'));
	});

	it('continues from its state', () => {
		const random = Random.from(7);
		random.uniform();
		const copy = Random.fromState(random.state);
		expect([copy.uniform(), copy.normal()]).toEqual([random.uniform(), random.normal()]);
	});

	it('is uniform and normal to within sampling error', () => {
		const random = Random.from('moments');
		const draws = Array.from({ length: 20_000 }, () => random.uniform());
		expect(draws.every((u) => u >= 0 && u < 1)).toBe(true);
		expect(draws.reduce((sum, u) => sum + u, 0) / draws.length).toBeCloseTo(0.5, 1);
		const normals = Array.from({ length: 20_000 }, () => random.normal());
		expect(normals.reduce((sum, z) => sum + z * z, 0) / normals.length).toBeCloseTo(1, 1);
	});

	it('shuffles without loss', () => {
		fc.assert(
			fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
				expect(
					Random.from(seed)
						.shuffled(items)
						.sort((a, b) => a - b),
				).toEqual([...items].sort((a, b) => a - b));
			}),
		);
	});
});

describe('nearestName', () => {
	it('finds typos, swaps and whole words, and nothing far away', () => {
		const known = ['num_turns', 'max_steps', 'discount'];
		expect(nearestName('num_trums', known)).toBe('num_turns');
		expect(nearestName('NumTurns', known)).toBe('num_turns');
		expect(nearestName('steps', known)).toBe('max_steps');
		expect(nearestName('zebra', known)).toBeUndefined();
	});
});

describe('metric definitions', () => {
	it('explain keys by pattern, each pattern with a sentence', () => {
		expect(explainMetric('turn_2/reward_mean')?.better).toBe('higher');
		expect(explainMetric('agent_1/grad_norm')).toBeDefined();
		expect(explainMetric('turn_1/reward_part/style/score')).toBeDefined();
		expect(explainMetric('turn_0/reward_mean')).toBeUndefined();
		expect(explainMetric('constructor')).toBeUndefined();
		for (const definition of metricDefinitions) expect(definition.help).toMatch(/\.$|\?$/u);
	});
});

describe('fullTreeSize', () => {
	it('equals a count by walking', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 3 }),
				fc.integer({ min: 2, max: 3 }),
				fc.integer({ min: 1, max: 3 }),
				fc.constantFrom('aligned', 'cross'),
				(agents, generations, turns, mode) => {
					let nodes = 0;
					let joints = 0;
					const walk = (turn: number): void => {
						nodes++;
						const here = mode === 'aligned' ? generations : generations ** agents;
						joints += here;
						if (turn < turns) for (let j = 0; j < here; j++) walk(turn + 1);
					};
					walk(1);
					expect(fullTreeSize(agents, generations, turns, mode)).toEqual({
						nodes,
						joints,
						completionsPerAgent: nodes * generations,
					});
				},
			),
		);
	});
});
