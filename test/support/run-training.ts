/** Runs the trainer on fake policies and collects what it says. */
import { parseConfig, resolveAgents, type RunConfig } from '../../src-main/contract/config.ts';
import type { StepRecord, TrainingEvent } from '../../src-main/contract/events.ts';
import { train, type TrainControl, type TrainerState } from '../../src-main/magrpo/index.ts';
import type { Policy } from '../../src-main/policy/policy.ts';
import type { Task } from '../../src-main/tasks/task.ts';
import { FakePolicy } from './fake-policy.ts';

export function configOf(input: Record<string, unknown>): RunConfig {
	const result = parseConfig(input);
	if (!result.ok) throw new Error(result.complaints.map(({ what }) => what).join('\n'));
	return result.config;
}

export interface TrainingRun {
	events: TrainingEvent[];
	steps: StepRecord[];
	evaluations: StepRecord[];
	logs: string[];
	/** States as they were handed out, each through JSON. */
	states: TrainerState[];
	policies: Policy[];
	error: unknown;
}

export interface RunOptions {
	policies?: Policy[];
	resume?: TrainerState;
	control?: Partial<TrainControl>;
	/** Called with every state, before `control`. */
	onState?: (state: TrainerState, policies: readonly Policy[]) => Promise<void>;
	onEvent?: (event: TrainingEvent) => void;
}

/** The error that ended the run, if one did, is in the result. */
export async function runTraining(
	config: RunConfig,
	task: Task,
	options: RunOptions = {},
): Promise<TrainingRun> {
	const agents = resolveAgents(config);
	const policies = options.policies ?? agents.map(() => new FakePolicy());
	const run: TrainingRun = {
		events: [],
		steps: [],
		evaluations: [],
		logs: [],
		states: [],
		policies,
		error: null,
	};
	let now = 0;
	const control: TrainControl = {
		signal: options.control?.signal ?? new AbortController().signal,
		async betweenSteps(state) {
			run.states.push(JSON.parse(JSON.stringify(state)) as TrainerState);
			await options.onState?.(state, policies);
			return (await options.control?.betweenSteps?.(state)) ?? 'continue';
		},
	};
	const events = train({
		policies,
		task,
		config,
		agents,
		clock: () => (now += 7),
		control,
		...(options.resume === undefined ? {} : { resume: options.resume }),
	});
	try {
		for await (const event of events) {
			options.onEvent?.(event);
			run.events.push(event);
			if (event.kind === 'step') run.steps.push(event.record);
			if (event.kind === 'evaluation') run.evaluations.push(event.record);
			if (event.kind === 'log') run.logs.push(event.text);
		}
	} catch (error) {
		run.error = error;
	}
	return run;
}

/** Value of a metric of a step; undefined if the step did not log it. */
export function metric(record: StepRecord | undefined, key: string): number | undefined {
	return record?.metrics.find((value) => value.key === key)?.value;
}
