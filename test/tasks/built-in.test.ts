import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../../src-main/contract/config.ts';
import { lengthRatio, ratioReward } from '../../src-main/tasks/built-in/length-ratio-reward.ts';
import { oneDecimal } from '../../src-main/tasks/built-in/one-decimal.ts';
import {
	contentOverlap,
	plateauPoints,
	transitionScore,
	type WritingLevels,
	writingReward,
} from '../../src-main/tasks/built-in/writing-levels.ts';
import { listTasks } from '../../src-main/tasks/index.ts';
import { contextOf, open } from './task-files.ts';

/** `count` different words. */
function words(count: number, stem: string): string {
	return Array.from({ length: count }, (_, index) => `${stem}${index}`).join(' ');
}

const background =
	'Rivers carry sand and mud to the sea, and where they slow down they build deltas. ' +
	'People have lived on these plains for thousands of years because the soil is rich and water is near. ' +
	'However, dams now hold back much of the sediment, so that coasts which grew for centuries begin to sink. ' +
	'The change is slow and hard to see from the ground, although satellites have watched it for forty years. ' +
	'For example, the shoreline of one delta has moved inland by hundreds of metres since its first dam. ' +
	'Planners therefore need to know how fast a delta answers when its supply is cut, yet most models describe only the final form. ' +
	'In fact, without a response time nobody can say whether the damage of recent dams is already visible. ' +
	'This gap makes it difficult to plan measures that protect the people who live along the water and depend on its harvest.';
const method =
	'To close this gap, we combine forty years of satellite images of eleven deltas with a simple balance of deposited and removed material. ' +
	'First, the shoreline of every delta is traced in each image, and its movement is measured. ' +
	'Then the balance is fitted to one half of the record, with only three parameters that have a physical meaning. ' +
	'On the other half it predicts the shoreline with small errors, which shows that the supply of sediment explains most of the change. ' +
	'The response times range from four to thirty years, and they grow with the width of the plain. ' +
	'In other words, a wide delta hides the effect of a dam for a generation. ' +
	'Similarly, measures that restore the supply will show their benefit only late. ' +
	'If planners follow the shoreline of today, they will act too late, although the water already carries less sand. ' +
	'Moreover, the method needs no data from the ground, so it can be used wherever satellites have watched a coast for long enough. ' +
	'In summary, slow deltas demand early decisions, and the balance offers a way to make them before the coast begins to sink and people lose their soil and harvest.';

/** Per task: joint completions from perfect to empty. */
const graded: Record<string, [string, string][]> = {
	'length-ratio-feedback': [
		['a'.repeat(40), 'b'.repeat(100)],
		['a'.repeat(40), 'b'.repeat(70)],
		['a'.repeat(40), 'b'.repeat(20)],
		['', ''],
	],
	'length-ratio': [
		['a'.repeat(40), 'b'.repeat(100)],
		['a'.repeat(40), 'b'.repeat(130)],
		['a'.repeat(40), 'b'.repeat(4)],
		['', ''],
	],
	story: [
		['Once a fox sang.', 'Once a fox sang, and the whole wood listened.'],
		['Once a fox sang.', 'Once a fox sang to a tree.'],
		['Once a fox sang.', 'Once.'],
		['', ''],
	],
	tldr: [
		[
			'My flatmate runs a bakery in our kitchen and my power bill has tripled.',
			'My flatmate Jonas bakes from four every morning; therefore our power bill tripled. However, he refuses a fair split, although I offered to pay by meter. For example, I pay eighty more each month.',
		],
		[
			'My flatmate runs a bakery in our kitchen and my power bill has tripled.',
			'My flatmate runs a bakery in the kitchen of our flat and the power bill has tripled since autumn, so we argue.',
		],
		['My flatmate runs a bakery in our kitchen and my power bill has tripled.', 'No idea at all.'],
		['', ''],
	],
	arxiv: [
		[background, method],
		[background, background],
		[background, 'We measure deltas.'],
		['', ''],
	],
};

