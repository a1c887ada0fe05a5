/** The task's process: what its code may do wrong, and that nothing of it reaches the trainer. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SpawnHost, spawnNodeHost, type WaitNotice } from '../../src-main/tasks/index.ts';
import { contextOf, contexts, openText, temporaryFolder, writeFiles } from './task-files.ts';

/** The text of a task whose reward is this function body; `n` counts its calls. */
const rewardOf = (body: string): string =>
	`let n = 0;\nexport default (context) => { n++;\n${body}\n};`;

async function messages(text: string, count = 3, timeLimitMs = 600): Promise<string[]> {
	const task = await openText(text, { timeLimitMs, memoryLimitMb: 96 });
	const outcomes = await task.rewards(contexts(count));
	return outcomes.map((outcome) =>
		outcome.kind === 'error' ? outcome.message : `scored ${outcome.total}`,
	);
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		// A zombie answers signals, too.
		return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
	} catch {
		return false;
	}
}

async function until(condition: () => boolean): Promise<void> {
	const end = performance.now() + 20_000;
	while (!condition() && performance.now() < end) await new Promise((r) => setTimeout(r, 20));
	expect(condition()).toBe(true);
}

describe('a reward that is none', () => {
	it.each([
		['[1]', 'a list of 1 value'],
		['[]', 'a list of 0 values'],
		['[[1], [0]]', 'a list of 2 values'],
		['undefined', 'nothing (undefined)'],
		['null', 'null'],
		['NaN', 'NaN'],
		['Infinity', 'Infinity'],
		['-Infinity', '-Infinity'],
		['"0.5"', 'the text "0.5"'],
		['true', 'true'],
		['({})', 'an empty object'],
		['1n', 'the bigint 1n'],
		['new Number(1)', 'a Number object'],
		['Symbol("r")', 'a symbol'],
		['new Date(0)', 'of kind Date'],
		['(() => 1)', 'a function'],
		['new Float32Array([1])', 'of kind Float32Array'],
		['(() => { const o = {}; o.o = o; return o })()', 'an object with o'],
		['new Proxy({}, { get() { throw new Error("proxy") } })', 'a proxy object'],
		['Object.defineProperty({}, "reward", { get() { throw new Error() } })', 'an empty object'],
		['(async function* () { yield 1 })()', 'an async generator'],
		['[Promise.resolve(1)]', 'a list of 1 value'],
		['({ parts: { a: "1" } })', 'for "a" the text "1"'],
		['({ parts: { a: NaN } })', 'for "a" NaN'],
		['({ parts: [1] })', 'a list of 1 value'],
		['({ parts: { a: 1 }, weights: { b: 2 } })', 'a weight for "b"'],
		['({ parts: { a: 1e308, b: 1e308 } })', 'add up to Infinity'],
		['({ get parts() { throw new Error("getter") } })', 'Error: getter'],
	])('%s is refused by its kind, and the others count', async (value, expected) => {
		const [first, second, third] = await messages(rewardOf(`return n === 2 ? ${value} : 0.5;`));
		expect([first, third]).toEqual(['scored 0.5', 'scored 0.5']);
		expect(second).toContain(expected);
		expect(second).toContain('task.mjs');
	});

	it.each([
		['-0', 'scored 0'],
		['95', 'scored 95'],
		['5e-324', 'scored 5e-324'],
		['({ then: (f) => f(0.5) })', 'scored 0.5'],
		['({ then: (f) => { f(0.5); f(0.9) } })', 'scored 0.5'],
	])('%s counts as it is', async (value, expected) => {
		expect(await messages(rewardOf(`return ${value};`), 1)).toEqual([expected]);
	});

	it.each([
		['[1]', 'a list of 1 value, expected a list of 3'],
		['[1, 2, 3, 4]', 'a list of 4 values, expected a list of 3'],
		['7', '7, expected a list of 3'],
		['[1, NaN, 2]', 'NaN'],
	])('%s from rewards of a whole turn', async (value, expected) => {
		const all = await messages(`export const rewards = async () => ${value};`);
		expect(all[1]).toContain(expected);
	});
});

