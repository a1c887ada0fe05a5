import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunConfig } from '../../src-main/contract/config.ts';
import { GroveError } from '../../src-main/contract/errors.ts';
import type { StepRecord } from '../../src-main/contract/events.ts';
import { plannedSteps, type TrainerState } from '../../src-main/magrpo/index.ts';
import type { Task } from '../../src-main/tasks/task.ts';
import { FakePolicy } from '../support/fake-policy.ts';
import { fakeTask } from '../support/fake-task.ts';
import { configOf, runTraining, type TrainingRun } from '../support/run-training.ts';

const folder = mkdtempSync(join(tmpdir(), 'grove-resume-'));
afterAll(() => rmSync(folder, { recursive: true }));

const base = {
	num_turns: 2,
	num_generations: 3,
	num_train_epochs: 2,
	max_new_tokens: 5,
	temperature: 1,
	early_termination_threshold: 0.5,
	agent_learning_rate: 0.05,
	eval_interval: 2,
	shuffle: true,
};
const ten = Array.from({ length: 10 }, (_, index) => `prompt ${index}`);

const variants: Record<string, Record<string, unknown>> = {
	default: {},
	'cross, KL, schedule': {
		joint_mode: 'cross',
		num_generations: 2,
		reference_kl_enabled: true,
		lr_schedule: 'cosine',
		warmup_steps: 3,
		prompts_per_step: 2,
	},
	'buffer across steps': {
		rollout_buffer_size: 5,
		train_batch_size: 2,
		logging_steps: 9,
		num_train_epochs: 1,
	},
	compat: { compat: 'comlrl', rollout_buffer_size: 3, logging_steps: 7, num_train_epochs: 1 },
};

function newTask(): Task {
	return fakeTask({ train: ten, eval: ['e0', 'e1', 'e2'] });
}