describe('built-in tasks', () => {
	it('have a graded example each', async () => {
		expect((await listTasks()).map(({ name }) => name).sort()).toEqual(Object.keys(graded).sort());
	});

	it.each(Object.entries(graded))('%s pays perfect > near > bad ≥ empty', async (name, answers) => {
		const task = await open({ task: name, prompts: null });
		const outcomes = await task.rewards(answers.map((texts) => contextOf(texts)));
		const [perfect, near, bad, empty] = outcomes.map((outcome) =>
			outcome.kind === 'scored' ? outcome.total : NaN,
		);
		expect(perfect).toBeGreaterThan(near ?? NaN);
		expect(near).toBeGreaterThan(bad ?? NaN);
		expect(bad).toBeGreaterThanOrEqual(empty ?? NaN);
	});

	it('earn the most there is in the writing tasks, but for the transitions', async () => {
		const task = await open({ task: 'arxiv', prompts: null });
		const [outcome] = await task.rewards([contextOf([background, method])]);
		expect(outcome).toMatchObject({
			kind: 'scored',
			parts: { structure: 0.5, coordination: 1, vocabulary: 0.5 },
		});
	});

	it('give every agent of a writing task its own prompt', async () => {
		const task = await open({ task: 'tldr', prompts: ['A long post.'] });
		const [item] = task.train;
		if (item === undefined) throw new Error('there is no example');
		const { prompts, rawPrompts } = await task.prompts(item);
		expect(rawPrompts).toEqual(['A long post.', 'A long post.']);
		expect(prompts[0]).toContain('A long post.');
		expect(prompts[0]).not.toBe(prompts[1]);
	});

	it('scale the story by an option, and know no other option', async () => {
		const task = await open({ task: 'story', options: { scale: 1 }, prompts: null });
		expect(task.train).toHaveLength(10);
		expect(await task.rewards([contextOf(['abc', 'abcdefg'])])).toMatchObject([{ total: 1 }]);
		await expect(open({ task: 'story', options: { scael: 1 } })).rejects.toThrow('perhaps scale');
	});

	it('name what they are in the source that is stored', async () => {
		const task = await open({ task: 'length-ratio-feedback', prompts: null });
		expect(task.source).toMatchObject({ name: 'length-ratio-feedback', path: null });
		expect(task.source.text).toContain('export function ratioReward');
		expect(task.source.text).not.toContain('interface TaskDefinition');
		expect(task.source.hash).toMatch(/^[0-9a-f]{64}$/u);
	});
});

describe('the documented two-turn example', () => {
	it('has its four prompts, two agents and two turns', async () => {
		const task = await open({ task: 'length-ratio-feedback', numTurns: 2, prompts: null });
		expect(task.train.map(({ prompt }) => prompt)).toEqual([
			'Describe a city in the clouds:',
			'Invent a new holiday and explain it:',
			'Write a bedtime story for a dragon:',
			'Design a playground on Mars:',
		]);
		expect(task.turns).toBe(2);
		expect(task.agentNames).toEqual(['agent_1', 'agent_2']);
	});

	it('tells each agent its length, the ratio with one decimal, and the goal', async () => {
		const task = await open({ task: 'length-ratio-feedback', numTurns: 2, prompts: null });
		const [outcome] = await task.feedback([contextOf(['👩‍👩‍👧‍👦🌳', 'b'.repeat(10)])]);
		if (outcome?.kind !== 'prompts') throw new Error('there is no feedback');
		expect(outcome.rawPrompts[0]).toContain('8 characters');
		expect(outcome.rawPrompts[1]).toContain('10 characters');
		for (const prompt of outcome.rawPrompts) {
			// 10 / 8 = 1.25, which Python rounds to the even digit.
			expect(prompt).toContain('ratio was 1.2.');
			expect(prompt).toContain('2 to 3 times');
			expect(prompt).toContain('Say a.');
		}
	});

	it.each([
		[0.5, 0.22313],
		[1.5, 0.606531],
		[2, 1],
		[2.7, 1],
		[3, 1],
		[3.5, 0.606531],
		[5, 0.135335],
	])('rewards a ratio of %f with %f', (ratio, reward) => {
		expect(ratioReward(ratio, 2, 3)).toBeCloseTo(reward, 6);
	});

	it('counts code points, and divides by at least one', () => {
		expect(lengthRatio('', 'ab')).toBe(2);
		expect(lengthRatio('🌳🌳', 'abc')).toBe(1.5);
		expect(lengthRatio('\ud800a', 'abcd')).toBe(2);
	});

	it('writes one decimal as Python does', () => {
		const cases: [number, string][] = [
			[0.25, '0.2'],
			[0.75, '0.8'],
			[1.25, '1.2'],
			[2.25, '2.2'],
			[2.75, '2.8'],
			[0.05, '0.1'],
			[0.15, '0.1'],
			[0.35, '0.3'],
			[2.5, '2.5'],
			[3, '3.0'],
			[-0.25, '-0.2'],
			[123456.25, '123456.2'],
		];
		for (const [value, text] of cases) expect(oneDecimal(value)).toBe(text);
	});

	it('differs from toFixed at ties only', () => {
		fc.assert(
			fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (value) => {
				const isTie = Number.isInteger(value * 4) && !Number.isInteger(value * 2);
				expect(isTie || oneDecimal(value) === value.toFixed(1)).toBe(true);
				expect(Math.abs(Number(oneDecimal(value)) - value)).toBeLessThanOrEqual(0.05 + 1e-9);
			}),
		);
	});
});

