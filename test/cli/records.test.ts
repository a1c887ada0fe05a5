/** `grove metrics`, `rollouts` and `search`: what is printed is what is stored, all of it. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { RolloutNode } from '../../src-main/contract/tree.ts';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { grove, jsonOf } from '../support/captured-terminal.ts';
import { filledDatabase } from '../support/filled-database.ts';

const run = 'fill-7-1';
let db: string;
beforeEach(async () => {
	db = await filledDatabase();
});

async function inStore<T>(work: (store: Store) => T): Promise<T> {
	const store = await openStore({ path: db });
	try {
		return work(store);
	} finally {
		store.close();
	}
}

const command = (...words: string[]): ReturnType<typeof grove> => grove(...words, '--db', db);

describe('metrics', () => {
	it('has a line for every metric of the run', async () => {
		const { code, stdout } = await command('metrics', run);
		const [head, ...lines] = stdout.trimEnd().split('\n');
		expect(code).toBe(0);
		expect(head).toMatch(/^metric +points +last +mean +least +most$/u);
		const stored = await inStore((store) => store.metricKeys([run]).keys);
		expect(lines.map((line) => line.split(' ')[0])).toEqual(stored.map(({ key }) => key));
	});

	it('explains itself in JSON', async () => {
		const { metrics } = jsonOf(await command('metrics', run, '--json')) as {
			metrics: { key: string; count: number; help: string | null }[];
		};
		const mean = metrics.find(({ key }) => key === 'turn_1/reward_mean');
		expect(mean).toMatchObject({ count: 12, nonFinite: 0, lastStep: 12 });
		expect(mean?.help).toContain('mean reward');
	});

	it('prints every point of the keys that are named, to the last digit', async () => {
		const { points } = jsonOf(await command('metrics', run, 'turn_*/reward_mean', '--json')) as {
			points: { key: string; step: number; envStep: number; value: number }[];
		};
		expect(points).toHaveLength(24);
		const stored = await inStore((store) => store.metricPoints(run, 'turn_2/reward_mean'));
		const second = points.filter(({ key }) => key === 'turn_2/reward_mean');
		expect(second.map(({ value }) => value)).toEqual([...stored.value]);
		expect(second.map(({ envStep }) => envStep)).toEqual([...stored.envStep]);
		const { stdout } = await command('metrics', run, 'turn_2/reward_mean');
		expect(stdout).toMatch(/^turn_2\/reward_mean\nstep +env_step +epoch +time +value\n/u);
		for (const value of stored.value) expect(stdout).toContain(String(value));
	});

	it('keeps what is not finite', async () => {
		await inStore((store) => {
			store.recorder(run).record({
				kind: 'step',
				record: {
					step: 13,
					epoch: 3,
					epochProgress: 3.25,
					envStep: 300,
					wallTimeMs: 0,
					trees: [],
					metrics: [NaN, Infinity, -Infinity].map((value, i) => ({ key: `bad/${i}`, value })),
				},
			});
		});
		const { points } = jsonOf(await command('metrics', run, 'bad/*', '--json')) as {
			points: { value: unknown }[];
		};
		expect(points.map(({ value }) => value)).toEqual(['NaN', 'Infinity', '-Infinity']);
		expect((await command('metrics', run)).stdout).toMatch(/^bad\/0 .*1 not finite$/mu);
	});

	it.each([
		[['turn_1/reward_maen'], 8, 'perhaps turn_1/reward_mean'],
		[['(.*)'], 8, 'no metric has this key'],
	])('%j is not there', async (keys, code, message) => {
		const result = await command('metrics', run, ...keys);
		expect(result.code).toBe(code);
		expect(result.stderr).toContain(message);
	});
});

