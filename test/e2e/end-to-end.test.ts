/** The demo, from the command to the screen: one set of numbers in the table, the chart, the tree and the database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { formatDelta, formatNumber } from '../../src-renderer/logic/format-number.ts';
import { findChromium } from '../support/chromium.ts';
import { runGrove } from '../support/grove-command.ts';
import { openApplication, type OpenApplication } from '../support/open-application.ts';

/** Two epochs: every prompt is visited twice. */
const steps = 8;
const mean = z.array(z.object({ step: z.int(), value: z.number() }));
const node = z.object({ turn: z.int(), rewards: z.string() });

describe.skipIf(findChromium() === null)('the demo in the application', () => {
	const folder = mkdtempSync(join(tmpdir(), 'grove-e2e-'));
	const path = join(folder, 'grove.db');
	let output = '';
	let application: OpenApplication | undefined;

	function opened(): OpenApplication {
		if (application === undefined) throw new Error('the application did not open');
		return application;
	}

	/** The mean reward of a turn, from the logged nodes alone: per node, then over nodes. */
	function rewardMeans(turn: 1 | 2): z.output<typeof mean> {
		const database = new Database(path, { readonly: true });
		try {
			return mean.parse(
				database
					.prepare(
						`SELECT t.step AS step, avg((SELECT avg(value) FROM json_each(n.rewards))) AS value
						FROM trees t JOIN nodes n ON n.id >= t.first_node AND n.id < t.first_node + t.nodes
						WHERE n.turn = ? GROUP BY t.step ORDER BY t.step`,
					)
					.all(turn),
			);
		} finally {
			database.close();
		}
	}

	function nodesOfStep(step: number): { turn: number; rewards: number[] }[] {
		const database = new Database(path, { readonly: true });
		try {
			return z
				.array(node)
				.parse(
					database
						.prepare(
							`SELECT n.turn AS turn, n.rewards AS rewards
							FROM trees t JOIN nodes n ON n.id >= t.first_node AND n.id < t.first_node + t.nodes
							WHERE t.step = ? ORDER BY n.id`,
						)
						.all(step),
				)
				.map(({ turn, rewards }) => ({
					turn,
					rewards: z.array(z.number()).parse(JSON.parse(rewards)),
				}));
		} finally {
			database.close();
		}
	}

	beforeAll(async () => {
		// No early termination: each step has both turns.
		const result = await runGrove([
			'demo',
			...['--steps', String(steps), '--seed', '5', '--db', path],
			...['--set', 'early_termination_threshold=null', '--set', 'model=bundled:grove-tiny'],
		]);
		output = result.stdout + result.stderr;
		expect(result.code, output).toBe(0);
		application = await openApplication(path);
	});
	afterAll(async () => {
		await application?.close();
		rmSync(folder, { recursive: true });
	});

	test('the terminal prints both means of each step', () => {
		for (const turn of [1, 2] as const) {
			expect(rewardMeans(turn)).toHaveLength(steps);
			for (const { value } of rewardMeans(turn)) expect(output).toContain(value.toFixed(3));
		}
	});

	test('the first screen has both turns and their difference', async () => {
		const first = rewardMeans(1).at(-1)?.value ?? NaN;
		const second = rewardMeans(2).at(-1)?.value ?? NaN;
		const row = opened().page.getByRole('row').filter({ hasText: 'demo' }).first();
		await row.waitFor();
		const text = await row.innerText();
		expect(text).toContain(formatNumber(first));
		expect(text).toContain(formatNumber(second));
		expect(text).toContain(formatDelta(second - first));
	});

	test.each([1, 2] as const)('the chart of turn %i draws each mean', async (turn) => {
		const chart = opened()
			.page.getByRole('slider', { name: `turn_${turn}/reward_mean` })
			.first();
		await chart.focus();
		await chart.press('Home');
		const values: string[] = [];
		for (let step = 1; step <= steps; step++) {
			values.push((await chart.getAttribute('aria-valuetext')) ?? '');
			await chart.press('ArrowRight');
		}
		const expected = rewardMeans(turn).map(({ value }) => formatNumber(value));
		expect(values.map((text) => text.split(' ').at(-1))).toEqual(expected);
	});

	test('the table of runs has them', async () => {
		await opened().go('#/runs');
		const row = opened().page.getByRole('row').filter({ hasText: 'finished' });
		await row.waitFor();
		const cells = await row.getByRole('gridcell').allInnerTexts();
		for (const turn of [1, 2] as const)
			expect(cells).toContain(formatNumber(rewardMeans(turn).at(-1)?.value));
		expect(cells.some((text) => text.includes(`${steps}`))).toBe(true);
	});

	test.each([1, steps])('the tree of step %i has each reward', async (step) => {
		await opened().go('#/rollouts');
		await opened()
			.page.getByRole('option')
			.filter({ hasText: new RegExp(`step ${step}(?!\\d)`) })
			.first()
			.click();
		await opened().page.getByText(`Step ${step}:`).first().waitFor();
		const tree = opened().page.getByRole('application', { name: /Rollout tree/ });
		await tree.waitFor();
		const shown = (await tree.locator('svg text').allTextContents()).map((text) => text.trim());
		const logged = nodesOfStep(step).flatMap(({ rewards }) => rewards);
		expect(logged.length).toBe(4 + 4 * 4);
		expect(shown.toSorted()).toEqual(logged.map((value) => formatNumber(value, 3)).toSorted());
	});

	test('the strip of a prompt goes through its steps and keeps the branch', async () => {
		const { page, go } = opened();
		await go('#/rollouts');
		await page.getByRole('button', { name: 'Every step' }).click();
		const strip = page.getByRole('listbox', { name: /This prompt at every step/ });
		const frames = strip.getByRole('option');
		await expect.poll(() => frames.count()).toBe(2);
		await strip.press('Home');
		await expect.poll(() => frames.first().getAttribute('aria-selected')).toBe('true');
		const label = await frames.first().getAttribute('aria-label');
		const [, step = ''] = /^step (\d+),/.exec(label ?? '') ?? [];
		await page.getByText(`Step ${step}:`).first().waitFor();
		expect(new URL(page.url()).hash).toContain('film=1');
	});

	test('nothing went wrong in the window', () => {
		expect(opened().complaints).toEqual([]);
	});
});