describe('a reward that throws', () => {
	it.each([
		["throw new Error('cannot parse')", /task\.mjs:3:\d+: reward threw Error: cannot parse/u],
		["throw 'just text'", /reward threw the text "just text"/u],
		['throw null', /reward threw null/u],
		['throw { toString() { throw 1 }, get message() { throw 2 } }', /reward threw an object/u],
		[
			'const f = () => f() + 1; return f()',
			/task\.mjs:3:\d+: reward threw RangeError: Maximum call stack/u,
		],
		[
			"throw new AggregateError([new Error('a')], 'two', { cause: new Error('deep') })",
			/two \(Error: a\), caused by Error: deep/u,
		],
		["return Promise.reject(new Error('judge not reachable'))", /judge not reachable/u],
		['return Promise.reject()', /threw nothing/u],
		['context.texts.push("x")', /TypeError/u],
		['context.item.fields.prompt = "x"', /read only/u],
		['context.promptHistory[0].pop()', /TypeError/u],
		['return context.nothing.there', /TypeError: Cannot read/u],
	])('%s', async (body, expected) => {
		const [first, second, third] = await messages(rewardOf(`if (n === 2) { ${body} } return 0.5;`));
		expect([first, third]).toEqual(['scored 0.5', 'scored 0.5']);
		expect(second).toMatch(expected);
	});
});

describe('a reward that ends or blocks its process', () => {
	it.each([
		['process.exit(3)', /reward called process\.exit\(3\) at task\.mjs:3/u],
		['process.abort()', /reward called process\.abort\(\) at task\.mjs:3/u],
		["process.kill(process.pid, 'SIGTERM'); for (;;);", /reward ended its process by SIGTERM/u],
		['for (;;);', /reward took longer than 0\.6 s/u],
		['Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', /took longer/u],
		['return new Promise(() => {})', /took longer than 0\.6 s: its promise was not settled/u],
		['const a = []; for (;;) a.push(new Float64Array(1e6).fill(1))', /more than 96 MiB of memory/u],
		['const a = []; for (;;) a.push({}, [])', /more than 96 MiB of memory/u],
	])('%s costs that one only', async (body, expected) => {
		const folder = temporaryFolder();
		// The count must outlive the process.
		const text = `import { appendFileSync, readFileSync } from 'node:fs';
			export default () => { appendFileSync(${JSON.stringify(join(folder, 'n'))}, 'x');
			if (readFileSync(${JSON.stringify(join(folder, 'n'))}).length === 2) { ${body} } return 0.5; };`;
		// Filling the memory may take long on a busy machine: there, only the memory must end it.
		const limit = body.startsWith('const a') ? 30_000 : undefined;
		const [first, second, third, fourth] = await messages(text, 4, limit);
		expect([first, third, fourth]).toEqual(['scored 0.5', 'scored 0.5', 'scored 0.5']);
		expect(second).toMatch(expected);
	});

	it('is given up after the third end of one call', async () => {
		const all = await messages('export default () => { for (;;); };', 5);
		expect(all.slice(0, 3).every((text) => text.includes('took longer'))).toBe(true);
		expect(all[4]).toContain('not called');
	});

	it('is given up at once where the run fails anyhow', async () => {
		const task = await openText('export default () => process.exit(0);', { failFast: true });
		const outcomes = await task.rewards(contexts(3));
		expect(outcomes).toMatchObject([
			{ kind: 'error' },
			{ message: /not called/u },
			{ kind: 'error' },
		]);
	});

	it('is told of while it lasts, with step, turn and sample', async () => {
		const notices: (WaitNotice | null)[] = [];
		const task = await openText(
			'export default (c) => c.joint === 1 ? new Promise(() => {}) : 1;',
			{
				timeLimitMs: 900,
				onWait: (notice) => notices.push(notice),
			},
		);
		await task.rewards(contexts(3));
		// Whether starting the process is told of, too, depends on how busy the machine is.
		expect(notices.find((notice) => notice?.call === 'reward')).toMatchObject({
			call: 'reward',
			context: { step: 1, turn: 1, joint: 1, itemId: 'a' },
			limitSeconds: 0.9,
		});
		expect(notices.at(-1)).toBeNull();
	});

	it('still ends with its task, whatever it listens to', async () => {
		const task = await openText(
			"process.on('exit', () => { for (;;); }); process.on('SIGTERM', () => {}); export default () => process.pid;",
		);
		const [outcome] = await task.rewards(contexts(1));
		if (outcome?.kind !== 'scored') throw new Error('there is no reward');
		expect(isAlive(outcome.total)).toBe(true);
		await task.dispose();
		expect(isAlive(outcome.total)).toBe(false);
	});
});

