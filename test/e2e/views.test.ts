/** Every view on the data of real runs, at several sizes, light and dark: nothing goes wrong, axe finds nothing serious, and a picture is kept. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findChromium } from '../support/chromium.ts';
import { runGrove } from '../support/grove-command.ts';
import { openApplication, type Look, type OpenApplication } from '../support/open-application.ts';

const pictures = join(import.meta.dirname, 'screenshots');

/** What axe's answer is read for. */
const axeResult = z.object({
	violations: z.array(
		z.object({
			id: z.string(),
			impact: z.string().nullish(),
			nodes: z.array(z.object({ html: z.string() })),
		}),
	),
});

const looks: (Look & { name: string })[] = [
	{ name: 'wide-light', width: 1440, height: 900, colorScheme: 'light' },
	{ name: 'wide-dark', width: 1440, height: 900, colorScheme: 'dark' },
	{ name: 'narrow-light', width: 820, height: 700, colorScheme: 'light' },
];

describe.skipIf(findChromium() === null)('every view', () => {
	const folder = mkdtempSync(join(tmpdir(), 'grove-views-'));
	const database = join(folder, 'grove.db');
	let firstRun = '';

	beforeAll(async () => {
		mkdirSync(pictures, { recursive: true });
		const common = ['--db', database, '--json', '--set', 'model=bundled:grove-tiny'];
		const both = ['--set', 'early_termination_threshold=null'];
		for (const extra of [
			['demo', '--steps', '6', '--seed', '1', '--name', 'aligned', ...both],
			['demo', '--steps', '4', '--seed', '2', '--name', 'early termination'],
			['demo', '--steps', '2', '--seed', '3', '--name', 'cross', '--set', 'joint_mode=cross'],
		]) {
			const result = await runGrove([...extra, ...common]);
			expect(result.code, result.stderr).toBe(0);
			const { id } = z.object({ id: z.string() }).parse(JSON.parse(result.stdout));
			if (firstRun === '') firstRun = id;
		}
	});
	afterAll(() => {
		rmSync(folder, { recursive: true });
	});

	describe.each(looks)('$name', (look) => {
		let application: OpenApplication | undefined;
		beforeAll(async () => {
			application = await openApplication(database, look);
		});
		afterAll(async () => {
			await application?.close();
		});

		test.each([
			['charts', () => '#/charts', 'aligned'],
			['runs', () => '#/runs', 'early termination'],
			['compare', () => '#/compare', 'aligned'],
			['rollouts', () => `#/rollouts/${firstRun}`, 'Step 6'],
			['run', () => `#/run/${firstRun}`, 'aligned'],
			['new', () => '#/new', 'num_generations'],
			['models', () => '#/models', 'grove-small'],
			['settings', () => '#/settings', 'grove.db'],
		] satisfies [string, () => string, string][])('%s', async (name, hash, sign) => {
			if (application === undefined) throw new Error('the application did not open');
			const { page } = application;
			if (name === 'compare') {
				await application.go('#/runs');
				await page.getByRole('checkbox', { name: 'Select all' }).check();
			}
			await application.go(hash());
			await page.getByText(sign).locator('visible=true').first().waitFor();
			// Whatever is still being read has 10 seconds to come.
			await page.waitForFunction(
				() => document.querySelector('[aria-busy="true"]') === null,
				null,
				{
					timeout: 10_000,
				},
			);
			await page.screenshot({ path: join(pictures, `${name}-${look.name}.png`) });
			await page.evaluate(axe.source);
			const answer: unknown = await page.evaluate(
				'axe.run(document, { resultTypes: ["violations"] })',
			);
			const serious = axeResult
				.parse(answer)
				.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
			expect(
				serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
			).toEqual([]);
			const overflow = await page.evaluate(
				() => document.documentElement.scrollWidth - window.innerWidth,
			);
			expect(overflow).toBeLessThanOrEqual(0);
			expect(application.complaints).toEqual([]);
		});
	});
});
