/** `grove train`, `demo`, `resume` and `fork`: what they print and write, and what they refuse. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src-main/store/index.ts';
import { grove, jsonOf } from '../support/captured-terminal.ts';
import { temporaryFolder } from '../support/temporary-store.ts';

let folder: string;
let db: string;
let file: string;
beforeEach(() => {
	folder = temporaryFolder();
	db = join(folder, 'data', 'grove.db');
	file = join(folder, 'run.yaml');
	writeFileSync(
		file,
		[
			'task: length-ratio-feedback',
			'model: bundled:grove-tiny',
			'num_turns: 2',
			'num_generations: 2',
			'advantage_normalization: false',
			'early_termination_threshold: null',
			'max_new_tokens: 4',
			'max_steps: 2',
			'device: cpu',
		].join('\n'),
	);
});

const command = (...words: string[]): ReturnType<typeof grove> => grove(...words, '--db', db);
const train = (...options: string[]): ReturnType<typeof grove> =>
	command('train', file, ...options);

interface Outcome {
	id: string;
	status: string;
	step: number;
	summaries: Record<string, { count: number }>;
}

describe('train', () => {
	it('prints the reward mean of each turn, a summary, and how to see the run', async () => {
		const { code, stdout, stderr } = await train('--name', 'first try');
		expect(code, stderr).toBe(0);
		expect(stderr).toMatch(/^device: cpu /mu);
		for (const step of [1, 2])
			expect(stderr).toMatch(
				new RegExp(`^step ${step}/2 +turn_1 [\\d.]+ +turn_2 [\\d.]+ +env_step ${6 * step} `, 'mu'),
			);
		expect(stdout).toContain('first try finished at step 2 of 2');
		expect(stdout).toMatch(/turn_1\/reward_mean +last [\d.]+, mean [\d.]+, best [\d.]+/u);
		expect(stdout).toMatch(/^See it: npm start -- --run \w+ --db /mu);
	});

	it('is JSON for a program, and all of it is stored', async () => {
		const outcome = jsonOf(await train('--json', '--seed', '5', '--set', 'num_turns=1')) as Outcome;
		expect(outcome).toMatchObject({ status: 'finished', step: 2, error: null });
		expect(outcome.summaries['turn_1/reward_mean']?.count).toBe(2);
		expect(outcome.summaries['turn_2/reward_mean']).toBeUndefined();
		const store = await openStore({ path: db });
		const { run } = store.getRun(outcome.id);
		store.close();
		expect(run).toMatchObject({ seed: '5', device: 'cpu', config: { num_turns: 1, seed: 5 } });
	});

	it.each([
		['a missing file', ['train', './none.yaml'], 2, 'none.yaml'],
		['an unknown key', ['--set', 'num_turn=2'], 2, 'perhaps num_turns'],
		['a wrong type', ['--set', 'num_turns=two'], 2, 'a whole number from 1 to 64'],
		['a value out of range', ['--set', 'num_generations=1'], 2, 'from 2 to 4096'],
		['no assignment', ['--set', 'num_turns'], 2, 'KEY=VALUE'],
		['no seed', ['--seed', '-=1'], 2, 'seed'],
		['no device of that name', ['--device', 'gpu'], 2, 'auto, cuda, webgpu or cpu'],
		['an unknown task', ['--set', 'task=lenght-ratio'], 2, 'perhaps length-ratio'],
		['an unknown model', ['--set', 'model=bundled:grove-tyni'], 2, 'perhaps bundled:grove-tiny'],
		['a missing data file', ['--set', 'train_data=none.jsonl'], 2, 'none.jsonl'],
		['feedback that is not there', ['--set', 'task=length-ratio'], 2, 'num_turns'],
	])('refuses %s, and writes nothing', async (_, words, code, message) => {
		const result = words[0] === 'train' ? await command(...words) : await train(...words);
		expect(result.code).toBe(code);
		expect(result.stderr).toContain(message);
		expect(readdirSync(folder)).toEqual(['run.yaml']);
	});

	it('refuses a model folder that lacks a part, and names it', async () => {
		const model = join(folder, 'model');
		mkdirSync(model);
		const { code, stderr } = await train('--set', `model=${model}`);
		expect(code).toBe(2);
		expect(stderr).toContain('config.json');
		expect(existsSync(db)).toBe(false);
	});

	it('tells all mistakes of a file at once', async () => {
		writeFileSync(file, 'num_turn: 2\nseed: -1\ntemperature: hot\n');
		const { stderr } = await train();
		for (const sign of ['perhaps num_turns', 'seed', 'temperature']) expect(stderr).toContain(sign);
	});
});

describe('a device that cannot be used', () => {
	it('is told with the reason and what to do, and nothing is written', async () => {
		const { backends } = jsonOf(await command('doctor', '--quick', '--json')) as {
			backends: { backend: string; usable: boolean; reason: string; advice: string }[];
		};
		for (const { backend, usable, reason, advice } of backends) {
			if (usable) continue;
			const { code, stderr } = await train('--device', backend);
			expect(code).toBe(2);
			expect(stderr).toContain(`the backend ${backend} cannot be used: ${reason}`);
			expect(stderr).toContain(advice);
		}
		expect(existsSync(db)).toBe(false);
	});
});

describe('demo', () => {
	it('trains the documented example for as many steps as asked', async () => {
		const outcome = jsonOf(
			await command(
				'demo',
				'--steps',
				'1',
				'--device',
				'cpu',
				'--set',
				'max_new_tokens=4',
				'--json',
			),
		) as Outcome;
		expect(outcome).toMatchObject({ status: 'finished', step: 1 });
		const store = await openStore({ path: db });
		const { config } = store.getRun(outcome.id).run;
		store.close();
		expect(config).toMatchObject({
			task: 'length-ratio-feedback',
			num_turns: 2,
			num_generations: 4,
			num_train_epochs: 2,
		});
	});
});

describe('resume and fork', () => {
	it('fork goes on from the last checkpoint as a new run that names its parent', async () => {
		const parent = jsonOf(await train('--json')) as Outcome;
		const child = jsonOf(
			await command('fork', parent.id, '--set', 'max_steps=3', '--name', 'child', '--json'),
		) as Outcome;
		expect(child).toMatchObject({ status: 'finished', step: 3 });
		const shown = jsonOf(await command('runs', 'show', parent.id, '--json'));
		expect(shown).toMatchObject({ children: [child.id] });
		expect(jsonOf(await command('runs', 'show', 'child', '--json'))).toMatchObject({
			run: { parentRunId: parent.id, forkStep: 2 },
		});
	});

	it('resume refuses a run that has finished, and says what else can be done', async () => {
		const { id } = jsonOf(await train('--json')) as Outcome;
		const { code, stderr } = await command('resume', id);
		expect(code).toBe(9);
		expect(stderr).toContain(`grove fork ${id}`);
	});

	it.each(['resume', 'fork'])('%s: a run or database that is not there', async (word) => {
		expect(await command(word, 'nothing')).toMatchObject({ code: 8 });
		expect(existsSync(db)).toBe(false);
		await train();
		expect(await command(word, 'nothing')).toMatchObject({ code: 8 });
	});
});
