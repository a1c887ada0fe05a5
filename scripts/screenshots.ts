/**
 * Takes the pictures of README.md from the present application: `npm run screenshots`. Trains the runs that
 * they show first (the long demo with seed 3 and two short ones, some five minutes on two cores); `--db FILE`
 * takes them from a database that has them already.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { openStore } from '../src-main/store/index.ts';
import { runGrove } from '../test/support/grove-command.ts';
import { openApplication } from '../test/support/open-application.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'resources', 'screenshots');

async function trainRuns(): Promise<string> {
	const path = join(mkdtempSync(join(tmpdir(), 'grove-screenshots-')), 'grove.db');
	for (const args of [
		['demo', '--seed', '1'],
		['demo', '--seed', '2', '--name', 'cross mode', '--set', 'joint_mode=cross'],
		['demo', '--learn', '--seed', '3'],
	]) {
		console.log(`grove ${args.join(' ')}`);
		const { code, stderr } = await runGrove([...args, '--db', path]);
		if (code !== 0) throw new Error(stderr);
	}
	return path;
}

const { values } = parseArgs({ options: { db: { type: 'string' } } });
const database = values.db ?? (await trainRuns());
const store = await openStore({ path: database, mustExist: true });
const { runs } = store.listRuns({ include: 'all', keys: [] });
store.close();
const learning = runs.find(({ name }) => name.endsWith('learning'));
const others = runs.filter((run) => run !== learning);
if (learning === undefined || others.length < 2)
	throw new Error(`${database} lacks the runs that the pictures show`);

await build({
	configFile: join(root, 'vite.config.ts'),
	root: join(root, 'src-renderer'),
	logLevel: 'warn',
});
const { page, go, close } = await openApplication(database, { width: 1440, height: 860 });
const settle = async (): Promise<void> => {
	await page.waitForLoadState('networkidle');
	await page.waitForTimeout(800);
};
const picture = async (name: string): Promise<void> => {
	await settle();
	await page.screenshot({ path: join(folder, `${name}.png`) });
	console.log(`${name}.png`);
};

await go('#/runs');
await picture('runs');
await go('#/charts');
await picture('charts');
await page.getByLabel('smoothing').selectOption({ label: 'EMA 0.9' });
await page
	.getByRole('listitem')
	.filter({ hasText: learning.name })
	.getByRole('button', { name: 'only' })
	.click({ force: true });
await page.mouse.move(0, 0);
await picture('demo-learn');
await go(`#/rollouts/${learning.id}?step=10&item=1&purpose=train&node=1&joint=0`);
await picture('rollouts');
await go(
	`#/compare/${others
		.map(({ id }) => id)
		.slice(0, 2)
		.join('/')}`,
);
await picture('compare');
await close();
process.exit(0);
