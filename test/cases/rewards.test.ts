/** What people reported of rewards, feedback, groups and advantages (C001 to C032). */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explainMetric } from '../../src-main/contract/metrics.ts';
import { parseConfig } from '../../src-main/contract/config.ts';
import { openTask } from '../../src-main/tasks/index.ts';
import type { RolloutNode } from '../../src-main/contract/tree.ts';
import { FakePolicy } from '../support/fake-policy.ts';
import { fakeTask } from '../support/fake-task.ts';
import { configOf, metric, runTraining, type TrainingRun } from '../support/run-training.ts';
import { contextOf, messageOf, open, openText, writeFiles } from '../tasks/task-files.ts';
import { endedBy, smallRun, trainTask } from './train-task.ts';

function nodesOf(run: TrainingRun): RolloutNode[] {
	return run.steps.flatMap(({ trees }) => trees.flatMap(({ nodes }) => nodes));
}

/** Every number of a run that training depends on. */
function numbersOf(run: TrainingRun): number[] {
	return [
		...run.steps.flatMap(({ metrics }) => metrics.map(({ value }) => value)),
		...nodesOf(run).flatMap(({ agents }) =>
			agents.flatMap(({ completions }) =>
				completions.flatMap(({ advantage }) => (advantage === null ? [] : [advantage])),
			),
		),
		...run.policies.flatMap((policy) => (policy instanceof FakePolicy ? policy.logits : [])),
	];
}

describe('C001: a reward of the wrong number', () => {
	test.each([
		['[1]', '1 value'],
		['Array.from({ length: 99 }, (_, i) => i)', '99 values'],
		['[]', '0 values'],
		['[[1], [0], [1], [0]]', '4 values'],
		['undefined', 'undefined'],
	])('%s is refused at the first call, and no step is recorded', async (value, count) => {
		const run = await trainTask(`export default function judge() { return ${value}; }`);
		expect(endedBy(run)).toContain(count);
		expect(endedBy(run)).toContain('reward');
		expect(run.steps).toEqual([]);
	});

	test('a batch form with too few names both counts', async () => {
		const run = await trainTask(
			'export const rewards = (contexts) => contexts.slice(1).map(() => 1);',
		);
		expect(endedBy(run)).toMatch(/4.*3|3.*4/su);
		expect(run.steps).toEqual([]);
	});
});

describe('C002: rewards that are not finite', () => {
	test.each(['NaN', 'null', 'undefined', 'Infinity', '-Infinity'])(
		'%s is refused with turn and joint completion, or left out',
		async (bad) => {
			const text = `let n = 0;
				export default () => (n++ % 3 === 2 ? ${bad} : n / 9);
				export const feedback = () => 'again';`;
			const failed = await trainTask(text, { num_turns: 2 });
			expect(endedBy(failed)).toMatch(/turn 1.*joint completion 2/su);
			const skipped = await trainTask(text, { num_turns: 2, on_reward_error: 'skip' });
			expect(skipped.error).toBeNull();
			expect(numbersOf(skipped).every(Number.isFinite)).toBe(true);
			const bads = nodesOf(skipped).flatMap(({ joints }) =>
				joints.filter(({ rewardError }) => rewardError !== null),
			);
			expect(bads.length).toBeGreaterThan(0);
			expect(bads.every(({ reward }) => reward === null)).toBe(true);
		},
	);
});

describe('C003: samples that nobody scored', () => {
	test('all of them: none counts as 0', async () => {
		const run = await trainTask('export default () => null;', { on_reward_error: 'skip' });
		expect(nodesOf(run).every(({ rewardMean }) => rewardMean === null)).toBe(true);
		expect(numbersOf(run).every(Number.isFinite)).toBe(true);
	});

	test('all but one: its advantage is 0', async () => {
		const run = await trainTask('let i = 0; export default () => (i++ % 8 === 3 ? 0.7 : null);', {
			num_generations: 8,
			on_reward_error: 'skip',
		});
		const advantages = nodesOf(run)[0]?.agents[0]?.completions.map(({ advantage }) => advantage);
		expect(advantages).toEqual([null, null, null, 0, null, null, null, null]);
	});
});

