import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	batchAt,
	epochsDone,
	type OrderRule,
	type Position,
	totalSteps,
} from '../../src-main/magrpo/data-order.ts';

const rule: OrderRule = {
	examples: 5,
	promptsPerStep: 2,
	epochs: 2,
	maxSteps: null,
	shuffle: false,
	seed: 1,
};

function rowsByStep(used: OrderRule): number[][] {
	let position: Position = { epoch: 0, visited: 0 };
	return Array.from({ length: totalSteps(used) }, () => {
		const batch = batchAt(used, position);
		position = batch.next;
		return batch.rows;
	});
}

describe('data order', () => {
	it('keeps the tail of an epoch', () => {
		expect(rowsByStep(rule)).toEqual([[0, 1], [2, 3], [4], [0, 1], [2, 3], [4]]);
	});

	it('takes a batch larger than the dataset as the dataset', () => {
		expect(rowsByStep({ ...rule, examples: 1, promptsPerStep: 4 })).toEqual([[0], [0]]);
	});

	it('ends at max_steps', () => {
		expect(rowsByStep({ ...rule, maxSteps: 4 })).toEqual([[0, 1], [2, 3], [4], [0, 1]]);
	});

	it('visits every example once per epoch, shuffled or not', () => {
		const rules = fc.record({
			examples: fc.integer({ min: 1, max: 12 }),
			promptsPerStep: fc.integer({ min: 1, max: 14 }),
			epochs: fc.integer({ min: 1, max: 3 }),
			maxSteps: fc.constant(null),
			shuffle: fc.boolean(),
			seed: fc.nat(),
		});
		fc.assert(
			fc.property(rules, (drawn) => {
				const visits = rowsByStep(drawn).flat();
				expect(visits.length).toBe(drawn.examples * drawn.epochs);
				for (let epoch = 0; epoch < drawn.epochs; epoch++) {
					const own = visits.slice(epoch * drawn.examples, (epoch + 1) * drawn.examples);
					const expected = Array.from({ length: drawn.examples }, (_, row) => row);
					expect(own.toSorted((a, b) => a - b)).toEqual(expected);
				}
			}),
		);
	});

	it('shuffles anew each epoch, the same for the same seed', () => {
		const shuffled = { ...rule, examples: 12, promptsPerStep: 12, shuffle: true };
		const [first, second] = rowsByStep(shuffled);
		expect(first).not.toEqual(second);
		expect(rowsByStep(shuffled)).toEqual([first, second]);
		expect(rowsByStep({ ...shuffled, seed: 2 })[0]).not.toEqual(first);
	});

	it('counts what is left from a position, also when the batch size has changed since', () => {
		expect(totalSteps(rule, 1, { epoch: 0, visited: 2 })).toBe(6);
		expect(totalSteps({ ...rule, promptsPerStep: 1 }, 1, { epoch: 0, visited: 2 })).toBe(9);
		expect(totalSteps(rule, 6, { epoch: 2, visited: 0 })).toBe(6);
		expect(totalSteps({ ...rule, epochs: 1 }, 6, { epoch: 2, visited: 0 })).toBe(6);
		expect(epochsDone({ epoch: 1, visited: 2 }, rule)).toBe(1.4);
	});
});
