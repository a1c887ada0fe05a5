/** Resuming with a real model on the CPU: texts, metrics and weights bit for bit, from every step. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { StepRecord } from '../../src-main/contract/events.ts';
import { loadPolicy } from '../../src-main/policy/load-policy.ts';
import type { Policy } from '../../src-main/policy/policy.ts';
import { fakeTask } from '../support/fake-task.ts';
import { goldenFolder } from '../support/golden-run.ts';
import { configOf, metric, runTraining, type TrainingRun } from '../support/run-training.ts';

const folder = mkdtempSync(join(tmpdir(), 'grove-resume-decoder-'));
afterAll(() => rmSync(folder, { recursive: true }));

const config = configOf({
	num_turns: 2,
	num_generations: 2,
	num_train_epochs: 2,
	max_new_tokens: 6,
	temperature: 1,
	top_p: 1,
	top_k: null,
	early_termination_threshold: null,
	agent_learning_rate: 0.01,
	reference_kl_enabled: true,
});

function load(): Promise<Policy[]> {
	return Promise.all(
		Array.from({ length: config.num_agents }, () =>
			loadPolicy({
				model: join(goldenFolder, 'model'),
				revision: null,
				keepReference: true,
				prompts: config,
				onProgress: () => undefined,
			}),
		),
	);
}

const task = () =>
	fakeTask({
		train: ['one', 'two'],
		reward: ({ completions }) =>
			completions.reduce((sum, { text }) => sum + (([...text][0]?.codePointAt(0) ?? 0) % 10), 0),
	});

function comparable(records: readonly StepRecord[]): unknown[] {
	return records.map(({ trees, metrics }) => ({
		trees,
		metrics: metrics.filter(({ key }) => !/^(time|speed)\//u.test(key)),
	}));
}

async function weightsOf(run: TrainingRun, name: string): Promise<Buffer[]> {
	const files: Buffer[] = [];
	for (const [agent, policy] of run.policies.entries()) {
		const target = join(folder, name, String(agent));
		await policy.save(target);
		files.push(readFileSync(join(target, 'model.safetensors')));
		policy.dispose();
	}
	return files;
}

it('goes on bit for bit', async () => {
	const whole = await runTraining(config, task(), {
		policies: await load(),
		onState: async (state, policies) => {
			for (const [agent, policy] of policies.entries()) {
				const target = join(folder, `step ${state.step}`, String(agent));
				await policy.saveTrainingState(target);
			}
		},
	});
	expect(whole.error).toBeNull();
	expect(whole.steps.length).toBe(4);
	expect(metric(whole.steps.at(-1), 'agent_1/updates')).toBe(4);
	const weights = await weightsOf(whole, 'whole');
	for (const state of whole.states.filter(({ finished }) => !finished)) {
		const policies = await load();
		for (const [agent, policy] of policies.entries()) {
			await policy.loadTrainingState(join(folder, `step ${state.step}`, String(agent)));
		}
		const resumed = await runTraining(config, task(), { policies, resume: state });
		expect(comparable(resumed.steps)).toEqual(comparable(whole.steps.slice(state.step)));
		const again = await weightsOf(resumed, `resumed ${state.step}`);
		expect(again.every((file, agent) => file.equals(weights[agent] ?? Buffer.alloc(0)))).toBe(true);
	}
});
