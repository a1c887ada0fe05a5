/** C147: a run that is removed, by another program, while the window shows it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { findChromium } from '../support/chromium.ts';
import { fillStore, smallFill } from '../support/fill-store.ts';
import { openApplication, type OpenApplication } from '../support/open-application.ts';

describe.skipIf(findChromium() === null)('a run that is removed while it is shown', () => {
	let folder = '';
	let other: Store;
	let application: OpenApplication;
	let ids: string[];

	beforeEach(async () => {
		folder = mkdtempSync(join(tmpdir(), 'grove-deleted-'));
		const database = join(folder, 'grove.db');
		other = await openStore({ path: database });
		ids = fillStore(other, { ...smallFill, runs: 2 });
		application = await openApplication(database);
	});
	afterEach(async () => {
		await application.close();
		other.close();
		rmSync(folder, { recursive: true });
	});

	test.each(['run', 'rollouts'])('in the view %s: says so, and leads back', async (view) => {
		const { page, go, complaints } = application;
		const [first = '', second = ''] = ids;
		await go(`#/${view}/${first}`);
		await page.getByText('env step').or(page.getByText('turn_1/reward_mean')).first().waitFor();
		other.trashRuns([first]);
		other.purgeRuns([first]);
		await page
			.getByText(/not there any more/iu)
			.locator('visible=true')
			.first()
			.waitFor();
		await go('#/runs');
		await page.getByRole('gridcell').first().waitFor();
		const rows = page.getByRole('row');
		await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(2);
		await go(`#/run/${second}`);
		await page.getByText('turn_1/reward_mean').first().waitFor();
		expect(complaints).toEqual([]);
	});
});
