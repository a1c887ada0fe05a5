/** What a task file may be, and what is said of one that cannot be used. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GroveError } from '../../src-main/contract/errors.ts';
import {
	contextOf,
	contexts,
	messageOf,
	open,
	openText,
	temporaryFolder,
	writeFiles,
} from './task-files.ts';

async function totals(text: string, name?: string): Promise<unknown[]> {
	const task = await openText(text, {}, name);
	const outcomes = await task.rewards(contexts(2));
	return outcomes.map((outcome) => (outcome.kind === 'scored' ? outcome.total : outcome.message));
}

describe('a task file', () => {
	it.each([
		[
			'a default export by defineTask',
			"import { defineTask } from 'grove/task';\nexport default defineTask({ reward: () => 1 });",
			'task.ts',
		],
		['a plain default export', 'export default { reward: () => 1 };', 'task.mjs'],
		['a default export that is the reward', 'export default () => 1;', 'task.mjs'],
		['named exports', 'export const reward = () => 1;', 'task.mjs'],
		['CommonJS', 'module.exports = { reward: () => 1 };', 'task.cjs'],
		['CommonJS in .js', 'module.exports = () => 1;', 'task.js'],
		[
			'required defineTask',
			"module.exports = require('grove/task').defineTask({ reward: () => 1 });",
			'task.cjs',
		],
		[
			'types that are removed',
			'type In = { text: string };\nexport default (..._: In[]): number => 1;',
			'task.ts',
		],
		['an error of types only', "const n: number = 'text';\nexport default () => 1;", 'task.ts'],
		[
			'top-level await',
			'await new Promise((r) => setTimeout(r, 20));\nexport default () => 1;',
			'task.mjs',
		],
		['an async reward', 'export default async () => 1;', 'task.mjs'],
		[
			'rewards of a whole turn',
			'export const rewards = (contexts) => contexts.map(() => 1);',
			'task.mjs',
		],
		[
			'many',
			'export const rewards = async (contexts) => contexts.map(() => ({ parts: { a: 1 } }));',
			'task.mjs',
		],
	])('may have %s', async (_, text, name) => {
		expect(await totals(text, name)).toEqual([1, 1]);
	});

	it('may import its neighbours and JSON; all of it is stored by name', async () => {
		const folder = writeFiles({
			'task.ts':
				"import { half } from './parts/half.ts';\nimport data from './data.json' with { type: 'json' };\nexport default () => half() + data.x;\n",
			'parts/half.ts': 'export const half = (): number => 0.5;\n',
			'data.json': '{"x": 0.25}',
		});
		const task = await open({ task: join(folder, 'task.ts') });
		expect(await task.rewards(contexts(1))).toMatchObject([{ total: 0.75 }]);
		expect(task.source.text).toContain('===== parts/half.ts =====\nexport const half');
		expect(task.source.text).toContain('===== task.ts =====');
		expect(task.source.path).toBe(join(folder, 'task.ts'));
	});

	it('alone is stored exactly, with its hash', async () => {
		const text = '\ufeff// a comment\r\nexport default () => 1;\r\n';
		const task = await openText(text);
		expect(task.source.text).toBe(text);
		expect(task.source.hash).toBe(createHash('sha256').update(text).digest('hex'));
		expect(task.name).toBe('task');
	});

	it.each([
		'with%20percent #1',
		'dollar$HOME',
		'semi;colon',
		'-dash',
		'emoji 🌳',
		"o'neil & co",
		'x'.repeat(200),
		'Täst 实验',
	])('may lie in a folder called %s', async (name) => {
		const folder = join(temporaryFolder(), name);
		mkdirSync(folder);
		writeFileSync(
			join(folder, 'täsk #1 100%.mjs'),
			"export default { reward: () => 1, dataset: 'däta #%.jsonl' };",
		);
		writeFileSync(join(folder, 'däta #%.jsonl'), '{"prompt": "hello"}');
		const task = await open({ task: 'täsk #1 100%.mjs', baseFolder: folder, prompts: null });
		expect(task.train[0]?.prompt).toBe('hello');
		expect(await task.rewards(contexts(1))).toMatchObject([{ total: 1 }]);
	});
});

describe('a file that cannot be loaded is told in a sentence with its line', () => {
	it.each([
		[
			'an enum',
			'\nenum Level { Low = 1 }\nexport default () => Level.Low;',
			'task.ts',
			/task\.ts:2: enum is not supported/u,
		],
		[
			'a const enum',
			'const enum L { A = 1 }\nexport default () => L.A;',
			'task.ts',
			/task\.ts:1: enum/u,
		],
		[
			'a namespace',
			'namespace S { export const one = 1 }\nexport default () => S.one;',
			'task.ts',
			/task\.ts:1: namespace/u,
		],
		[
			'a parameter property',
			'class J { constructor(private w: number) {} }\nexport default () => new J(1);',
			'task.ts',
			/task\.ts:1: parameter property/u,
		],
		[
			'import =',
			"import fs = require('node:fs');\nexport default () => 1;",
			'task.ts',
			/task\.ts:1: import equals/u,
		],
		[
			'a decorator',
			'function log(_: unknown) {}\nclass J { @log score() { return 1 } }\nexport default () => 1;',
			'task.ts',
			/task\.ts:2: syntax error[^]*decorator/u,
		],
		['JSX', 'export default () => <b>1</b>', 'task.tsx', /this kind of file/u],
		['a syntax error', 'export default () => { return 0.5', 'task.ts', /task\.ts:1: syntax error/u],
		[
			'a syntax error in JavaScript',
			'\n\nexport default () => { return ) }',
			'task.mjs',
			/task\.mjs:3: syntax error[^]*valid JavaScript/u,
		],
		[
			'a package that is not there',
			"import x from 'a-package-that-is-not-there';\nexport default () => x;",
			'task.mjs',
			/Cannot find package 'a-package-that-is-not-there'[^]*install/u,
		],
		[
			'a neighbour that is not there',
			"import x from './nope.js';\nexport default () => x;",
			'task.mjs',
			/Cannot find module/u,
		],
		['no reward', 'export const other = 1;', 'task.mjs', /there is no reward/u],
		[
			'a mistyped member',
			'export default { rewad: () => 1 };',
			'task.mjs',
			/rewad: unknown member[^]*perhaps reward/u,
		],
		[
			'a member of the wrong kind',
			"export default { reward: () => 1, feedback: 'no', agents: 2.5 };",
			'task.mjs',
			/agents[^]*whole number[^]*feedback: is not a function/u,
		],
		[
			'a throw',
			"\n\nthrow new Error('not today');",
			'task.mjs',
			/task\.mjs:3:7: loading it threw Error: not today/u,
		],
		['a thrown null', 'throw null;', 'task.mjs', /loading it threw null/u],
		[
			'an exit',
			'\nprocess.exit(4);',
			'task.mjs',
			/loading it called process\.exit\(4\) at task\.mjs:2/u,
		],
		[
			'a dataset that is no list',
			'export default { reward: () => 1, dataset: 5 };',
			'task.mjs',
			/dataset is 5/u,
		],
		[
			'a dataset with a function in it',
			'export default { reward: () => 1, dataset: [{ prompt: "a", f() {} }] };',
			'task.mjs',
			/dataset row 1, f is a function/u,
		],
		[
			'a dataset that throws',
			"export default { reward: () => 1, dataset() { throw new Error('gone') } };",
			'task.mjs',
			/task\.mjs:1:\d+: dataset threw Error: gone/u,
		],
		['no rows', 'export default { reward: () => 1, dataset: [] };', 'task.mjs', /no rows/u],
		[
			'an empty row',
			"export default { reward: () => 1, dataset: ['a', ''] };",
			'task.mjs',
			/row 2: prompt/u,
		],
	])('%s', async (_, text, name, expected) => {
		const message = await messageOf(() => openText(text, { prompts: null }, name));
		expect(message).toMatch(expected);
		expect(message).not.toMatch(/src-main|strip-only/u);
	});

	it('types imported as values', async () => {
		const folder = writeFiles({
			'task.ts': "import { Helper } from './helper.ts';\nexport default (h: Helper) => 1;",
			'helper.ts': 'export interface Helper { a: number }',
		});
		expect(await messageOf(() => open({ task: join(folder, 'task.ts') }))).toMatch(
			/task\.ts:1: syntax error[^]*import type/u,
		);
	});

	it.each([
		['for ever in a loop', 'for (;;);'],
		['for a promise that never settles', 'await new Promise(() => setInterval(() => {}, 1000));'],
	])('%s', async (_, text) => {
		expect(await messageOf(() => openText(text, { timeLimitMs: 400 }))).toContain(
			'longer than 0.4 s',
		);
	});

	it('names of tasks that are not there, with the nearest', async () => {
		expect(await messageOf(() => open({ task: 'lenght-ratio' }))).toContain('perhaps length-ratio');
		expect(await messageOf(() => open({ task: './nope.ts' }))).toContain('no such task file');
		const error: unknown = await open({ task: 'nothing-like-it' }).catch(
			(thrown: unknown) => thrown,
		);
		expect((error as GroveError).kind).toBe('bad-input');
	});
});

describe('agents and turns', () => {
	it('agree between task and run, or are refused', async () => {
		const task = 'export default { reward: () => 1, agents: ["ann", "bob"] };';
		expect((await openText(task)).agentNames).toEqual(['ann', 'bob']);
		expect((await openText(task, { agentNames: ['x', 'y'] })).agentNames).toEqual(['x', 'y']);
		expect((await openText(task, { numAgents: null })).agentNames).toHaveLength(2);
		expect(await messageOf(() => openText(task, { numAgents: 3 }))).toContain(
			'written for 2 agents',
		);
		expect((await openText('export default () => 1', { numAgents: 3 })).agentNames).toHaveLength(3);
	});

	it('need feedback beyond the first turn', async () => {
		expect(await messageOf(() => openText('export default () => 1', { numTurns: 2 }))).toMatch(
			/feedback\(context\)[^]*num_turns: 2/u,
		);
	});

	it('have formatters that see the turn and the feedback', async () => {
		const task = await openText(`
			export const reward = () => 1;
			export const feedback = ({ texts }) => texts.map((text) => text + '?');
			export const formatters = (item, agent) =>
				[agent.turn, agent.name, item.prompt, agent.feedback].join('|');
		`);
		const [item] = task.train;
		if (item === undefined) throw new Error('there is no example');
		expect((await task.prompts(item)).prompts).toEqual([
			'1|agent_1|First prompt|',
			'1|agent_2|First prompt|',
		]);
		expect(await task.feedback([contextOf(['a', 'b'])])).toEqual([
			{
				kind: 'prompts',
				prompts: ['2|agent_1|a?|a?', '2|agent_2|b?|b?'],
				rawPrompts: ['a?', 'b?'],
			},
		]);
	});

	it('take messages as prompts', async () => {
		const messages = [{ role: 'user', content: 'hi' }];
		const task = await openText(
			`export default { reward: () => 1, dataset: [${JSON.stringify(messages)}], prompts: (item, agent) => agent.index === 0 ? item.fields.prompt : 'text' };`,
			{ prompts: null },
		);
		const [item] = task.train;
		if (item === undefined) throw new Error('there is no example');
		expect(await task.prompts(item)).toMatchObject({
			prompts: [messages, 'text'],
			rawPrompts: ['hi', 'hi'],
		});
	});
});