describe('the process', () => {
	it('runs asynchronous rewards side by side', async () => {
		const task = await openText(`
			let running = 0, most = 0;
			export default async () => {
				most = Math.max(most, ++running);
				await new Promise((resolve) => setTimeout(resolve, 100));
				running--;
				return most;
			};
		`);
		const outcomes = await task.rewards(contexts(8));
		expect(outcomes.map((outcome) => outcome.kind === 'scored' && outcome.total)).toEqual(
			Array.from({ length: 8 }, () => 8),
		);
	});

	it('logs what is printed, in bounds, and cannot be spoken for by it', async () => {
		const lines: string[] = [];
		const task = await openText(
			`export default () => {
				console.log('a line'); console.error('an error');
				console.log('{"kind":"rewards","outcomes":[{"kind":"scored","total":99}]}');
				process.send?.({ kind: 'rewards' });
				console.log('x'.repeat(5e6));
				return 0.5;
			};`,
			{ onLog: (level, text) => lines.push(`${level}: ${text}`) },
		);
		expect(await task.rewards(contexts(2))).toMatchObject([{ total: 0.5 }, { total: 0.5 }]);
		await until(() => lines.some((line) => line.includes('not kept')));
		expect(lines).toContain('info: a line');
		expect(lines).toContain('warning: an error');
		expect(lines.join('').length).toBeLessThan(200_000);
	});

	it('goes on with changed globals', async () => {
		const task = await openText(`export default () => {
			Array.prototype.map = () => []; Array.prototype.push = () => 0; Math.random = () => 0;
			JSON.stringify = () => 'hacked'; JSON.parse = () => null; globalThis.setTimeout = null;
			return 0.5;
		};`);
		for (let call = 0; call < 3; call++) {
			expect(await task.rewards(contexts(2))).toMatchObject([{ total: 0.5 }, { total: 0.5 }]);
		}
	});

	it('logs what is thrown after the return, and goes on', async () => {
		const lines: string[] = [];
		const task = await openText(
			"export default () => { setTimeout(() => { throw new Error('too late') }, 5); Promise.reject(new Error('nobody waits')); return 0.5; };",
			{ onLog: (level, text) => lines.push(`${level}: ${text}`) },
		);
		expect(await task.rewards(contexts(5))).toHaveLength(5);
		await until(() => lines.filter((line) => line.includes('too late')).length >= 3);
		expect(await task.rewards(contexts(1))).toMatchObject([{ total: 0.5 }]);
		expect(lines.join('\n')).toMatch(/error: task\.mjs:1:\d+: Error: too late/u);
		expect(lines.join('\n')).toContain('nobody waits');
		expect(lines.filter((line) => line.includes('too late')).length).toBeLessThan(5);
	});

	it('repeats Math.random with the seed, whatever is called before', async () => {
		const text = 'export default () => Math.random();';
		const draw = async (seed: number, first: number): Promise<unknown[]> => {
			const task = await openText(text, { seed });
			await task.rewards(contexts(first));
			return task.rewards(contexts(4).map((context) => ({ ...context, step: 9 })));
		};
		const [once, again, other] = [await draw(1, 1), await draw(1, 7), await draw(2, 1)];
		expect(again).toEqual(once);
		expect(other).not.toEqual(once);
		expect(new Set(once.map((outcome) => JSON.stringify(outcome))).size).toBe(4);
	});

	it('is started anew with the code that the run began with', async () => {
		const folder = writeFiles({
			'task.mjs':
				"import { value } from './value.mjs'; export default (c) => c.joint === 1 ? process.exit(1) : value;",
			'value.mjs': 'export const value = 1;',
		});
		const task = await openText('', { task: join(folder, 'task.mjs') });
		writeFileSync(join(folder, 'value.mjs'), 'export const value = 2;');
		writeFileSync(join(folder, 'task.mjs'), 'export default () => 3;');
		expect(await task.rewards(contexts(3))).toMatchObject([
			{ total: 1 },
			{ kind: 'error' },
			{ total: 1 },
		]);
	});

	it('names parts, also without names, and weighs them', async () => {
		const unnamed = await openText(
			'export default [() => 0.1, () => 0.2, function () { return 0.3 }];',
		);
		expect(await unnamed.rewards(contexts(1))).toMatchObject([
			{ parts: { reward_1: 0.1, reward_2: 0.2, reward_3: 0.3 } },
		]);
		const same =
			await openText(`const named = (name, f) => Object.defineProperty(f, 'name', { value: name });
			export default [named('score', () => 0.1), named('score', () => 0.9), named('__proto__', () => 1)];`);
		const [outcome] = await same.rewards(contexts(1));
		if (outcome?.kind !== 'scored') throw new Error('there is no reward');
		expect(Object.entries(outcome.parts)).toEqual([
			['score', 0.1],
			['score_2', 0.9],
			['__proto__', 1],
		]);
		const weighed = await openText(
			'export const reward = { long: () => 2, neat: async () => 3 }; export const weights = { neat: 0.5 };',
		);
		expect(await weighed.rewards(contexts(1))).toMatchObject([
			{ total: 3.5, parts: { long: 2, neat: 1.5 } },
		]);
		const cancel = await openText('export default () => ({ parts: { content: 3, format: -3 } });');
		expect(await cancel.rewards(contexts(1))).toMatchObject([
			{ total: 0, parts: { content: 3, format: -3 } },
		]);
	});

	it('calls isDone, metrics and evaluate, and checks what they return', async () => {
		const task = await openText(`export default {
			reward: () => 1,
			isDone: ({ joint }) => joint === 1 || (joint === 2 ? 'yes' : false),
			metrics: ({ joint }) => ({ joint, bad: joint === 3 ? NaN : 0 }),
			evaluate: (contexts) => ({ examples: contexts.length }),
		};`);
		expect(await task.rewards(contexts(4))).toMatchObject([
			{ done: false, metrics: { joint: 0 } },
			{ done: true },
			{ message: /isDone returned the text "yes"/u },
			{ message: /metrics returned for "bad" NaN/u },
		]);
		expect(await task.evaluate(contexts(3))).toEqual({ examples: 3 });
	});

	it('passes texts unchanged, lone surrogates and NUL too', async () => {
		const task = await openText(
			'export const reward = () => 1; export const feedback = ({ texts }) => texts.map((text) => `<${text}>`);',
		);
		const texts = ['a\ud800b\u0000', '🌳'.repeat(50_000)];
		const [outcome] = await task.feedback([contextOf(texts)]);
		expect(outcome).toMatchObject({
			kind: 'prompts',
			rawPrompts: texts.map((text) => `<${text}>`),
		});
	});

	it('answers many questions at once, each for itself', async () => {
		const task = await openText('export default ({ joint }) => joint;');
		const answers = await Promise.all(
			[3, 1, 2].map((joint) => task.rewards([contextOf(['a', 'b'], { joint })])),
		);
		expect(answers).toMatchObject([[{ total: 3 }], [{ total: 1 }], [{ total: 2 }]]);
		expect(await task.rewards([])).toEqual([]);
	});

	it('may be started in another way', async () => {
		let starts = 0;
		const counted: SpawnHost = (options) => {
			starts += 1;
			return spawnNodeHost(options);
		};
		const task = await openText('export default () => 1;', { spawn: counted });
		await task.rewards(contexts(1));
		expect(starts).toBe(1);
	});
});