test('C004: parts that cancel teach nothing, and the share of such groups says so', async () => {
	const run = await trainTask(
		`let n = 0;
		export default () => { const content = n++ % 2 === 0 ? -3 : 3; return { parts: { content, format: -content } }; };`,
	);
	expect(nodesOf(run).every(({ zeroVariance }) => zeroVariance)).toBe(true);
	expect(metric(run.steps[0], 'turn_1/zero_variance')).toBe(1);
	const content = nodesOf(run)[0]?.joints.map(({ rewardParts }) => rewardParts['content']);
	expect(content).toEqual([-3, 3, -3, 3]);
});

test('C005: equal rewards leave the weights alone, weight decay included; with a reference KL only that pulls', async () => {
	const start = new FakePolicy({ logits: [0.5, 0, 1, 0, 0, 0, 0, 0, 0] }).logits;
	const policies = [0, 1].map(() => new FakePolicy({ logits: start }));
	await trainTask(
		'export default () => 1;',
		{ agent_learning_rate: 0.1, weight_decay: 0.1 },
		{ policies },
	);
	for (const policy of policies) expect(policy.logits).toEqual(start);
	const { help } = explainMetric('turn_1/zero_variance') ?? { help: '' };
	expect(help).not.toBe('');
});

describe('C007: how many generations make a group', () => {
	test.each([[0], [-2], [2.5], ['4'], [null], [true]])(
		'%j is refused before anything loads',
		(value) => {
			const result = parseConfig({ task: 'length-ratio', num_generations: value });
			expect(result.ok).toBe(false);
			if (!result.ok) expect(result.complaints[0]?.where).toContain('num_generations');
		},
	);

	test('one says in words that a group of one teaches nothing', () => {
		const result = parseConfig({ task: 'length-ratio', num_generations: 1 });
		const words = result.ok
			? result.warnings.map(({ text }) => text).join(' ')
			: result.complaints.map(({ expected }) => expected).join(' ');
		expect(words).toMatch(/group|compare/u);
	});
});

test('C008: any batch size goes with any number of generations: an update takes whole nodes', async () => {
	for (const [generations, batch] of [
		[8, 7],
		[3, 8],
		[4, 3],
	]) {
		const policies = [new FakePolicy(), new FakePolicy()];
		const run = await trainTask(
			'let n = 0; export default () => n++;',
			{ num_generations: generations, rollout_buffer_size: batch, train_batch_size: batch },
			{ policies },
		);
		expect(run.error).toBeNull();
		const taught = nodesOf(run).flatMap(({ agents }) =>
			(agents[0]?.completions ?? []).filter(({ advantage }) => advantage !== 0),
		);
		expect(policies[0]?.updates.flat().length).toBe(taught.length);
		expect(nodesOf(run).every(({ joints }) => joints.length === generations)).toBe(true);
	}
});

test('C009: a perfect answer of every built-in task earns more than a near one, a bad one, an empty one', async () => {
	const text = (length: number): string => 'word '.repeat(length);
	const cases = [
		['length-ratio', [text(4), text(10)], [text(4), text(15)], [text(4), text(40)], ['', '']],
		[
			'length-ratio-feedback',
			[text(4), text(10)],
			[text(4), text(15)],
			[text(4), text(40)],
			['', ''],
		],
	] as const;
	for (const [task, ...answers] of cases) {
		const opened = await open({ task, prompts: null, numTurns: task === 'length-ratio' ? 1 : 2 });
		const outcomes = await opened.rewards(answers.map((texts) => contextOf(texts)));
		const totals = outcomes.map((outcome) => (outcome.kind === 'scored' ? outcome.total : NaN));
		expect(totals[0]).toBe(1);
		expect(totals[1]).toBeLessThan(totals[0] ?? NaN);
		expect(totals[2]).toBeLessThan(totals[1] ?? NaN);
		expect(totals[3]).toBeLessThan(totals[0] ?? NaN);
	}
});

