/** Names and texts that would like to be more than text (C106, C107): shown as they are in every view, and nothing of them runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../src-main/contract/random.ts';
import type { RolloutTree } from '../../src-main/contract/tree.ts';
import { openStore } from '../../src-main/store/index.ts';
import { findChromium } from '../support/chromium.ts';
import { sampleStep, smallFill } from '../support/fill-store.ts';
import { newRun, started } from '../support/new-run.ts';
import { openApplication, type OpenApplication } from '../support/open-application.ts';

const payloads = [
	`<img src=x onerror="document.title='owned'">`,
	`<script>document.title='owned'</script>`,
	`<svg onload="document.title='owned'">`,
	`<iframe src="javascript:parent.document.title='owned'"></iframe>`,
	`[click](javascript:document.title='owned')`,
	`</textarea><style>*{display:none}</style>`,
	`{@html '<b>x</b>'} {{constructor.constructor('document.title="owned"')()}}`,
	`"><input autofocus onfocus="document.title='owned'">`,
	`<base href="https://example.invalid/"><form action="https://example.invalid/"><button>go</button></form>`,
	`<meta http-equiv=refresh content="0;url=https://example.invalid/">`,
	`<details open ontoggle="document.title='owned'">x</details>`,
	'&lt;b&gt; stays as typed \u202Egnp.exe',
];

/** A tree all of whose texts are one. */
function treeOf(tree: RolloutTree, text: string): RolloutTree {
	return {
		...tree,
		itemId: text,
		title: text,
		nodes: tree.nodes.map((node) => ({
			...node,
			agents: node.agents.map((agent) => ({
				...agent,
				prompt: text,
				rawPrompt: text,
				completions: agent.completions.map((completion) => ({ ...completion, text })),
			})),
			joints: node.joints.map((joint) => ({
				...joint,
				rewardParts: { [text]: 1 },
				taskMetrics: { [text]: 2 },
			})),
		})),
	};
}

describe.skipIf(findChromium() === null)('hostile texts', () => {
	const folder = mkdtempSync(join(tmpdir(), 'grove-hostile-'));
	const database = join(folder, 'grove.db');
	const ids: string[] = [];
	let application: OpenApplication | undefined;
	let title = '';

	beforeAll(async () => {
		const store = await openStore({ path: database });
		for (const [at, text] of payloads.entries()) {
			const id = store.createRun(
				newRun({
					name: text,
					project: text,
					tags: [text],
					notes: text,
					config: { task: text, [text]: text },
					configText: `task: ${JSON.stringify(text)}\n`,
					task: { name: text, path: null, text, hash: String(at).padStart(64, '0') },
					model: text,
					agents: [
						{ name: text, model: text },
						{ name: 'b', model: text },
					],
				}),
			);
			ids.push(id);
			const recorder = store.recorder(id);
			recorder.record(started());
			const step = sampleStep(Random.from(1, at), { ...smallFill, keys: 8 }, 1, 0);
			recorder.record({
				kind: 'step',
				record: {
					...step,
					trees: step.trees.map((tree) => treeOf(tree, text)),
					metrics: [...step.metrics, { key: text, value: 1 }],
				},
			});
			recorder.record({ kind: 'log', level: 'error', source: 'task', text, step: 1 });
			recorder.record({
				kind: 'failed',
				step: 1,
				error: { kind: 'task', message: text, complaints: [] },
			});
		}
		store.close();
		application = await openApplication(database);
		await application.page.getByText('Charts').first().waitFor();
		title = await application.page.title();
	});
	afterAll(async () => {
		await application?.close();
		rmSync(folder, { recursive: true });
	});

	test.each([
		['charts', () => ['#/charts']],
		['runs', () => ['#/runs']],
		['compare', () => ['#/compare']],
		['rollouts', () => ids.map((id) => `#/rollouts/${id}`)],
		['run', () => ids.map((id) => `#/run/${id}`)],
		['new run', () => ['#/new']],
		['models', () => ['#/models']],
		['settings', () => ['#/settings']],
	] satisfies [string, () => string[]][])('are text in %s', async (_, hashes) => {
		if (application === undefined) throw new Error('the application did not open');
		const { page, complaints } = application;
		const address = new URL(page.url());
		for (const hash of hashes()) {
			await application.go(hash);
			await page.waitForTimeout(150);
			expect(await page.title()).toBe(title);
			const made = await page.evaluate(
				() =>
					document.querySelectorAll(
						'script:not([src]), iframe, base, meta[http-equiv=refresh], [onerror], [onload], [onfocus], [ontoggle]',
					).length,
			);
			expect(made).toBe(0);
			expect(new URL(page.url()).origin).toBe(address.origin);
			await page.getByRole('navigation').first().isVisible();
		}
		expect(complaints).toEqual([]);
	});

	test('are shown whole, with what would reorder them made visible', async () => {
		if (application === undefined) throw new Error('the application did not open');
		const { page } = application;
		await application.go(`#/rollouts/${ids[0] ?? ''}`);
		await page
			.getByText(payloads[0] ?? '')
			.locator('visible=true')
			.first()
			.waitFor();
		await application.go(`#/rollouts/${ids.at(-1) ?? ''}`);
		await page.getByText('U+202E').locator('visible=true').first().waitFor();
	});
});