describe('feedback', () => {
	const outcome = async (value: string): Promise<unknown> => {
		const task = await openText(
			`export const reward = () => 1; export const feedback = () => ${value};`,
		);
		return (await task.feedback(contexts(1)))[0];
	};

	it.each([
		['42', /feedback returned 42/u],
		['undefined', /nothing \(undefined\)/u],
		['({})', /an empty object/u],
		["''", /an empty text/u],
		["['a']", /a list of 1 value, expected 2/u],
		["['a', 3]", /for agent 2 a prompt that is 3/u],
		["['a', '']", /agent 2/u],
		[
			"[[{ role: 'user', content: 5 }], 'a']",
			/agent 1 a prompt that has in message 1 as content 5/u,
		],
		["'a'.repeat(9e6)", /9000000 characters/u],
	])('%s is refused', async (value, expected) => {
		expect(await outcome(value)).toMatchObject({ kind: 'error', message: expected });
	});

	it.each([
		['null', { kind: 'done' }],
		['({ done: true })', { kind: 'done' }],
		["['a', 'b']", { kind: 'prompts', prompts: ['a', 'b'] }],
		["(async () => 'to all')()", { kind: 'prompts', prompts: ['to all', 'to all'] }],
		["' \\n\\t '", { kind: 'prompts' }],
		[
			"[{ role: 'user', content: 'hi' }]",
			{ prompts: [[{ role: 'user', content: 'hi' }], [{ role: 'user', content: 'hi' }]] },
		],
		["'try again '.repeat(20000)", { kind: 'prompts' }],
	])('%s is what it says', async (value, expected) => {
		expect(await outcome(value)).toMatchObject(expected);
	});

	it('that fails for one leaves the others', async () => {
		const task = await openText(
			"export const reward = () => 1; export const feedback = ({ joint }) => { if (joint === 1) for (;;); return 'next'; };",
			{ timeLimitMs: 500 },
		);
		expect(await task.feedback(contexts(3))).toMatchObject([
			{ kind: 'prompts' },
			{ kind: 'error', message: /feedback took longer/u },
			{ kind: 'prompts' },
		]);
	});
});

