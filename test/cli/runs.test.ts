import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src-main/store/index.ts';
import { grove, jsonOf } from '../support/captured-terminal.ts';
import { filledDatabase } from '../support/filled-database.ts';
import { temporaryFolder } from '../support/temporary-store.ts';

let db: string;
beforeEach(async () => {
	db = await filledDatabase();
});

async function runs(...words: string[]): ReturnType<typeof grove> {
	return grove('runs', ...words, '--db', db);
}

/** Ids that `runs list` shows with these options. */
async function listed(...options: string[]): Promise<string[]> {
	const { runs: rows } = jsonOf(await runs('list', '--json', ...options)) as {
		runs: { id: string }[];
	};
	return rows.map(({ id }) => id);
}

describe('runs list', () => {
	it('shows a line for each run with the reward means of its turns', async () => {
		const { code, stdout } = await runs('list');
		const [head, ...lines] = stdout.trimEnd().split('\n');
		expect(code).toBe(0);
		expect(head).toMatch(
			/^id +name +status +step +created +turn_1\/reward_mean +turn_2\/reward_mean +tags$/u,
		);
		expect(lines.map((line) => line.split(' ')[0])).toEqual(['fill-7-2', 'fill-7-1', 'fill-7-0']);
		expect(lines[1]).toMatch(/finished +12\/12 +2026-01-05 \d\d:00 +0\.793 +0\.842 +paper, try$/u);
	});

	it('is JSON with the whole record', async () => {
		const { database, runs: rows } = jsonOf(await runs('list', '--json', '--metric', '*/loss')) as {
			database: string;
			runs: Record<string, unknown>[];
		};
		expect(database).toBe(db);
		expect(rows[0]).toMatchObject({
			id: 'fill-7-2',
			status: 'finished',
			step: 12,
			totalSteps: 12,
			seed: '44',
			config: { num_turns: 2, seed: 44 },
			summaries: {
				'agent_1/loss': { count: 12, lastStep: 12 },
				'agent_2/loss': { count: 12 },
			},
		});
	});

	it.each([
		[['--tag', 'try'], ['fill-7-1']],
		[['--tag', 'paper', '--project', 'ablation'], ['fill-7-2']],
		[['--status', 'running'], []],
		[['--archived'], []],
		[['--all'], ['fill-7-2', 'fill-7-1', 'fill-7-0']],
	])('lets through %j', async (options, ids) => {
		expect(await listed(...options)).toEqual(ids);
	});

	it('says that there are none, and that a metric is unknown', async () => {
		expect((await runs('list', '--trash')).stdout).toBe('No runs.\n');
		const { code, stderr } = await runs('list', '--metric', 'turn_1/reward_maen');
		expect(code).toBe(8);
		expect(stderr).toContain('perhaps turn_1/reward_mean');
	});

	it.each([
		['not there', null, 8, 'there is no database'],
		['no database', 'plain text, and more of it than a header takes', 6, 'grove.db'],
	])('ends with a message where the file is %s', async (_, content, code, message) => {
		const path = join(temporaryFolder(), 'grove.db');
		if (content !== null) writeFileSync(path, content.repeat(100));
		const result = await grove('runs', 'list', '--db', path);
		expect(result.code).toBe(code);
		expect(result.stderr).toContain(message);
		if (content === null) expect(existsSync(path)).toBe(false);
	});
});

describe('which run is meant', () => {
	it('is told by an id, its beginning, or a name', async () => {
		await runs('rename', 'fill-7-1', 'the best one');
		for (const word of ['fill-7-1', 'the best one']) {
			const { run } = jsonOf(await runs('show', word, '--json')) as { run: { id: string } };
			expect(run.id).toBe('fill-7-1');
		}
	});

	it.each([
		['fill', 2, 'fill-7-2, fill-7-1, fill-7-0'],
		['', 8, 'there is no such run'],
		['fill-7-9', 8, 'there is no such run'],
		['the bets one', 8, 'perhaps "the best one"'],
	])('%j: exit code %i', async (word, code, message) => {
		await runs('rename', 'fill-7-1', 'the best one');
		const result = await runs('show', word);
		expect(result.code).toBe(code);
		expect(result.stderr).toContain(message);
	});
});

describe('runs show', () => {
	it('tells facts, changed settings, metrics and checkpoints', async () => {
		const { code, stdout } = await runs('show', 'fill-7-1');
		expect(code).toBe(0);
		expect(stdout).toMatch(/^id +fill-7-1$/mu);
		expect(stdout).toMatch(/^step +12 of 12, 208 joint completions scored$/mu);
		expect(stdout).toMatch(/^ {2}agent_learning_rate: 0\.00001$/mu);
		expect(stdout).toMatch(/^turn_2\/reward_mean +0\.842 +0\.577 +0\.327 +0\.94$/mu);
		expect(stdout).toMatch(/^12 +976\.6 KiB .* best +\/checkpoints\/fill-7-1\/step-12$/mu);
	});

	it('is JSON', async () => {
		expect(jsonOf(await runs('show', 'fill-7-1', '--json'))).toMatchObject({
			run: { id: 'fill-7-1' },
			children: [],
			configText: 'task: length-ratio-feedback\nseed: 43\n',
			checkpoints: [{ step: 12, isBest: true }],
		});
	});
});

