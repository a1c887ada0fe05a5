/** What people reported of configuration files (C007, C062, C098, C112, C131, C135, C145), through the real command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src-main/contract/config.ts';
import { configToYaml, parseYaml } from '../../src-main/runs/config-file.ts';
import { runGrove, type CommandResult } from '../support/grove-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'grove-case-config-'));
afterAll(() => {
	rmSync(folder, { recursive: true });
});

let count = 0;
/** `grove config check` of a file with this content. */
async function check(content: string | Uint8Array, extension = 'yaml'): Promise<CommandResult> {
	const path = join(folder, `c${++count}.${extension}`);
	writeFileSync(path, content);
	return runGrove(['config', 'check', path]);
}

async function refusal(content: string | Uint8Array, extension?: string): Promise<string> {
	const { code, stderr, stdout } = await check(content, extension);
	expect(code, stdout + stderr).toBe(2);
	expect(stderr).not.toMatch(/\n\s+at /u);
	return stderr;
}

describe('C112: __proto__ and its kind', () => {
	test.each([
		['yaml', 'task: story\n__proto__:\n  agent_learning_rate: 99\n', '__proto__'],
		['json', '{"task": "story", "__proto__": {"agent_learning_rate": 99}}', '__proto__'],
		['yaml', 'task: story\nconstructor:\n  prototype:\n    polluted: true\n', 'constructor'],
		[
			'yaml',
			'base: &base {__proto__: {polluted: yes}}\ntask: story\nreward_processor:\n  <<: *base\n',
			'base',
		],
		['json', '{"task": "story", "__proto__.dotted": 1}', '__proto__.dotted'],
	])('%s: %s is refused as unknown', async (extension, text, key) => {
		expect(await refusal(text, extension)).toContain(key);
		const parsed = parseYaml(text, 'c.yaml');
		if (parsed.ok) parseConfig(parsed.value);
		expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
		expect(Reflect.get({}, 'agent_learning_rate')).toBeUndefined();
	});
});