test('C011: rewards without a name, and with the same one, each have their own part', async () => {
	const task = await openText(`
		const named = (value) => Object.defineProperty(() => value, 'name', { value: 'score' });
		export default { name: 'parts', agents: 2, rewards: undefined, reward: [() => 0.1, () => 0.2, named(0.3), named(0.4)] };`);
	const [outcome] = await task.rewards([contextOf(['a', 'b'])]);
	expect(outcome?.kind).toBe('scored');
	if (outcome?.kind !== 'scored') return;
	expect(Object.keys(outcome.parts)).toHaveLength(4);
	expect(outcome.total).toBeCloseTo(1, 12);
});

test('C012: a cut completion is marked at its own turn and agent, and counted there alone', async () => {
	const endless = new FakePolicy({ logits: [-50, -50, 0, 0, 0, 0, 0, 0, 0] });
	const brief = new FakePolicy({ logits: [50, -50, 0, 0, 0, 0, 0, 0, 0] });
	const run = await runTraining(
		configOf({ ...smallRun, num_turns: 3, num_generations: 2, early_termination_threshold: null }),
		fakeTask({ train: ['one'] }),
		{ policies: [endless, brief] },
	);
	for (const { agents } of nodesOf(run)) {
		expect(agents[0]?.completions.map(({ finishReason }) => finishReason)).toEqual([
			'length',
			'length',
		]);
		expect(agents[1]?.completions.map(({ finishReason }) => finishReason)).toEqual(['eos', 'eos']);
	}
	expect(metric(run.steps[0], 'agent_1/finish_length')).toBe(1);
	expect(metric(run.steps[0], 'agent_2/finish_length')).toBe(0);
});

test('C013: an empty completion counts in its group like any other', async () => {
	const run = await trainTask(
		"export default ({ completions }) => (completions.every(({ text }) => text === '') ? 100 : 1);",
		{ num_generations: 8 },
		{ policies: [0, 1].map(() => new FakePolicy({ logits: [1, 0, 0, 0, 0, 0, 0, 0, 0] })) },
	);
	expect(run.error).toBeNull();
	expect(numbersOf(run).every(Number.isFinite)).toBe(true);
	const empty = nodesOf(run).flatMap(({ agents }) =>
		agents.flatMap(({ completions }) => completions.filter(({ text }) => text === '')),
	);
	expect(empty.length).toBeGreaterThan(0);
	// The end token alone is what was sampled and what is learnt.
	expect(empty.every(({ tokenIds }) => tokenIds.length === 1)).toBe(true);
});

test('C014: updates that are not finite change nothing, are counted, and end the run by name', async () => {
	const policies = [0, 1].map(() => new FakePolicy({ isNotFinite: () => true }));
	const before = [...(policies[0]?.logits ?? [])];
	const run = await trainTask(
		'let n = 0; export default () => n++;',
		{ num_train_epochs: 20, max_bad_updates: 3 },
		{ policies },
	);
	expect(endedBy(run)).toMatch(/step 3/u);
	expect(policies[0]?.logits).toEqual(before);
});

describe('C016, C017: log-probabilities far apart', () => {
	test('the reference KL stays finite, and clipped ones are counted', async () => {
		const policies = [0, 1].map(() => new FakePolicy({ logits: [-500, 0, 500, 0, 0, 0, 0, 0, 0] }));
		const run = await trainTask(
			'let n = 0; export default () => n++;',
			{ reference_kl_enabled: true, agent_learning_rate: 100, num_train_epochs: 3 },
			{ policies },
		);
		expect(numbersOf(run).every(Number.isFinite)).toBe(true);
	});
});

test('C018: a length limit that cuts nearly everything is warned of', async () => {
	const policies = [0, 1].map(() => new FakePolicy({ logits: [-50, -50, 0, 0, 0, 0, 0, 0, 0] }));
	const run = await trainTask('export default () => 0;', { num_train_epochs: 6 }, { policies });
	expect(run.logs.join('\n')).toMatch(/length|limit|max_new_tokens/u);
});

test('C019: the help of the loss says why it may sit near 0', () => {
	expect(explainMetric('agent_1/loss')?.help).toMatch(/0/u);
	expect(explainMetric('agent_1/grad_norm')).toBeDefined();
});

