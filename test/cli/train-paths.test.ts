/** Paths of a file are relative to the file, typed ones to where one stands. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runGrove } from '../support/grove-command.ts';
import { writeModelFolder } from '../support/model-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'grove-train-paths-'));
const elsewhere = join(folder, 'elsewhere');
mkdirSync(elsewhere);
afterAll(() => {
	rmSync(folder, { recursive: true });
});
writeModelFolder(join(folder, 'beside-the-file'));
writeModelFolder(join(elsewhere, 'here'));
writeFileSync(
	join(folder, 'run.yaml'),
	'task: length-ratio\nnum_turns: 1\nmodel: ./beside-the-file\nmax_steps: 1\nnum_generations: 2\nmax_new_tokens: 4\n',
);
const train = (...more: string[]): ReturnType<typeof runGrove> =>
	runGrove(
		['train', join(folder, 'run.yaml'), '--db', join(folder, 'grove.db'), ...more],
		elsewhere,
	);

test('a model of the file is looked for beside the file', async () => {
	const { code, stderr } = await train();
	expect(code, stderr).toBe(0);
});

test('a typed model is looked for from where one stands', async () => {
	const { code, stderr } = await train('--set', 'model=./here');
	expect(code, stderr).toBe(0);
	const missing = await train('--set', 'model=./beside-the-file');
	expect(missing.code).toBe(2);
	expect(missing.stderr).toContain(join(elsewhere, 'beside-the-file'));
});
