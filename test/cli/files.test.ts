/** `grove runs export` and `import`. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { grove, jsonOf } from '../support/captured-terminal.ts';
import { filledDatabase } from '../support/filled-database.ts';
import { readCsv } from '../support/read-csv.ts';
import { temporaryFolder } from '../support/temporary-store.ts';

let db: string;
let folder: string;
beforeEach(async () => {
	db = await filledDatabase();
	folder = temporaryFolder();
});

const exported = (...words: string[]): ReturnType<typeof grove> =>
	grove('runs', 'export', ...words, '--to', folder, '--db', db);

describe('export', () => {
	it('writes a bundle that another database takes, once', async () => {
		const { path } = jsonOf(await exported('fill-7-0', 'fill-7-1', '--json')) as { path: string };
		expect(path).toBe(join(folder, '2-runs.grove'));
		const other = join(folder, 'new folder', 'other.db');
		const first = await grove('runs', 'import', path, '--db', other);
		expect(first).toMatchObject({ code: 0, stderr: '' });
		expect(first.stdout).toMatch(/^\d+ points and 28 rollout trees are new\.$/mu);
		const second = jsonOf(await grove('runs', 'import', path, '--db', other, '--json'));
		expect(second).toMatchObject({
			imported: [{ file: path, points: 0, trees: 0, runs: [{ isNew: false }, { isNew: false }] }],
		});
		const settled = async (database: string): Promise<unknown> =>
			jsonOf(await grove('rollouts', 'fill-7-1', '--texts', '--json', '--db', database));
		expect(await settled(other)).toEqual(await settled(db));
	});

	it.each([
		['metrics', 'csv', 290],
		// Of 208 joint completions of training and 2 of evaluation, each of two agents.
		['rollouts', 'csv', 2 * (208 + 2)],
		['metrics', 'jsonl', 290],
		['rollouts', 'jsonl', 14],
	])('writes all %s as %s', async (what, format, rows) => {
		const written = jsonOf(
			await exported('fill-7-1', '--format', format, '--what', what, '--json'),
		) as { path: string; rows: number; bytes: number };
		expect(written.rows).toBe(rows);
		const text = readFileSync(written.path, 'utf8');
		expect(Buffer.byteLength(text)).toBe(written.bytes);
		// The first line of the other tells of the run.
		const found = format === 'csv' ? readCsv(text).length : text.trimEnd().split('\n').length - 1;
		expect(found).toBe(rows);
	});

	it('never overwrites', async () => {
		const files = [
			await exported('fill-7-1', '--format', 'csv'),
			await exported('fill-7-1', '--format', 'csv'),
		].map(({ stdout }) => stdout.split('\n')[0] ?? '');
		expect(new Set(files).size).toBe(2);
		for (const file of files) expect(existsSync(file)).toBe(true);
	});

	it.each([
		[['fill-7-1', '--format', 'cvs'], 2, 'perhaps csv'],
		[['fill-7-1', '--what', 'metrics'], 2, '--format csv or --format jsonl'],
		[['fill-7-1', '--format', 'csv', '--checkpoints'], 2, '--format bundle'],
		[['fill-7-9'], 8, 'there is no such run'],
	])('%j is refused and writes nothing', async (words, code, message) => {
		const result = await exported(...words);
		expect(result.code).toBe(code);
		expect(result.stderr).toContain(message);
		expect(readdirSync(folder)).toEqual([]);
	});
});

describe('import', () => {
	it.each([
		['is not there', null, 'there is no such file'],
		['is no bundle', 'plain text', 'x.grove'],
	])('refuses a file that %s', async (_, content, message) => {
		const file = join(folder, 'x.grove');
		if (content !== null) writeFileSync(file, content);
		const other = join(folder, 'other.db');
		const { code, stderr } = await grove('runs', 'import', file, '--db', other);
		expect(code).toBe(2);
		expect(stderr).toContain(message);
		if (content === null) expect(existsSync(other)).toBe(false);
	});
});