describe('C020: asynchronous rewards', () => {
	test('are awaited, side by side', async () => {
		const run = await trainTask(
			`let n = 0;
			export default async () => { const at = n++; await new Promise((r) => setTimeout(r, 50)); return at; };`,
		);
		expect(nodesOf(run)[0]?.joints.map(({ reward }) => reward)).toEqual([0, 1, 2, 3]);
	});

	test('that reject are errors of the task', async () => {
		const run = await trainTask(
			"export default async () => { throw new Error('judge not reachable'); };",
		);
		expect(endedBy(run)).toContain('judge not reachable');
	});

	test('a generator is refused by name', async () => {
		expect(endedBy(await trainTask('export default async function* () { yield 1; };'))).toContain(
			'generator',
		);
	});
});

describe('C021: rewards that throw', () => {
	test.each([
		["throw new Error('cannot parse the answer')", 'cannot parse the answer'],
		["throw 'just text'", 'just text'],
		['throw null', 'null'],
		['process.exit(3)', 'process.exit(3)'],
		['const f = () => f() + 1; f()', 'call stack'],
	])('%s: the message has file and line, earlier steps stay', async (body, sign) => {
		// Two prompts, groups of four: the fifth call is in the second step.
		const text = `let n = 0;\nexport default () => {\n\tif (++n > 4) {\n\t\t${body};\n\t}\n\treturn n;\n};`;
		const run = await trainTask(text);
		expect(endedBy(run)).toContain(sign);
		expect(endedBy(run)).toMatch(/task\.mjs/u);
		expect(run.steps.map(({ step }) => step)).toEqual([1]);
	});
});

describe('C022, C024: task code that never comes back', () => {
	test.each([
		['for (;;);', 'a loop'],
		['return new Promise(() => {});', 'a promise'],
	])('%s (%s) ends at the time limit with its address', async (body) => {
		const run = await trainTask(
			`export default ({ joint }) => { if (joint === 2) { ${body} } return joint; };`,
			{},
			{ task: { timeLimitMs: 500 } },
		);
		expect(endedBy(run)).toMatch(/joint completion 2/u);
		expect(endedBy(run)).toMatch(/0\.5 s|500/u);
	});

	test('while the file loads', async () => {
		const message = await messageOf(() =>
			openText('for (;;);\nexport default () => 1;', { timeLimitMs: 500 }),
		);
		expect(message).toMatch(/0\.5 s|500/u);
	});

	test('in feedback', async () => {
		const run = await trainTask(
			'export default () => 0; export const feedback = () => { for (;;); };',
			{ num_turns: 2, early_termination_threshold: null },
			{ task: { timeLimitMs: 500 } },
		);
		expect(endedBy(run)).toContain('feedback');
	});
});

describe('C025: rewards and feedback of unfit kinds', () => {
	test.each([
		["'0.5'", 'text'],
		['true', 'true'],
		['[]', 'list'],
		['1n', 'bigint'],
		['1e308 * 10', 'Infinity'],
	])('a reward of %s is refused by its kind', async (value, kind) => {
		expect(endedBy(await trainTask(`export default () => ${value};`))).toContain(kind);
	});

	test.each([
		['42', '42'],
		['undefined', 'undefined'],
		['({})', 'object'],
		["''", 'empty'],
	])('feedback of %s is refused by its kind', async (value, kind) => {
		const run = await trainTask(`export default () => 0; export const feedback = () => ${value};`, {
			num_turns: 2,
			early_termination_threshold: null,
		});
		expect(endedBy(run)).toContain(kind);
	});
});

describe('C026: prompts of other shapes', () => {
	test.each([
		['"plain text"', true],
		['[{ "role": "user", "content": "hi" }]', true],
		['[{ "role": "user", "content": 42 }]', false],
		['[]', false],
		['""', false],
		['{ "text": "hi" }', false],
		['[{ "role": "wizard", "content": "hi" }]', false],
		['[{ "role": "user" }]', false],
		['null', false],
		['7', false],
		['[["user", "hi"]]', false],
	])('%s', async (prompt, fine) => {
		const folder = writeFiles({ 'rows.jsonl': `{"prompt":"good"}\n{"prompt":${prompt}}\n` });
		const opening = async (): Promise<unknown> =>
			open({ task: 'length-ratio', prompts: null, train_data: join(folder, 'rows.jsonl') });
		if (fine) await opening();
		else expect(await messageOf(opening)).toMatch(/rows\.jsonl.*2/su);
	});
});

