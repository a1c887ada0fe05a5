import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src-main/contract/random.ts';
import { batchesOf, fillBuffer, groupDrain } from '../../src-main/magrpo/buffer.ts';
import type { NodeSample } from '../../src-main/magrpo/node-samples.ts';

function sample(envStep: number, turn = 1): NodeSample {
	return { turn, envStep, rewardMean: 0, returnMean: 0, agents: [] };
}

describe('the buffer', () => {
	it('loses nothing and repeats nothing, whatever its size', () => {
		fc.assert(
			fc.property(
				fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 8 }),
				fc.option(fc.integer({ min: 1, max: 7 }), { nil: null }),
				(counts, size) => {
					let next = 0;
					let waiting: NodeSample[] = [];
					const seen: number[] = [];
					for (const [step, count] of counts.entries()) {
						const added = Array.from({ length: count }, () => sample(++next));
						const plan = fillBuffer(waiting, added, size, step === counts.length - 1);
						for (const drain of plan.drains) seen.push(...drain.map(({ envStep }) => envStep));
						waiting = plan.rest;
					}
					expect(waiting).toEqual([]);
					expect(seen).toEqual(Array.from({ length: next }, (_, index) => index + 1));
				},
			),
		);
	});

	it('of no size takes each step whole', () => {
		const { drains, rest } = fillBuffer([], [sample(1), sample(2), sample(3)], null, false);
		expect(drains.map((drain) => drain.length)).toEqual([3]);
		expect(rest).toEqual([]);
	});

	it('is grouped by turn, first turn first, or not at all', () => {
		const drain = [sample(2, 2), sample(3, 3), sample(4, 1), sample(5, 2)];
		const turns = groupDrain(drain, 'by-turn').map((group) => group.map(({ envStep }) => envStep));
		expect(turns).toEqual([[4], [2, 5], [3]]);
		expect(groupDrain(drain, 'all-turns')).toEqual([drain]);
	});

	it('is cut into batches with every sample once, the same for the same stream', () => {
		const group = [1, 2, 3, 4, 5].map((envStep) => sample(envStep));
		const batches = batchesOf(group, 2, Random.from(3));
		expect(batches.map((batch) => batch.length)).toEqual([2, 2, 1]);
		const steps = batches.flat().map(({ envStep }) => envStep);
		expect(steps.toSorted()).toEqual([1, 2, 3, 4, 5]);
		expect(steps).not.toEqual([1, 2, 3, 4, 5]);
		expect(batchesOf(group, 2, Random.from(3))).toEqual(batches);
		expect(batchesOf(group, null, Random.from(3))).toEqual([group]);
		expect(batchesOf(group, 5, Random.from(3))).toEqual([group]);
	});
});
