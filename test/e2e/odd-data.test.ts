/** Data that broke other viewers: equal, empty and long names, odd metric keys, values that are not finite, endless texts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../src-main/contract/random.ts';
import { openStore } from '../../src-main/store/index.ts';
import { findChromium } from '../support/chromium.ts';
import { sampleStep, smallFill } from '../support/fill-store.ts';
import { newRun, started, stepOf } from '../support/new-run.ts';
import { openApplication, type OpenApplication } from '../support/open-application.ts';

const oddKeys = [
	'train/loss',
	'a.b',
	'a b',
	'x?y=1#z',
	'%2F',
	'..',
	'C:\\x',
	'α/β',
	'k'.repeat(300),
	'constructor',
	'__proto__',
];

describe.skipIf(findChromium() === null)('odd data', () => {
	const folder = mkdtempSync(join(tmpdir(), 'grove-odd-'));
	const database = join(folder, 'grove.db');
	const ids: Record<
		'first' | 'second' | 'unnamed' | 'long' | 'keys' | 'nan' | 'empty' | 'texts',
		string
	> = {
		first: '',
		second: '',
		unnamed: '',
		long: '',
		keys: '',
		nan: '',
		empty: '',
		texts: '',
	};
	let application: OpenApplication | undefined;

	function opened(): OpenApplication {
		if (application === undefined) throw new Error('the application did not open');
		return application;
	}

	beforeAll(async () => {
		const store = await openStore({ path: database });
		const add = (name: string, metrics: readonly (readonly [string, number])[][]): string => {
			const id = store.createRun(newRun({ name }));
			const recorder = store.recorder(id);
			recorder.record(started());
			for (const [at, values] of metrics.entries())
				recorder.record(
					stepOf(
						at + 1,
						values.map(([key, value]) => ({ key, value })),
					),
				);
			return id;
		};
		const reward = (value: number): [string, number] => ['turn_1/reward_mean', value];
		ids.first = add('baseline', [[reward(0.1)], [reward(0.2)]]);
		ids.second = add('baseline', [[reward(0.8)], [reward(0.9)]]);
		ids.unnamed = add('', [[reward(0.5)]]);
		ids.long = add('n'.repeat(300), [[reward(0.4)]]);
		ids.keys = add('odd keys', [oddKeys.map((key, at) => [key, at])]);
		ids.nan = add('mostly NaN', [
			[reward(1)],
			[reward(NaN)],
			[reward(Infinity)],
			[reward(-Infinity)],
			[reward(NaN)],
		]);
		ids.empty = add('no steps', []);
		ids.texts = store.createRun(newRun({ name: 'long texts' }));
		const recorder = store.recorder(ids.texts);
		recorder.record(started());
		const step = sampleStep(Random.from(3), smallFill, 1, 0);
		const texts = [
			'w'.repeat(200_000),
			'line\n'.repeat(50_000),
			`${' '.repeat(2000)}deep`,
			'word '.repeat(200_000),
		];
		recorder.record({
			kind: 'step',
			record: {
				...step,
				trees: step.trees.map((tree) => ({
					...tree,
					nodes: tree.nodes.map((node) => ({
						...node,
						agents: node.agents.map((agent) => ({
							...agent,
							completions: agent.completions.map((completion, at) => ({
								...completion,
								text: texts[at % texts.length] ?? '',
							})),
						})),
					})),
				})),
			},
		});
		store.close();
		application = await openApplication(database);
		await application.page.getByText('baseline').first().waitFor();
	});
	afterAll(async () => {
		await application?.close();
		rmSync(folder, { recursive: true });
	});

	test('runs of one name are told apart by more than their name', async () => {
		const { page, go } = opened();
		await go('#/runs');
		const names = page.getByRole('gridcell').filter({ hasText: 'baseline' });
		await names.first().waitFor();
		const texts = await names.allInnerTexts();
		expect(texts).toHaveLength(2);
		expect(new Set(texts).size).toBe(2);
	});

	test('every page opens for every run', async () => {
		const { page, go, complaints } = opened();
		for (const [what, id] of Object.entries(ids)) {
			for (const view of ['run', 'rollouts']) {
				await go(`#/${view}/${id}`);
				await page.waitForTimeout(100);
				expect(await page.getByText(/something went wrong/iu).count(), `${view} of ${what}`).toBe(
					0,
				);
			}
		}
		expect(complaints).toEqual([]);
	});

	test('every metric key has its chart', async () => {
		const { page, go } = opened();
		await go(`#/run/${ids.keys}`);
		await go('#/charts');
		await page.getByTitle('Chart only this run').first().waitFor();
		await page
			.getByRole('listitem')
			.filter({ hasText: 'odd keys' })
			.getByRole('button', { name: 'only' })
			.click({ force: true });
		for (const key of oddKeys) {
			const heading = page.getByRole('heading', { name: key, exact: true });
			await heading.scrollIntoViewIfNeeded();
			expect(await heading.count()).toBe(1);
		}
	});

	test('values that are not finite are counted where they are not drawn', async () => {
		const { page, go } = opened();
		await go('#/charts');
		await page
			.getByRole('listitem')
			.filter({ hasText: 'mostly NaN' })
			.getByRole('button', { name: 'only' })
			.click({ force: true });
		// Only what is on screen is drawn.
		await page.getByRole('heading', { name: 'Per-turn rewards' }).scrollIntoViewIfNeeded();
		await page
			.getByText(/4 (values )?not finite/u)
			.first()
			.waitFor();
	});

	test('a megabyte of text is shown cut, with a way to all of it', async () => {
		const { page, go, complaints } = opened();
		for (const joint of [0, 1, 2, 3]) {
			await go(`#/rollouts/${ids.texts}?step=1&item=0&purpose=train&node=0&joint=${joint}`);
			await page
				.getByRole('heading', { name: new RegExp(`joint completion ${joint + 1}`, 'u') })
				.waitFor();
		}
		expect(await page.getByRole('button', { name: /show/iu }).count()).toBeGreaterThan(0);
		expect(complaints).toEqual([]);
	});
});
