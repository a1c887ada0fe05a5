import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestParams } from '../../src-main/contract/requests.ts';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { fillStore, smallFill } from '../support/fill-store.ts';

const steps = 20;
const folder = mkdtempSync(join(tmpdir(), 'grove-histogram-'));
let store: Store;
let id = '';

beforeAll(async () => {
	store = await openStore({ path: join(folder, 'grove.db') });
	[id = ''] = fillStore(store, { ...smallFill, runs: 1, steps });
});
afterAll(() => {
	store.close();
	rmSync(folder, { recursive: true, force: true });
});

const ask = (params: Partial<RequestParams<'metrics.histogram'>> = {}) =>
	store.histogram({
		runId: id,
		of: 'reward',
		purpose: 'train',
		turn: 1,
		agent: 0,
		columns: 1000,
		bins: 10,
		...params,
	});

/** All joint rewards, or lengths of one agent, of a step's trees at a turn, read the long way. */
function valuesAt(step: number, turn: number, of: 'reward' | 'length'): number[] {
	const { trees } = store.listTrees({ runId: id, purpose: 'train', limit: 1000 });
	return trees
		.filter((tree) => tree.step === step)
		.flatMap((tree) =>
			Array.from({ length: tree.nodes }, (_, node) =>
				store.treeNode({ runId: id, step, itemIndex: tree.itemIndex, purpose: 'train', node }),
			),
		)
		.flatMap(({ node }) => {
			if (node.turn !== turn) return [];
			if (of === 'reward') return node.joints.map(({ reward }) => reward ?? NaN);
			return (node.agents[1]?.completions ?? []).map(({ tokenIds }) => tokenIds.length);
		});
}

describe('the histogram over time', () => {
	it.each([
		['reward', 1],
		['reward', 2],
		['length', 1],
		['length', 2],
	] as const)('of %s at turn %d counts every value in its column and bin', (of, turn) => {
		const result = ask({ of, turn, agent: 1 });
		expect(result).toMatchObject({ firstStep: 1, stepsPerColumn: 1, columns: steps, outside: 0 });
		const all = Array.from({ length: steps }, (_, at) => valuesAt(at + 1, turn, of));
		expect(result.low).toBe(Math.min(...all.flat()));
		expect(result.high).toBe(Math.max(...all.flat()));
		all.forEach((values, column) => {
			const expected = new Int32Array(10);
			for (const value of values) {
				const share =
					(value - Math.min(...all.flat())) / (Number(result.high) - Number(result.low));
				const bin = Math.min(9, Math.floor(share * 10));
				expected[bin] = (expected[bin] ?? 0) + 1;
			}
			expect(result.counts.subarray(column * 10, column * 10 + 10)).toEqual(expected);
		});
	});

	it('puts steps together where there are more than columns, and loses none', () => {
		const fine = ask();
		const coarse = ask({ columns: 6 });
		expect(coarse).toMatchObject({ stepsPerColumn: 4, columns: 5 });
		const total = (counts: Int32Array): number => counts.reduce((sum, count) => sum + count, 0);
		expect(total(coarse.counts)).toBe(total(fine.counts));
		expect(total(coarse.counts.subarray(0, 10))).toBe(total(fine.counts.subarray(0, 40)));
	});

	it('has nothing for a turn or an agent that the run has not', () => {
		expect(ask({ turn: 9 })).toMatchObject({ low: null, high: null });
		expect(ask({ of: 'length', agent: 9 }).counts.every((count) => count === 0)).toBe(true);
	});

	it('refuses a run that is not there', () => {
		expect(() => ask({ runId: 'nobody' })).toThrow(/nobody/u);
	});
});
