import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { configKeys } from '../../src-main/contract/config.ts';
import { grove, jsonOf } from '../support/captured-terminal.ts';
import { temporaryFolder } from '../support/temporary-store.ts';

let file: string;
beforeEach(() => {
	file = join(temporaryFolder(), 'run.yaml');
});

describe('config keys', () => {
	it('lists every key with its default, for people and programs', async () => {
		const { code, stdout } = await grove('config', 'keys');
		expect(code).toBe(0);
		for (const key of configKeys) expect(stdout).toMatch(new RegExp(`^ {2}${key}: `, 'mu'));
		const described = jsonOf(await grove('config', 'keys', '--json')) as { key: string }[];
		expect(described.map(({ key }) => key)).toEqual(configKeys);
	});
});

describe('config check and print', () => {
	it('accept a file that is right, and show what it comes to', async () => {
		writeFileSync(file, 'num_turns: 3\nseed: 7\n');
		expect((await grove('config', 'check', file)).stdout).toContain('is right: 2 keys given');
		expect(jsonOf(await grove('config', 'check', file, '--json'))).toMatchObject({ ok: true });
		expect(jsonOf(await grove('config', 'print', file, '--json'))).toMatchObject({
			num_turns: 3,
			seed: 7,
			num_generations: 4,
		});
		expect((await grove('config', 'print', file)).stdout).toMatch(/^num_turns: 3$/mu);
	});

	it.each([
		['num_turn: 3', 'perhaps num_turns'],
		['num_turns: none', 'num_turns'],
		['num_turns: 99', 'from 1 to 64'],
		['num_turns: [', 'line 1'],
	])('refuse %j with the place', async (text, message) => {
		writeFileSync(file, text);
		const { code, stderr } = await grove('config', 'check', file);
		expect(code).toBe(2);
		expect(stderr).toContain(message);
	});

	it('refuse a file that is not there', async () => {
		const { code, stderr } = await grove('config', 'print', file);
		expect(code).toBe(2);
		expect(stderr).toContain(file);
	});
});