describe('C131: values without end', () => {
	test('task options of any size and depth are kept whole', () => {
		let deep: unknown = 'bottom';
		for (let level = 0; level < 60; level++) deep = { [`level${level}`]: deep };
		const options = {
			long: 'x'.repeat(200_000),
			deep,
			list: Array.from({ length: 10_000 }, (_, at) => at),
			many: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key${at}`, at])),
			['k'.repeat(1000)]: 1,
			'': 'empty key',
		};
		const result = parseConfig({ task: 'story', task_options: options });
		if (!result.ok) throw new Error(result.complaints[0]?.what);
		expect(result.config.task_options).toEqual(options);
		const again = parseYaml(configToYaml(result.config), 'c.yaml');
		if (!again.ok) throw new Error(again.complaints[0]?.what);
		expect(again.value).toMatchObject({ task_options: options });
	});
});

test('C135: dotted names and nested ones stay apart, and go round unchanged', () => {
	const options = {
		'a.b': 1,
		a: { b: 2, 'c.d': 3 },
		'a/b': 4,
		'a[0]': 5,
		list: ['x', 'y'],
		'list.0': 'z',
		nothing: null,
		empty: {},
		none: [],
	};
	const result = parseConfig({ task: 'story', task_options: options });
	if (!result.ok) throw new Error(result.complaints[0]?.what);
	const again = parseYaml(configToYaml(result.config), 'c.yaml');
	expect(again.ok && again.value).toMatchObject({ task_options: options });
});

test.each([
	['two keys of one name', 'task: story\ntask: tldr\n', /line 2: .*unknown key|twice/u],
	['a duplicate key', 'num_turns: 2\nnum_turns: 1\n', /line 2.*num_turns|num_turns.*line 2/su],
])('C135, C145: %s is refused', async (_, text, sign) => {
	expect(await refusal(text)).toMatch(sign);
});

describe('C145: texts that look like numbers', () => {
	test.each([
		['1e-5', 1e-5],
		['1.0e-5', 1e-5],
		['.5', 0.5],
		['+1e-5', 1e-5],
	])('agent_learning_rate: %s is a number', async (text, value) => {
		const { code, stdout, stderr } = await check(`task: story\nagent_learning_rate: ${text}\n`);
		expect(code, stdout + stderr).toBe(0);
		const parsed = parseYaml(`v: ${text}`, 'c.yaml');
		expect(parsed.ok && parsed.value).toEqual({ v: value });
	});

	test.each([
		'1_000',
		'0b11',
		'yes',
		'on',
		'12:30:00',
		'2024-01-02',
		"'1e-5'",
		'10%',
		'!!str 5',
		'.inf',
		'.nan',
	])('agent_learning_rate: %s is refused with key and line', async (text) => {
		const message = await refusal(`task: story\nagent_learning_rate: ${text}\n`);
		expect(message).toContain('line 2');
		expect(message).toContain('agent_learning_rate');
	});
});

describe('C145: files that are no configuration', () => {
	test.each([
		[
			'an alias bomb',
			`a: &a [${'x,'.repeat(9)}x]\n${['b', 'c', 'd', 'e', 'f', 'g'].map((name, at) => `${name}: &${name} [${`*${'abcdef'[at] ?? ''},`.repeat(9)}]`).join('\n')}\n`,
			/alias|anchor/iu,
		],
		['a wrong indent', 'a:\n  b: 1\n c: 2\n', /line 3/u],
		['a tab', 'reward_processor:\n\tscale: 1\n', /line 2.*tab/isu],
		['a list', '- task: story\n', /list|map/iu],
		['a word', 'story\n', /map|key/iu],
		['nothing but a comment', '# nothing\n', /empty|nothing|map/iu],
		['two documents', 'task: story\n---\ntask: story\n', /document/iu],
		['a JavaScript tag', "seed: !!js/function 'function () {}'\n", /tag|line 1/iu],
		['UTF-16', Buffer.from('\uFEFFtask: story\n', 'utf16le'), /UTF-16/u],
	])('%s is told in a sentence', async (_, content, sign) => {
		expect(await refusal(content)).toMatch(sign);
	});

	test.each([
		['a comment', '{"task": "story" /* why */ }'],
		['single quotes', "{'task': 'story'}"],
		['a trailing comma', '{"task": "story",}'],
	])('JSON with %s is read or refused in a sentence', async (_, text) => {
		const { code, stderr } = await check(text, 'json');
		expect([0, 2]).toContain(code);
		if (code === 2) expect(stderr).toMatch(/line 1/u);
	});

	test('a byte order mark and CRLF are fine', async () => {
		expect((await check('\uFEFFtask: story\r\nseed: 1\r\n')).code).toBe(0);
	});
});

test('C145: an unknown key is told with the nearest', async () => {
	const message = await refusal('task: story\nnum_turn: 2\nLearningRate: 0.3\n');
	expect(message).toContain('num_turns');
	expect(message).toContain('LearningRate');
});

test('C098: a seed beyond 2^53 is used exactly or refused, never rounded', async () => {
	for (const seed of ['9007199254740993', '18446744073709551615']) {
		const { code, stderr } = await check(`task: story\nseed: ${seed}\n`);
		if (code === 0) {
			const { stdout } = await runGrove(['config', 'print', join(folder, `c${count}.yaml`)]);
			expect(stdout).toContain(seed);
		} else expect(stderr).toContain(seed);
	}
});

test('the effective configuration can be seen before a start', async () => {
	const path = join(folder, 'print.yaml');
	writeFileSync(path, 'task: story\nnum_generations: 3\n');
	const { code, stdout } = await runGrove(['config', 'print', path]);
	expect(code).toBe(0);
	expect(stdout).toContain('num_generations: 3');
	expect(stdout).toContain('max_new_tokens');
});
