/** `grove task list`, `new` and `check`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { grove, jsonOf } from '../support/captured-terminal.ts';
import { startGrove } from '../support/grove-command.ts';
import { temporaryFolder } from '../support/temporary-store.ts';

let folder: string;
beforeEach(() => {
	folder = temporaryFolder();
});

function taskFile(reward: string): string {
	const path = join(folder, 'own.js');
	writeFileSync(
		path,
		`export default { name: 'own', agents: 2, dataset: ['Say it.'], ${reward} };\n`,
	);
	return path;
}

describe('task list', () => {
	it('names the built-in tasks', async () => {
		const { tasks } = jsonOf(await grove('task', 'list', '--json')) as {
			tasks: { name: string }[];
		};
		const { code, stdout } = await grove('task', 'list');
		expect(code).toBe(0);
		expect(tasks.map(({ name }) => name)).toContain('length-ratio-feedback');
		for (const { name } of tasks) expect(stdout).toContain(name);
	});
});

describe('task new', () => {
	it('writes a task that the check passes', async () => {
		const path = join(folder, 'my-task');
		const { code, stdout } = await grove('task', 'new', path);
		expect(code).toBe(0);
		expect(stdout).toContain('task check');
		expect(readdirSync(folder).toSorted()).toEqual(['grove-task.d.ts', 'my-task.ts']);
		expect(await grove('task', 'check', `${path}.ts`)).toMatchObject({ code: 0 });
	});

	it('takes a name, and tells a program where the files are', async () => {
		const path = join(folder, 'x.mjs');
		expect(jsonOf(await grove('task', 'new', path, '--name', 'a "name"', '--json'))).toEqual({
			path,
			name: 'a "name"',
			types: join(folder, 'grove-task.d.ts'),
		});
		expect(await grove('task', 'check', path)).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('a "name": ') as unknown,
		});
	});

	it('leaves a file that is there alone', async () => {
		const path = join(folder, 'mine.ts');
		writeFileSync(path, 'mine');
		const { code, stderr } = await grove('task', 'new', path);
		expect(code).toBe(9);
		expect(stderr).toContain('nothing was written');
		expect(readFileSync(path, 'utf8')).toBe('mine');
	});

	it.each([
		['task.py', 'a task is a script'],
		[join('no', 'such', 'folder', 'task.ts'), 'make the folder'],
	])('refuses %s', async (name, message) => {
		const { code, stderr } = await grove('task', 'new', join(folder, name));
		expect(code).toBe(2);
		expect(stderr).toContain(message);
	});
});

describe('task check', () => {
	it('prints prompts, rewards with their parts, feedback and what the code printed', async () => {
		const path = taskFile(
			`reward({ texts }) { console.log('scoring', texts.length); return { parts: { length: texts[1].length, style: 0.5 } }; },
			feedback({ texts }) { return texts.map((text) => 'More than ' + text.length); }`,
		);
		const samples = join(folder, 'samples.jsonl');
		writeFileSync(samples, '["a", "bbb"]\n\n["c", "d"]\n');
		const { code, stdout } = await grove('task', 'check', path, '--samples', samples);
		expect(code).toBe(0);
		expect(stdout).toContain('agent_2 is asked\n    Say it.');
		expect(stdout).toMatch(/^ {2}reward 3\.5 \([\d.e-]+ ms\)\n {4}parts: length 3, style 0\.5$/mu);
		expect(stdout).toContain('agent_2 is asked\n      More than 3');
		expect(stdout).toContain('info: scoring 2');
		expect(stdout.match(/^Joint completion/gmu)).toHaveLength(2);
	});

	it('is JSON', async () => {
		const path = taskFile('reward: ({ texts, options }) => texts[0].length * options.factor');
		const checked = jsonOf(await grove('task', 'check', path, '--option', 'factor=3', '--json'));
		expect(checked).toMatchObject({
			name: 'own',
			agentNames: ['agent_1', 'agent_2'],
			hasFeedback: false,
			trainItems: 1,
			prompts: [{ prompt: 'Say it.' }, { prompt: 'Say it.' }],
			samples: [
				{ reward: { kind: 'scored', total: 120 } },
				{ reward: { kind: 'scored', total: 120 } },
				{ texts: ['', ''], reward: { kind: 'scored', total: 0 }, feedback: null },
			],
		});
	});

	it('takes typed answers, one line for each agent', async () => {
		const running = startGrove(
			['task', 'check', 'length-ratio', '--typed'],
			undefined,
			'a\nbbbb\n',
		);
		const { code, stdout, stderr } = await running.ended;
		expect(code).toBe(0);
		expect(stderr).toContain('agent_1 is asked');
		expect(stdout).toContain('reward 0.3679');
		expect(stdout.match(/^Joint completion/gmu)).toHaveLength(1);
	});

	it('ends with 3 where the reward fails, and says where', async () => {
		const path = taskFile(
			`reward({ texts }) {\n	if (texts[0] === '') throw new Error('nothing to score');\n	return 1; }`,
		);
		const { code, stdout } = await grove('task', 'check', path);
		expect(code).toBe(3);
		expect(stdout).toMatch(/reward failed[^]*nothing to score/u);
		expect(stdout).toContain('own.js:2');
	});

	it('ends a reward that never returns', async () => {
		const path = taskFile('reward() { for (;;); }');
		const { code, stdout } = await grove('task', 'check', path, '--time-limit', '0.5');
		expect(code).toBe(3);
		expect(stdout).toContain('0.5');
	});

	it.each([
		['no such task', 'lenght-ratio', [], 2, 'perhaps length-ratio'],
		['no such file', './none.ts', [], 2, 'there is no such task file'],
		['no samples', 'length-ratio', ['--samples', 'none.jsonl'], 2, 'the file cannot be read'],
		['an option', 'length-ratio', ['--option', 'low'], 2, 'KEY=VALUE'],
		['a number', 'length-ratio', ['--agents', 'two'], 2, 'a whole number from 1'],
	])('refuses %s', async (_, task, options, code, message) => {
		const result = await grove('task', 'check', task, ...options);
		expect(result.code).toBe(code);
		expect(result.stderr).toContain(message);
	});

	it.each([
		['{"a": 1}', 'line 2'],
		['["only", 1]', 'line 2'],
		['["only one"]', '2 texts'],
	])('refuses the sample %s', async (line, message) => {
		const samples = join(folder, 'samples.jsonl');
		writeFileSync(samples, `["a", "b"]\n${line}\n`);
		const { code, stderr } = await grove('task', 'check', 'length-ratio', '--samples', samples);
		expect(code).toBe(2);
		expect(stderr).toContain(message);
	});

	it('tells a syntax error with its line', async () => {
		const path = join(folder, 'bad.js');
		writeFileSync(path, 'export default {\n  name: "x",\n  reward( {\n};\n');
		const { code, stderr } = await grove('task', 'check', path);
		expect(code).toBe(2);
		expect(stderr).toMatch(/bad\.js:[34]/u);
	});
});