describe('the levels of the writing reward', () => {
	const levels: WritingLevels = {
		words: [8, 256],
		length: { points: 1, from: 1.1, start: 1.6, end: 3.2, to: 5 },
		vocabulary: { points: 0.5, from: 1.3, start: 2, end: Infinity, to: Infinity },
		transitionsIn: 'second',
		overlap: 0.03,
	};

	it('rise, hold and fall at the documented ratios', () => {
		const points = [1.09, 1.1, 1.35, 1.6, 3.2, 4.1, 5, 5.01].map((ratio) =>
			plateauPoints(ratio, levels.length),
		);
		expect(points[0]).toBeNull();
		expect(points.slice(1, 7).map((value) => Number(value?.toFixed(6)))).toEqual([
			0, 0.5, 1, 1, 0.5, 0,
		]);
		expect(points[7]).toBeNull();
	});

	it('stop at the first that fails and keep what was earned', () => {
		const sum = (first: string, second: string): number =>
			Object.values(writingReward(first, second, levels).parts).reduce((a, b) => a + b, 0);
		expect(sum(words(7, 'a'), words(20, 'b'))).toBe(0);
		expect(sum(words(10, 'a'), words(10, 'b'))).toBe(0.5);
		expect(sum(words(10, 'a'), 'b b '.repeat(15))).toBe(1.5);
		// Twenty new words in twice the length: all but style, where nothing is shared and no phrase joins.
		expect(sum(words(10, 'xq'), words(20, 'zq'))).toBe(2);
	});

	it('count categories of transitions, anywhere in the text', () => {
		expect(transitionScore('qqq')).toBe(0);
		expect(transitionScore('furthermore')).toBeCloseTo(0.4);
		expect(transitionScore('Moreover, for instance: unless')).toBeCloseTo(0.5);
	});

	it('measure the overlap of content words', () => {
		expect(contentOverlap('', 'the and of')).toBe(1);
		expect(contentOverlap('the red fox', 'a red bird')).toBeCloseTo(1 / 3);
		fc.assert(
			fc.property(fc.string(), fc.string(), (a, b) => {
				const overlap = contentOverlap(a, b);
				expect(overlap).toBe(contentOverlap(b, a));
				expect(overlap >= 0 && overlap <= 1).toBe(true);
			}),
		);
	});
});

describe('example runs', () => {
	const folder = fileURLToPath(new URL('../../resources/examples/', import.meta.url));

	it.each(readdirSync(folder).filter((file) => file.endsWith('.yaml')))(
		'%s is a configuration whose task opens',
		async (file) => {
			const result = parseConfig(parse(readFileSync(`${folder}${file}`, 'utf8')));
			if (!result.ok) throw new Error(JSON.stringify(result.complaints));
			const { config } = result;
			const task = await open({
				task: config.task,
				options: config.task_options,
				numAgents: config.num_agents,
				numTurns: config.num_turns,
				prompts: null,
			});
			expect(task.train.length).toBeGreaterThan(0);
		},
	);
});
