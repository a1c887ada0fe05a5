/** What people reported of data order, resuming, checkpoints and seeds (C033 to C041), through the real command. */
import { createHash } from 'node:crypto';
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src-main/store/index.ts';
import { runGrove, startGrove } from '../support/grove-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'grove-case-runs-'));
const steps = 5;
afterAll(() => {
	rmSync(folder, { recursive: true });
});

/** Five batches of two numbered prompts. */
const config = join(folder, 'run.yaml');
beforeAll(() => {
	const rows = Array.from({ length: 10 }, (_, row) =>
		JSON.stringify({ id: `p0${row}`, prompt: `Prompt number 0${row}. Say ${row}.` }),
	);
	writeFileSync(join(folder, 'ten.jsonl'), rows.join('\n'));
	writeFileSync(
		config,
		[
			'task: length-ratio',
			'model: bundled:grove-tiny',
			'train_data: ten.jsonl',
			'num_turns: 1',
			'num_generations: 3',
			'max_new_tokens: 8',
			'prompts_per_step: 2',
			'num_train_epochs: 1',
			'seed: 7',
			'checkpoint_steps: 2',
			'agent_learning_rate: 1e-3',
		].join('\n'),
	);
});

interface Facts {
	status: string;
	/** Prompts of each step, in order. */
	prompts: string[][];
	rewards: number[];
	checkpoints: number[];
	/** SHA-256 of the first agent's weights at the end. */
	weights: string;
}

/** Whatever a run left behind. */
async function factsOf(database: string): Promise<Facts> {
	const store = await openStore({ path: database, mustExist: true });
	try {
		const run = store.listRuns({ include: 'all', keys: [] }).runs[0];
		if (run === undefined) throw new Error('there is no run');
		const { trees } = store.listTrees({ runId: run.id, limit: 100 });
		const prompts: string[][] = [];
		for (const { step, title } of trees) (prompts[step - 1] ??= []).push(title);
		const checkpoints = store.listCheckpoints(run.id).checkpoints;
		const last = checkpoints.toSorted((a, b) => b.step - a.step)[0];
		return {
			status: run.status,
			prompts,
			rewards: [...store.metricPoints(run.id, 'turn_1/reward_mean').value],
			checkpoints: checkpoints.map(({ step }) => step).toSorted((a, b) => a - b),
			weights:
				last === undefined
					? ''
					: createHash('sha256')
							.update(readFileSync(join(last.path, 'agent_1', 'model.safetensors')))
							.digest('hex'),
		};
	} finally {
		store.close();
	}
}

async function idOf(database: string): Promise<string> {
	const store = await openStore({ path: database, mustExist: true });
	try {
		return store.listRuns({ include: 'all', keys: [] }).runs[0]?.id ?? '';
	} finally {
		store.close();
	}
}

describe('one run of five steps', () => {
	const straight = join(folder, 'straight', 'grove.db');
	let expected: Facts;
	beforeAll(async () => {
		mkdirSync(join(folder, 'straight'));
		const { code, stderr } = await runGrove(['train', config, '--db', straight]);
		expect(code, stderr).toBe(0);
		expected = await factsOf(straight);
	});

	test('C035: sees every prompt once; C037: keeps a checkpoint of its last step', () => {
		expect(expected.prompts).toHaveLength(steps);
		expect(new Set(expected.prompts.flat()).size).toBe(10);
		expect(expected.checkpoints.at(-1)).toBe(steps);
	});

	test('C041: with the same seed gives the same rewards and weights, also beside another run', async () => {
		const databases = ['same-1', 'same-2'].map((name) => join(folder, name, 'grove.db'));
		for (const name of ['same-1', 'same-2']) mkdirSync(join(folder, name));
		await Promise.all(databases.map((database) => runGrove(['train', config, '--db', database])));
		for (const database of databases) expect(await factsOf(database)).toEqual(expected);
		// Two completions of one group still differ: some group has different rewards.
		expect(new Set(expected.rewards).size).toBeGreaterThan(1);
	});

	test.each([
		['C033, C034: stopped by Ctrl-C', 'SIGINT', 130],
		['C033, C039: killed', 'SIGKILL', null],
	] as const)('%s and resumed, it is the one never stopped', async (name, signal, code) => {
		const database = join(folder, signal, 'grove.db');
		mkdirSync(join(folder, signal));
		const running = startGrove(['train', config, '--db', database]);
		await running.says(/step +3\/5/u);
		running.kill(signal);
		const { code: ended } = await running.ended;
		expect(ended, name).toBe(code);
		const stopped = await factsOf(database);
		if (signal === 'SIGINT') expect(stopped.status).toBe('stopped');
		expect(stopped.rewards.length).toBeGreaterThanOrEqual(3);
		expect(expected.rewards.slice(0, stopped.rewards.length)).toEqual(stopped.rewards);
		if (signal === 'SIGINT') expect(stopped.checkpoints.at(-1)).toBe(stopped.rewards.length);
		if (stopped.status !== 'finished') {
			const resumed = await runGrove(['resume', await idOf(database), '--db', database]);
			expect(resumed.code, resumed.stderr).toBe(0);
		}
		const checkpoints: unknown = expect.any(Array);
		expect(await factsOf(database)).toEqual({ ...expected, checkpoints });
	});

	test('C039: a checkpoint that was cut off is passed over with a note', async () => {
		const database = join(folder, 'cut', 'grove.db');
		mkdirSync(join(folder, 'cut'));
		const running = startGrove(['train', config, '--db', database]);
		await running.says(/step +3\/5/u);
		running.kill('SIGINT');
		await running.ended;
		const id = await idOf(database);
		const checkpoints = join(folder, 'cut', 'checkpoints', id);
		const [newest] = readdirSync(checkpoints).toSorted().toReversed();
		truncateSync(join(checkpoints, newest ?? '', 'agent_2', 'model.safetensors'), 1000);
		const resumed = await runGrove(['resume', id, '--db', database]);
		expect(resumed.code, resumed.stderr).toBe(0);
		expect(resumed.stdout + resumed.stderr).toContain('model.safetensors');
		const facts = await factsOf(database);
		expect(facts.rewards).toEqual(expected.rewards);
		expect(facts.weights).toBe(expected.weights);
	});
});

test.each([
	['C035: no prompts at all', 'train_data', '', 'none.jsonl'],
	['C036: a row without the column', 'train_data', '{"prompt":"a"}\n{"text":"b"}\n', 'line 2'],
])('%s', async (_, key, rows, sign) => {
	const file = join(folder, 'none.jsonl');
	writeFileSync(file, rows);
	const database = join(folder, 'refused', 'grove.db');
	const { code, stderr } = await runGrove([
		'train',
		config,
		'--set',
		`${key}=${file}`,
		'--db',
		database,
	]);
	expect(code).toBe(2);
	expect(stderr).toContain(sign);
	// Nothing was written.
	expect(readdirSync(folder)).not.toContain('refused');
});