describe('rollouts', () => {
	it('has a line for every tree, first step first', async () => {
		const { code, stdout } = await command('rollouts', run);
		const [head, ...lines] = stdout.trimEnd().split('\n');
		expect(code).toBe(0);
		expect(head).toMatch(/^step +example +purpose +nodes +joints +turn_1 +turn_2 +best +prompt$/u);
		expect(lines).toHaveLength(14);
		const steps = lines.map((line) => Number(line.split(' ')[0]));
		expect(steps).toEqual(steps.toSorted((a, b) => a - b));
	});

	it.each([
		[['--step', '5'], 2],
		[['--purpose', 'eval'], 2],
		[['--example', '3', '--purpose', 'train'], 3],
		[['--step', '99'], 0],
	])('lets through %j', async (options, count) => {
		const { trees } = jsonOf(await command('rollouts', run, ...options, '--json')) as {
			trees: unknown[];
		};
		expect(trees).toHaveLength(count);
	});

	it('prints whole trees as they are stored', async () => {
		const { trees } = jsonOf(
			await command('rollouts', run, '--step', '2', '--texts', '--json'),
		) as { trees: { nodes: RolloutNode[] }[] };
		const place = { runId: run, step: 2, itemIndex: 1, purpose: 'train' } as const;
		const stored = await inStore((store) =>
			[0, 1, 2, 3, 4].map((node) => store.treeNode({ ...place, node }).node),
		);
		expect(trees[0]?.nodes).toEqual(stored);
	});

	it('can be read: prompts, completions, rewards and where each leads', async () => {
		const { stdout } = await command('rollouts', run, '--step', '2', '--texts');
		const place = { runId: run, step: 2, itemIndex: 1, purpose: 'train' } as const;
		const root = await inStore((store) => store.treeNode({ ...place, node: 0 }).node);
		expect(stdout).toMatch(/^Step 2, example item-1 \(train\): 5 nodes, 20 joint completions$/mu);
		expect(stdout).toMatch(
			/^ {4}joint completion 0: reward [\d.]+ \(length [\d.]+, style [\d.]+\), return [\d.]+, leads to node 1$/mu,
		);
		expect(stdout).toMatch(
			/^ {6}node 1, turn 2 after joint completion 0 of node 0: .*last turn$/mu,
		);
		for (const { prompt, completions } of root.agents) {
			for (const line of prompt.split('\n')) expect(stdout).toContain(line);
			for (const { text } of completions) expect(stdout).toContain(text);
		}
	});

	it.each([
		[['--purpose', 'evla'], 2, 'perhaps eval'],
		[['--step', '-1'], 2, "'--step' argument is ambiguous"],
		[['--example', 'x'], 2, 'a whole number from 0'],
	])('%j is refused', async (options, code, message) => {
		const result = await command('rollouts', run, ...options);
		expect(result.code).toBe(code);
		expect(result.stderr).toContain(message);
	});
});

describe('search', () => {
	it('finds words, in all runs or some', async () => {
		const text = await inStore(
			(store) =>
				store.treeNode({ runId: run, step: 2, itemIndex: 1, purpose: 'train', node: 0 }).node
					.agents[0]?.completions[0]?.text ?? '',
		);
		const phrase = text.split(' ').slice(0, 4).join(' ');
		const found = await command('search', `"${phrase}"`);
		expect(found.code).toBe(0);
		expect(found.stdout).toContain(`${run} ingkashi ber 1, step 2, example 1, node 0, turn 1`);
		expect(found.stdout).toMatch(/^\d+ found/mu);
		const elsewhere = jsonOf(await command('search', `"${phrase}"`, '--run', 'fill-7-0', '--json'));
		expect(elsewhere).toEqual({ hits: [], total: 0, totalIsLowerBound: false });
	});

	it('lists the best completions where no words are given', async () => {
		const { hits } = jsonOf(
			await command('search', '--order', 'best', '--limit', '5', '--max-reward', '0.9', '--json'),
		) as { hits: { reward: number }[] };
		expect(hits).toHaveLength(5);
		const rewards = hits.map(({ reward }) => reward);
		expect(rewards).toEqual(rewards.toSorted((a, b) => b - a));
		expect(Math.max(...rewards)).toBeLessThanOrEqual(0.9);
	});

	it('refuses an order that there is not', async () => {
		const { code, stderr } = await command('search', 'a', '--order', 'newset');
		expect(code).toBe(2);
		expect(stderr).toContain('perhaps newest');
	});
});