describe('C027: feedback that always says the same', () => {
	const text = (done: string): string =>
		`export default () => 0; export const feedback = () => 'Please try again.'; export const isDone = () => ${done};`;
	const settings = { num_turns: 2, num_generations: 2, early_termination_threshold: null };

	test('ends at the turn limit', async () => {
		const run = await trainTask(text('false'), settings);
		expect(Math.max(...nodesOf(run).map(({ turn }) => turn))).toBe(2);
		expect(
			nodesOf(run)
				.filter(({ turn }) => turn === 2)
				.every(({ ended }) => ended === 'last-turn'),
		).toBe(true);
	});

	test('ends where the task is done, and the tree says so', async () => {
		const run = await trainTask(text('true'), settings);
		expect(nodesOf(run).every(({ turn }) => turn === 1)).toBe(true);
		expect(nodesOf(run).every(({ ended }) => ended !== null && ended !== 'last-turn')).toBe(true);
	});
});

test('C029: four turns of four generations and two agents are 85 nodes', async () => {
	const run = await runTraining(
		configOf({ ...smallRun, num_turns: 4, early_termination_threshold: null }),
		fakeTask({ train: ['one'] }),
	);
	expect(run.error).toBeNull();
	expect(nodesOf(run)).toHaveLength(1 + 4 + 16 + 64);
});

test.each([
	[[1, 0, 0.5, 0.5], 0.3535533905932738],
	[[1, 1, 1, 1], 0],
	[[-2, -2, -2, 6], 3.4641016151377544],
	[[0, 1], 0.5],
])('C030: one agent and one turn is GRPO, as by hand: %j', async (rewards, deviation) => {
	const policies = [new FakePolicy()];
	const run = await runTraining(
		configOf({ ...smallRun, num_agents: 1, num_generations: rewards.length }),
		fakeTask({ agents: 1, train: ['one'], reward: ({ joint }) => rewards[joint] ?? NaN }),
		{ policies },
	);
	const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
	const byHand = rewards.map((reward) => (deviation === 0 ? 0 : (reward - mean) / deviation));
	const advantages = nodesOf(run)[0]?.agents[0]?.completions.map(
		({ advantage }) => advantage ?? NaN,
	);
	for (const [at, value] of (advantages ?? []).entries())
		expect(value).toBeCloseTo(byHand[at] ?? NaN, 6);
	expect(advantages).toHaveLength(rewards.length);
});

test('C031: a run keeps the source that scored it, whatever becomes of the file', async () => {
	const folder = writeFiles({ 'task.mjs': 'export default () => 1;' });
	const path = join(folder, 'task.mjs');
	const task = await open({ task: path });
	writeFileSync(path, 'export default () => 2;');
	expect(task.source.text).toBe('export default () => 1;');
	expect(readFileSync(path, 'utf8')).not.toBe(task.source.text);
	const [outcome] = await task.rewards([contextOf(['a', 'b'])]);
	expect(outcome).toMatchObject({ kind: 'scored', total: 1 });
});

test('C032: every trained agent changes and has its own gradient norm; a frozen one does not', async () => {
	const policies = [new FakePolicy(), new FakePolicy()];
	const run = await trainTask(
		'let n = 0; export default () => n++;',
		{ agents: [{ name: 'a' }, { name: 'b', frozen: true }] },
		{ policies },
	);
	const start = new FakePolicy().logits;
	expect(policies[0]?.logits).not.toEqual(start);
	expect(policies[1]?.logits).toEqual(start);
	expect(metric(run.steps[0], 'a/grad_norm')).toBeGreaterThan(0);
	expect(metric(run.steps[0], 'b/grad_norm')).toBeUndefined();
});

test('an unknown task is told with the nearest', async () => {
	const message = await messageOf(() =>
		openTask({
			task: 'lenght-ratio',
			numAgents: 2,
			numTurns: 1,
			seed: 1,
			timeLimitMs: 1000,
			memoryLimitMb: 64,
		}),
	);
	expect(message).toContain('length-ratio');
});