describe('runs diff', () => {
	it('shows settings that differ and last values', async () => {
		const { code, stdout } = await runs('diff', 'fill-7-0', 'fill-7-1');
		expect(code).toBe(0);
		expect(stdout).toMatch(/^seed +42 +43$/mu);
		expect(stdout).toMatch(/^agent_learning_rate +0\.000005 +0\.00001$/mu);
		expect(stdout).toMatch(/^turn_1\/reward_mean +0\.7878 +0\.7928$/mu);
		expect(stdout).not.toContain('num_turns');
	});

	it('is JSON in the order asked for', async () => {
		const compared = jsonOf(
			await runs('diff', 'fill-7-1', 'fill-7-0', '--json', '--metric', 'turn_1/reward_*'),
		);
		expect(compared).toMatchObject({
			runs: [{ id: 'fill-7-1' }, { id: 'fill-7-0' }],
			facts: [{ key: 'joint completions', values: [208, 240] }],
			config: [
				{ key: 'seed', values: [43, 42] },
				{ key: 'agent_learning_rate', values: [1e-5, 5e-6] },
			],
		});
		const { metrics } = compared as { metrics: { key: string; summaries: unknown[] }[] };
		expect(metrics.map(({ key }) => key)).toEqual([
			'turn_1/reward_leaf_mean',
			'turn_1/reward_mean',
			'turn_1/reward_std',
		]);
		expect(metrics.every(({ summaries }) => summaries.length === 2)).toBe(true);
	});

	it('needs two runs', async () => {
		expect(await runs('diff', 'fill-7-1', 'fill-7-1')).toMatchObject({ code: 2 });
	});
});

describe('what people write on runs', () => {
	it('tags are added and taken away', async () => {
		const { code, stdout } = await runs(
			'tag',
			'fill-7-0',
			'fill-7-1',
			'--add',
			'good',
			'--remove',
			'paper',
		);
		expect({ code, stdout }).toEqual({
			code: 0,
			stdout: '2 runs tagged: fill-7-0, fill-7-1\n',
		});
		expect(await listed('--tag', 'good')).toEqual(['fill-7-1', 'fill-7-0']);
		expect(await listed('--tag', 'paper')).toEqual(['fill-7-2']);
		expect(jsonOf(await runs('tag', 'fill-7-0', '--add', 'good', '--json'))).toEqual({
			done: [],
			unchanged: ['fill-7-0'],
			refused: [],
		});
	});

	it.each([
		[['tag', 'fill-7-0'], 'a tag is missing'],
		[['tag', 'fill-7-0', '--add', ''], 'a tag is missing'],
		[['tag', 'fill-7-0', '--add', 'x'.repeat(201)], 'at most 200 characters'],
		[['rename', 'fill-7-0', 'x'.repeat(1001)], 'at most 1000 characters'],
		[['rename', 'fill-7-0'], 'grove runs rename RUN NAME'],
	])('%j is refused', async (words, message) => {
		const { code, stderr } = await runs(...words);
		expect(code).toBe(2);
		expect(stderr).toContain(message);
	});

	it('notes are written and read, and cannot rewrite the screen', async () => {
		await runs('note', 'fill-7-1', 'two\nlines \u001b[2J');
		expect((await runs('note', 'fill-7-1')).stdout).toBe('two\nlines \\u001b[2J\n');
		expect(jsonOf(await runs('note', 'fill-7-1', '--json'))).toEqual({
			id: 'fill-7-1',
			notes: 'two\nlines \u001b[2J',
		});
	});

	it('the archive is left again', async () => {
		await runs('archive', 'fill-7-1');
		expect(await listed()).toEqual(['fill-7-2', 'fill-7-0']);
		expect(await listed('--archived')).toEqual(['fill-7-1']);
		await runs('archive', 'fill-7-1', '--undo');
		expect(await listed('--archived')).toEqual([]);
	});
});

describe('removing runs', () => {
	it('goes to the trash and back', async () => {
		expect((await runs('delete', 'fill-7-1', 'fill-7-2')).stdout).toBe(
			'2 runs put in the trash: fill-7-1, fill-7-2\n',
		);
		expect(await listed()).toEqual(['fill-7-0']);
		expect((await runs('restore', 'fill-7-1', 'fill-7-0')).stdout).toBe(
			'1 run restored: fill-7-1\n1 run as before: fill-7-0\n',
		);
		expect(await listed('--trash')).toEqual(['fill-7-2']);
	});

	it('for good shows the sizes first, and takes the checkpoints along', async () => {
		const folder = join(dirname(db), 'checkpoints', 'fill-7-1');
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, 'weights'), 'x'.repeat(1000));
		await runs('delete', 'fill-7-1');
		const shown = jsonOf(await runs('empty-trash', '--json'));
		expect(shown).toMatchObject({ trash: [{ id: 'fill-7-1', checkpointBytes: 1_000_000 }] });
		expect((await runs('empty-trash')).stdout).toContain('--yes');
		expect(await listed('--trash')).toEqual(['fill-7-1']);
		const { code, stdout } = await runs('empty-trash', '--yes');
		expect(code).toBe(0);
		expect(stdout).toMatch(/^1 run removed for good, .* freed\.$/mu);
		expect(await listed('--all')).toEqual(['fill-7-2', 'fill-7-0']);
		expect(existsSync(folder)).toBe(false);
		expect((await runs('empty-trash')).stdout).toBe('The trash is empty.\n');
	});

	it('refuses a run that trains, and the exit code says so', async () => {
		const store = await openStore({ path: db });
		const recorder = store.recorder('fill-7-1');
		recorder.claim({ host: 'elsewhere', pid: 1, start: null });
		recorder.record({
			kind: 'started',
			totalSteps: 20,
			device: 'cpu',
			deviceDetail: '',
			resumedFromStep: 12,
		});
		store.close();
		const { code, stdout, stderr } = await runs('delete', 'fill-7-1', 'fill-7-0', '--json');
		expect(code).toBe(9);
		expect(stderr).toContain('trains at present');
		expect(JSON.parse(stdout)).toMatchObject({
			done: ['fill-7-0'],
			refused: [{ id: 'fill-7-1', error: { kind: 'conflict' } }],
		});
	});
});
