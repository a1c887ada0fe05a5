/** Trains fake policies on a task file, through the real host of task code. */
import type { OpenTaskOptions } from '../../src-main/tasks/index.ts';
import {
	configOf,
	runTraining,
	type RunOptions,
	type TrainingRun,
} from '../support/run-training.ts';
import { openText } from '../tasks/task-files.ts';

/** One turn, two agents, groups of four: small, with every default that matters left alone. */
export const smallRun = {
	num_turns: 1,
	num_generations: 4,
	num_train_epochs: 1,
	max_new_tokens: 4,
	temperature: 1,
} as const;

export async function trainTask(
	text: string,
	settings: Readonly<Record<string, unknown>> = {},
	options: RunOptions & { task?: Partial<OpenTaskOptions> } = {},
): Promise<TrainingRun> {
	const config = configOf({ ...smallRun, ...settings });
	const task = await openText(text, {
		numTurns: config.num_turns,
		numAgents: config.num_agents,
		failFast: config.on_reward_error === 'fail',
		timeLimitMs: 2000,
		memoryLimitMb: 96,
		...options.task,
	});
	return runTraining(config, task, options);
}

/** The message that ended a run. */
export function endedBy(run: TrainingRun): string {
	if (run.error instanceof Error) return run.error.message;
	throw new Error('the run did not fail');
}
