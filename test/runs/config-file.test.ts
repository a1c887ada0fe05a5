import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultConfig, parseConfig } from '../../src-main/contract/config.ts';
import {
	checkConfigText,
	configToYaml,
	parseYaml,
	readConfigFile,
} from '../../src-main/runs/config-file.ts';

function refusal(text: string | Uint8Array): string {
	const result = checkConfigText(typeof text === 'string' ? text : '', 'c.yaml');
	if (result.ok) throw new Error('accepted');
	return result.complaints
		.map((complaint) => `${complaint.where ?? ''}: ${complaint.what}`)
		.join('\n');
}

function valueOf(text: string): unknown {
	const parsed = parseYaml(text, 'c.yaml');
	return parsed.ok ? parsed.value : parsed.complaints;
}

describe('configuration text', () => {
	it('reads YAML 1.2 numbers as numbers and leaves the rest as text', () => {
		expect(
			valueOf(
				'a: 1e-5\nb: 1E5\nc: .5\nd: 1_000\ne: 0o17\nf: 010\ng: 0x10\nh: yes\ni: ~\nj: 12:30:00\nk: 2001-01-01\nl: "4"',
			),
		).toEqual({
			a: 1e-5,
			b: 1e5,
			c: 0.5,
			d: '1_000',
			e: 15,
			f: 10,
			g: 16,
			h: 'yes',
			i: null,
			j: '12:30:00',
			k: '2001-01-01',
			l: '4',
		});
	});

	it('refuses a learning rate that is text, with key and line', () => {
		expect(refusal('name: x\nagent_learning_rate: 1_000\n')).toBe(
			'c.yaml, line 2: agent_learning_rate: not a legal value',
		);
	});

	it('names the line of a wrong value inside a list of agents', () => {
		expect(refusal('agents:\n  - name: a\n  - frozen: maybe\n')).toContain(
			'c.yaml, line 3: agents[1].frozen',
		);
	});

	it.each([
		['', 'empty'],
		['# only a comment\n', 'empty'],
		['- a\n- b\n', 'a configuration is a map'],
		['just text\n', 'a configuration is a map'],
		['a: 1\n---\nb: 2\n', 'several YAML documents'],
		['seed: 1\nseed: 2\n', 'line 2: the key seed stands twice'],
		['name:\n\t- x\n', 'Tabs are not allowed'],
		['name: !!js/function "f"\n', 'Unresolved tag'],
		[
			'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n',
			'alias',
		],
		['<<: {seed: 1}\n', 'unknown key'],
		['seed: 9007199254740993\n', 'seed: not a legal value'],
	])('refuses %j', (text, reason) => {
		expect(refusal(text)).toContain(reason);
	});

	it('shows a too large integer as it was written, not rounded', () => {
		const result = checkConfigText('seed: 18446744073709551615', 'c.yaml');
		expect(!result.ok && result.complaints[0]?.given).toBe('18446744073709551615');
	});

	it('reads JSON and a byte order mark', () => {
		expect(checkConfigText('\ufeff{"num_turns": 3}', 'c.json')).toMatchObject({
			ok: true,
			config: { num_turns: 3 },
		});
	});

	it('round trips through YAML, leaving out defaults', () => {
		const config = {
			...defaultConfig(),
			name: 'a: "b" # c',
			stop: ['\n', '---'],
			agent_learning_rate: 1e-5,
			agents: [{ name: 'x' }, { model: 'y' }],
		};
		const text = configToYaml(config);
		expect(text.split('\n').length).toBeLessThan(14);
		const again = checkConfigText(text, 'c.yaml');
		expect(again.ok && again.config).toEqual(config);
		const all = checkConfigText(configToYaml(defaultConfig(), true), 'c.yaml');
		expect(all.ok && all.config).toEqual(defaultConfig());
		expect(parseConfig(valueOf(configToYaml(defaultConfig()))).ok).toBe(true);
	});
});

describe('configuration files', () => {
	const folder = mkdtempSync(join(tmpdir(), 'grove config Ä '));

	it('are read with their folder', async () => {
		const path = join(folder, 'a.yaml');
		writeFileSync(path, 'num_turns: 3\n');
		expect(await readConfigFile(path)).toMatchObject({
			path,
			folder,
			config: { num_turns: 3 },
			given: ['num_turns'],
		});
	});

	it.each([
		['utf16.yaml', Buffer.from('\ufeffseed: 1', 'utf16le'), 'not UTF-8'],
		['latin1.yaml', Buffer.from('name: caf\u00e9', 'latin1'), 'not UTF-8'],
	])('%s is refused by its encoding', async (name, bytes, reason) => {
		writeFileSync(join(folder, name), bytes);
		await expect(readConfigFile(join(folder, name))).rejects.toThrow(reason);
	});

	it('that are missing or folders are named in full', async () => {
		await expect(readConfigFile(join(folder, 'none.yaml'))).rejects.toThrow(
			join(folder, 'none.yaml'),
		);
		await expect(readConfigFile(folder)).rejects.toThrow('is a folder');
	});
});