/** Everything of the records but the times. */
function comparable(records: readonly StepRecord[]): unknown[] {
	return records.map((record) => ({
		...record,
		wallTimeMs: 0,
		metrics: record.metrics.filter(({ key }) => !/^(time|speed)\//u.test(key)),
	}));
}

const logitsOf = (run: TrainingRun) =>
	run.policies.map((policy) => (policy instanceof FakePolicy ? [...policy.logits] : []));

/** Runs, and saves the policies with every state that is handed out. */
async function savingRun(config: RunConfig, name: string): Promise<TrainingRun> {
	return runTraining(config, newTask(), {
		onState: async (state, policies) => {
			for (const [agent, policy] of policies.entries()) {
				await policy.saveTrainingState(join(folder, name, String(state.step), String(agent)));
			}
		},
	});
}

async function resumedRun(
	config: RunConfig,
	name: string,
	state: TrainerState,
): Promise<TrainingRun> {
	const policies = Array.from({ length: config.num_agents }, () => new FakePolicy());
	for (const [agent, policy] of policies.entries()) {
		await policy.loadTrainingState(join(folder, name, String(state.step), String(agent)));
	}
	return runTraining(config, newTask(), { policies, resume: state });
}

describe.each(Object.entries(variants))('resuming, %s', (name, variant) => {
	const config = configOf({ ...base, ...variant });

	it('at any step goes on bit for bit', async () => {
		const whole = await savingRun(config, name);
		expect(whole.error).toBeNull();
		expect(whole.steps.length).toBe(plannedSteps(config, newTask()));
		for (const state of whole.states.filter(({ finished }) => !finished)) {
			const resumed = await resumedRun(config, name, state);
			expect(plannedSteps(config, newTask(), state)).toBe(whole.steps.length);
			expect(comparable(resumed.steps)).toEqual(comparable(whole.steps.slice(state.step)));
			expect(comparable(resumed.evaluations)).toEqual(
				comparable(whole.evaluations.filter(({ step }) => step >= state.step)),
			);
			expect(resumed.logs).toEqual(whole.logs.slice(whole.logs.length - resumed.logs.length));
			expect(logitsOf(resumed)).toEqual(logitsOf(whole));
			expect(resumed.states.at(-1)).toEqual(whole.states.at(-1));
		}
	});

	it('visits each example once per epoch over both parts together', async () => {
		const whole = await savingRun(config, `${name} visits`);
		const state = whole.states[3];
		if (state === undefined) throw new Error('too short a run');
		const resumed = await resumedRun(config, `${name} visits`, state);
		const visits = [...whole.steps.slice(0, 3), ...resumed.steps].flatMap(({ trees, epoch }) =>
			trees.map(({ itemIndex }) => `${epoch} ${itemIndex}`),
		);
		expect(new Set(visits).size).toBe(visits.length);
		expect(visits.length).toBe(10 * config.num_train_epochs);
	});
});

describe('stopping', () => {
	const config = configOf(base);

	it('between two steps keeps the state that a resumed run starts from', async () => {
		const run = await runTraining(config, newTask(), {
			control: {
				betweenSteps: ({ step }) => Promise.resolve(step === 3 ? 'stop' : 'continue'),
			},
		});
		expect(run.events.at(-1)).toEqual({ kind: 'stopped', step: 3 });
		expect(run.states.at(-1)?.step).toBe(3);
	});

	it('before the first step does nothing', async () => {
		const run = await runTraining(config, newTask(), {
			control: { betweenSteps: () => Promise.resolve('stop') },
		});
		expect(run.events).toEqual([{ kind: 'stopped', step: 0 }]);
	});

	it('at once drops the step in progress and leaves every weight as it was', async () => {
		const abort = new AbortController();
		const policies = [new FakePolicy(), new FakePolicy()];
		let held: number[] = [];
		const run = await runTraining(config, newTask(), {
			policies,
			control: { signal: abort.signal },
			onState: (state) => {
				if (state.step === 2) held = [...(policies[0]?.logits ?? [])];
				return Promise.resolve();
			},
			onEvent: (event) => {
				if (event.kind === 'phase' && event.step === 3 && event.phase === 'rewarding')
					abort.abort();
			},
		});
		expect(run.events.at(-1)).toEqual({ kind: 'stopped', step: 2 });
		expect(run.steps.length).toBe(2);
		expect(policies[0]?.logits).toEqual(held);
	});

	it('during updates finishes the step first', async () => {
		const abort = new AbortController();
		const run = await runTraining(config, newTask(), {
			control: { signal: abort.signal },
			onEvent: (event) => {
				if (event.kind === 'phase' && event.step === 3 && event.phase === 'updating') abort.abort();
			},
		});
		expect(run.events.at(-1)).toEqual({ kind: 'stopped', step: 3 });
		expect(run.steps.length).toBe(3);
	});
});

describe('a finished state', () => {
	const config = configOf({ ...base, num_train_epochs: 1 });

	it('has nothing left to do', async () => {
		const whole = await savingRun(config, 'finished');
		const state = whole.states.at(-1);
		expect(state?.finished).toBe(true);
		if (state === undefined) return;
		const resumed = await resumedRun(config, 'finished', state);
		expect(resumed.events).toEqual([{ kind: 'finished', step: whole.steps.length }]);
	});

	it('goes on in a fork with more epochs', async () => {
		const whole = await savingRun(config, 'fork');
		const state = whole.states.at(-1);
		if (state === undefined) throw new Error('no state');
		const longer = configOf({ ...base, num_train_epochs: 2 });
		const fork = await resumedRun(longer, 'fork', state);
		expect(fork.steps.map(({ step }) => step)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
		const straight = await runTraining(longer, newTask());
		expect(logitsOf(fork)).toEqual(logitsOf(straight));
		expect(fork.states.map(({ finished }) => finished)).toEqual([
			...Array.from({ length: 11 }, () => false),
			true,
		]);
		expect(fork.evaluations.at(-1)?.step).toBe(20);
	});
});

describe('a state that does not fit', () => {
	it('is refused with a reason', async () => {
		const state = (await runTraining(configOf(base), newTask())).states[2];
		if (state === undefined) throw new Error('no state');
		const one = configOf({ ...base, num_agents: 1 });
		const run = await runTraining(one, fakeTask({ agents: 1 }), { resume: state });
		expect(run.error).toBeInstanceOf(GroveError);
		expect((run.error as GroveError).message).toContain('number of agents');
		const newer = { ...state, version: 2 } as unknown as TrainerState;
		const second = await runTraining(configOf(base), newTask(), { resume: newer });
		expect((second.error as GroveError).message).toContain('version');
	});

	it('of an epoch that is shorter now goes on with the next epoch', async () => {
		const state = (await runTraining(configOf(base), newTask())).states[7];
		const run = await runTraining(configOf(base), fakeTask({ train: ten.slice(0, 4) }), {
			...(state === undefined ? {} : { resume: state }),
		});
		expect(run.steps.map(({ step, epoch }) => [step, epoch])).toEqual([
			[8, 1],
			[9, 1],
			[10, 1],
			[11, 1],
		]);
	});
});