describe.skipIf(process.platform === 'win32')('trainer and task', () => {
	const driver = (file: string): string => `
		import { openTask } from ${JSON.stringify(new URL('../../src-main/tasks/index.ts', import.meta.url).href)};
		const task = await openTask({ task: ${JSON.stringify(file)}, numAgents: 2, numTurns: 1, seed: 1,
			timeLimitMs: 60000, memoryLimitMb: 256, prompts: ['a'] });
		const item = task.train[0];
		const one = { text: 'x', tokenCount: 1, finishReason: 'eos' };
		await task.rewards([{ item, turn: 1, numTurns: 1, completions: [one, one], promptHistory: [['p'], ['p']],
			responseHistory: [['x'], ['x']], joint: 0, step: 1, purpose: 'train' }]);
	`;

	it.each([
		['idles', 'setInterval(() => {}, 1000); await new Promise(() => {});'],
		['is in an endless loop', 'for (;;);'],
	])('end together when the trainer is killed while the task %s', async (_, body) => {
		const folder = writeFiles({});
		const pidFile = join(folder, 'pid');
		writeFileSync(
			join(folder, 'task.mjs'),
			`import { writeFileSync } from 'node:fs'; export default async () => { writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); ${body} };`,
		);
		writeFileSync(join(folder, 'driver.mjs'), driver(join(folder, 'task.mjs')));
		const trainer = spawn(process.execPath, [join(folder, 'driver.mjs')], { stdio: 'ignore' });
		await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
		const pid = Number(readFileSync(pidFile, 'utf8'));
		expect(isAlive(pid)).toBe(true);
		trainer.kill('SIGKILL');
		await until(() => !isAlive(pid));
	});

	it('may sleep: a stopped process does not use up its time limit', async () => {
		const folder = writeFiles({
			'task.mjs': `export default async () => { await new Promise((r) => setTimeout(r, 300)); return 0.5; };`,
		});
		writeFileSync(
			join(folder, 'driver.mjs'),
			`${driver(join(folder, 'task.mjs'))
				.replace('timeLimitMs: 60000', 'timeLimitMs: 1500')
				.replace(
					'await task.rewards',
					"console.log('begun ' + process.pid); const outcomes = await task.rewards",
				)}
			console.log(JSON.stringify(outcomes)); await task.dispose();`,
		);
		const trainer = spawn(process.execPath, [join(folder, 'driver.mjs')], {
			stdio: ['ignore', 'pipe', 'inherit'],
			detached: true,
		});
		let said = '';
		trainer.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
		await until(() => said.includes('begun'));
		const group = trainer.pid ?? 0;
		process.kill(-group, 'SIGSTOP');
		await new Promise((resolve) => setTimeout(resolve, 2500));
		process.kill(-group, 'SIGCONT');
		await until(() => said.includes(']'));
		expect(said).toContain('"total":0.5');
	});

	it('leaves no temporary file and no process behind', async () => {
		const task = await openText('export default () => process.pid;');
		const [outcome] = await task.rewards(contexts(1));
		await task.dispose();
		if (outcome?.kind !== 'scored') throw new Error('there is no reward');
		expect(isAlive(outcome.total)).toBe(false);
		const open = execFileSync('ls', ['-l', `/proc/${process.pid}/fd`], { encoding: 'utf8' });
		expect(open).not.toContain('grove-task-');
	});
});
