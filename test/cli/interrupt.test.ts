/** Ctrl-C on a real training process, once and twice, at the moments that matter. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src-main/contract/run-record.ts';
import { openStore } from '../../src-main/store/index.ts';
import { type RunningCommand, runGrove, startGrove } from '../support/grove-command.ts';
import { temporaryFolder } from '../support/temporary-store.ts';

const steps = 4;
let folder: string;
let db: string;
beforeEach(() => {
	folder = temporaryFolder();
	db = join(folder, 'grove.db');
	// While a file named slow is there, the reward of every second step takes a minute.
	writeFileSync(
		join(folder, 'task.mjs'),
		`import { existsSync } from 'node:fs';
		import { setTimeout as sleep } from 'node:timers/promises';
		export default {
			name: 'patience', agents: 2, dataset: ['One.', 'Two.'],
			async reward({ texts, item }) {
				if (existsSync('slow') && item.prompt === 'Two.') await sleep(60_000);
				return texts[0].length;
			},
		};`,
	);
	writeFileSync(
		join(folder, 'run.yaml'),
		[
			'task: ./task.mjs',
			'model: bundled:grove-tiny',
			'num_turns: 1',
			'num_generations: 2',
			'max_new_tokens: 4',
			`max_steps: ${steps}`,
			'device: cpu',
		].join('\n'),
	);
});

function start(...options: string[]): RunningCommand {
	return startGrove(['train', join(folder, 'run.yaml'), '--db', db, ...options]);
}

/** What is stored after the end. */
async function stored(): Promise<{ run: RunRecord; rewards: number; checkpoints: number[] }> {
	const store = await openStore({ path: db, mustExist: true });
	try {
		const [run] = store.listRuns({ include: 'all', keys: [] }).runs;
		if (run === undefined) throw new Error('there is no run');
		return {
			run,
			rewards: store.metricPoints(run.id, 'turn_1/reward_mean').value.length,
			checkpoints: store.listCheckpoints(run.id).checkpoints.map(({ step }) => step),
		};
	} finally {
		store.close();
	}
}

describe('Ctrl-C once', () => {
	it('finishes the step, keeps all of it, and says how to go on', async () => {
		const running = start('--set', 'max_steps=1000', '--set', 'num_train_epochs=500');
		await running.says(/step +2\/1000/u);
		running.kill('SIGINT');
		const { code, stdout, stderr } = await running.ended;
		expect(code).toBe(130);
		expect(stderr).toContain('Finishing the step');
		const { run, rewards, checkpoints } = await stored();
		expect(run.status).toBe('stopped');
		expect(run.step).toBeGreaterThanOrEqual(2);
		expect(rewards).toBe(run.step);
		expect(checkpoints.at(-1)).toBe(run.step);
		expect(stdout).toContain(`stopped at step ${run.step} of 1000`);
		expect(stdout).toContain(`resume ${run.id}`);
	});
});

describe('Ctrl-C twice', () => {
	it('drops a step whose rewards are waited for, keeps those before, and can be resumed', async () => {
		writeFileSync(join(folder, 'slow'), '');
		const running = start();
		await running.says(/step +1\/4/u);
		running.kill('SIGINT');
		await running.says(/Finishing the step/u);
		running.kill('SIGINT');
		const { code, stdout, stderr } = await running.ended;
		expect(code).toBe(130);
		expect(stderr).toContain('Stopping now');
		const { run, rewards, checkpoints } = await stored();
		expect(run).toMatchObject({ status: 'stopped', step: 1 });
		expect(rewards).toBe(1);
		expect(checkpoints).toEqual([1]);
		expect(stdout).toContain(`resume ${run.id}`);

		rmSync(join(folder, 'slow'));
		const resumed = await runGrove(['resume', run.id, '--db', db]);
		expect(resumed.code, resumed.stderr).toBe(0);
		expect(resumed.stderr).toContain('resumed after step 1');
		expect(await stored()).toMatchObject({
			run: { status: 'finished', step: steps },
			rewards: steps,
		});
	});

	it('ends a generation that would take long', async () => {
		const running = start('--set', 'max_new_tokens=400', '--set', 'num_generations=2000');
		await running.says(/^device:/mu);
		running.kill('SIGINT');
		await running.says(/Finishing the step/u);
		running.kill('SIGINT');
		const { code } = await running.ended;
		expect(code).toBe(130);
		expect(await stored()).toMatchObject({ run: { status: 'stopped', step: 0 }, rewards: 0 });
		expect(readdirSync(folder)).not.toContain('checkpoints');
	});
});

it('SIGTERM, as a machine that shuts down sends it, drops the step at once', async () => {
	writeFileSync(join(folder, 'slow'), '');
	const running = start();
	await running.says(/step +1\/4/u);
	running.kill('SIGTERM');
	expect((await running.ended).code).toBe(130);
	expect(await stored()).toMatchObject({
		run: { status: 'stopped', step: 1 },
		rewards: 1,
		checkpoints: [1],
	});
});
