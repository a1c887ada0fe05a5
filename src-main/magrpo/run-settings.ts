/** From the configuration of a run to the settings of its parts. */
import type { ResolvedAgent, RunConfig } from '../contract/config.ts';
import type { SamplingSettings } from '../policy/policy.ts';
import type { Task } from '../tasks/task.ts';
import { type OrderRule, totalSteps } from './data-order.ts';
import type { GrowSettings } from './grow-settings.ts';
import { profileOf } from './profile.ts';
import type { TrainOptions } from './train.ts';
import { resumedState, type TrainerState } from './trainer-state.ts';

/** `step` and `epoch` are those that the trees will carry. */
export function growSettings(
	{ policies, task, config, agents, clock, control }: TrainOptions,
	step: number,
	epoch: number,
): GrowSettings {
	return {
		policies,
		task,
		step,
		epoch,
		purpose: 'train',
		numTurns: config.num_turns,
		samples: config.num_generations,
		jointMode: config.joint_mode,
		threshold: config.early_termination_threshold,
		sampling: agents.map((agent) => samplingOf(config, agent)),
		seed: config.seed,
		rewardProcessor: config.reward_processor,
		onRewardError: config.on_reward_error,
		onPromptError: config.on_prompt_error,
		passthrough: config.external_prompt_passthrough,
		promptHistory: profileOf(config).promptHistory,
		clock,
		signal: control.signal,
	};
}

function samplingOf(config: RunConfig, agent: ResolvedAgent): SamplingSettings {
	return {
		maxNewTokens: agent.maxNewTokens,
		temperature: config.temperature,
		topP: config.top_p,
		topK: config.top_k,
		minP: config.min_p,
		repetitionPenalty: config.repetition_penalty,
		stop: config.stop,
	};
}

export function orderRule(config: RunConfig, task: Task): OrderRule {
	return {
		examples: task.train.length,
		promptsPerStep: config.prompts_per_step,
		epochs: config.num_train_epochs,
		maxSteps: config.max_steps,
		shuffle: config.shuffle,
		seed: config.seed,
	};
}

/** Steps of the whole run, from its start or from a state it is resumed at. */
export function plannedSteps(config: RunConfig, task: Task, resume?: TrainerState): number {
	const rule = orderRule(config, task);
	if (resume === undefined) return totalSteps(rule);
	const { step, position } = resumedState(resume, config.num_agents, task.train.length);
	return totalSteps(rule, step, position);
}
