import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jointPicks } from '../../src-main/magrpo/joint-completions.ts';

describe('joint completions', () => {
	it('aligned joins equal indices', () => {
		expect(jointPicks(3, 2, 'aligned')).toEqual([
			[0, 0, 0],
			[1, 1, 1],
		]);
	});

	it('cross joins every combination, the last agent fastest', () => {
		expect(jointPicks(2, 2, 'cross')).toEqual([
			[0, 0],
			[0, 1],
			[1, 0],
			[1, 1],
		]);
	});

	it('are the same in both modes for one agent', () => {
		expect(jointPicks(1, 4, 'cross')).toEqual(jointPicks(1, 4, 'aligned'));
	});

	it('count G to the power of agents, all different, in ascending order', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 }), (agents, g) => {
				const picks = jointPicks(agents, g, 'cross');
				const numbers = picks.map((pick) => pick.reduce((value, k) => value * g + k, 0));
				expect(numbers).toEqual(Array.from({ length: g ** agents }, (_, j) => j));
			}),
		);
	});
});
