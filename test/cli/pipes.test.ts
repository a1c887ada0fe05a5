/** The command among other programs: what goes through its output, and a reader that leaves early. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { filledDatabase } from '../support/filled-database.ts';
import { runGrove } from '../support/grove-command.ts';

const command = fileURLToPath(new URL('../../src-main/cli/grove.js', import.meta.url));

it('everything comes through a pipe, however long it is', async () => {
	const db = await filledDatabase();
	const { code, stdout, stderr } = await runGrove([
		'rollouts',
		'fill-7-0',
		'--texts',
		'--json',
		'--db',
		db,
	]);
	expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
	// Many times what a pipe holds.
	expect(stdout.length).toBeGreaterThan(500_000);
	expect((JSON.parse(stdout) as { trees: unknown[] }).trees).toHaveLength(14);
});

it('a reader that has seen enough is no fault', async () => {
	const db = await filledDatabase();
	const args = [command, 'rollouts', 'fill-7-0', '--texts', '--db', db];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
	let stderr = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
	child.stdout.once('data', () => child.stdout.destroy());
	const code = await new Promise((resolve) => child.once('close', resolve));
	expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
