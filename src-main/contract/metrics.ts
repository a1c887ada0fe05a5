/**
 * Every metric Grove logs, with a sentence that explains it. Keys with a part that varies
 * (`turn_{k}`, `agent_{i}`, `reward_part/{name}`) are patterns; a test fails when a run logs a key that no pattern explains.
 */
export interface MetricDefinition {
	/** Pattern with {k} for a turn, {i} for an agent name and {name} for free names. */
	pattern: string;
	help: string;
	/** Which way is better, if one is. */
	better: 'higher' | 'lower' | null;
}

const define = (
	pattern: string,
	better: MetricDefinition['better'],
	help: string,
): MetricDefinition => ({ pattern, help, better });

export const metricDefinitions: readonly MetricDefinition[] = [
	define(
		'turn_{k}/reward_mean',
		'higher',
		'Mean over the nodes of this turn of the mean reward of their joint completions.',
	),
	define(
		'turn_{k}/reward_leaf_mean',
		'higher',
		'As reward_mean, but each node weighs as many full-depth paths as it stands for, so that early ended branches count for what they replace.',
	),
	define(
		'turn_{k}/expected_return',
		'higher',
		'Mean over the nodes of this turn of their mean return: own reward plus discounted mean of what followed.',
	),
	define(
		'turn_{k}/reward_std',
		null,
		'Standard deviation of the rewards of all joint completions of this turn.',
	),
	define('turn_{k}/reward_min', null, 'Lowest reward of a joint completion of this turn.'),
	define('turn_{k}/reward_q25', null, 'Lower quartile of the rewards of this turn.'),
	define('turn_{k}/reward_median', null, 'Median of the rewards of this turn.'),
	define('turn_{k}/reward_q75', null, 'Upper quartile of the rewards of this turn.'),
	define('turn_{k}/reward_max', null, 'Highest reward of a joint completion of this turn.'),
	define('turn_{k}/nodes', null, 'Nodes of this turn in the step: fewer when branches end early.'),
	define(
		'turn_{k}/ended_early',
		null,
		'Share of the nodes of this turn that ended before the last turn.',
	),
	define(
		'turn_{k}/zero_variance',
		'lower',
		'Share of groups of this turn whose returns are all equal: they teach nothing.',
	),
	define(
		'turn_{k}/epoch_reward_mean',
		'higher',
		'Mean reward of all nodes of this turn in the finished epoch.',
	),
	define(
		'turn_{k}/epoch_avg_return',
		'higher',
		'Mean return of all nodes of this turn in the finished epoch.',
	),
	define('turn_{k}/reference_kl_mean', null, 'Mean KL (per sequence, k3) to the frozen reference.'),
	define(
		'turn_{k}/reference_kl_penalty_mean',
		null,
		'The mean KL times its coefficient, as subtracted from returns.',
	),
	define('turn_{k}/reward_part/{name}', null, 'Mean of one named part of the reward.'),
	define('turn_{k}/task/{name}', null, 'Mean of a number that the task reports beside its reward.'),
	define(
		'turn_{k}/reward_errors',
		'lower',
		'Joint completions of this turn without a usable reward.',
	),
	define(
		'reward_gain',
		'higher',
		'Reward mean of the last turn minus that of the first: is the later answer better?',
	),
	define('{i}/completion_length_mean', null, 'Mean completion length of this agent, in tokens.'),
	define('{i}/completion_length_min', null, 'Shortest completion of this agent, in tokens.'),
	define('{i}/completion_length_max', null, 'Longest completion of this agent, in tokens.'),
	define('{i}/finish_eos', null, 'Share of completions of this agent that ended by themselves.'),
	define(
		'{i}/finish_length',
		'lower',
		'Share of completions of this agent cut at the token limit.',
	),
	define('{i}/finish_stop', null, 'Share of completions of this agent ended by a stop string.'),
	define(
		'{i}/prompts_cut',
		'lower',
		'Share of prompts of this agent that were cut to fit the context.',
	),
	define(
		'{i}/entropy',
		null,
		'Mean negative log-probability of the sampled tokens: an estimate of the policy entropy, in nats per token.',
	),
	define(
		'{i}/kl_to_start',
		null,
		'Approximate KL (k3, per token) between the policy and the model it started from.',
	),
	define(
		'{i}/kl_clipped',
		'lower',
		'Share of tokens whose log ratio to the reference was clipped at 20 before taking its exponential.',
	),
	define(
		'{i}/loss',
		null,
		'Policy-gradient loss of the last update. With normalised advantages its value sits near 0 in a healthy run; read the gradient norm.',
	),
	define(
		'{i}/grad_norm',
		null,
		'Global L2 norm of the gradient before clipping; 0 means nothing was learnt.',
	),
	define('{i}/learning_rate', null, 'Learning rate of the last update.'),
	define('{i}/advantage_std', null, 'Standard deviation of the advantages used.'),
	define('{i}/updates', null, 'Optimizer steps taken so far.'),
	define(
		'{i}/updates_skipped',
		'lower',
		'Updates skipped so far because of a non-finite loss or gradient, or because no group had any variance.',
	),
	define('speed/generate_tokens_per_second', 'higher', 'Sampled tokens per second of generation.'),
	define(
		'speed/train_tokens_per_second',
		'higher',
		'Tokens per second of loss, gradient and optimizer.',
	),
	define('time/generate', 'lower', 'Seconds of this step spent generating.'),
	define('time/reward', 'lower', 'Seconds of this step spent in rewards and feedback.'),
	define('time/update', 'lower', 'Seconds of this step spent in loss, gradient and optimizer.'),
	define('time/step', 'lower', 'Seconds of this step in all.'),
	define(
		'prompts_skipped',
		'lower',
		'Examples skipped so far because they could not be rolled out.',
	),
	define(
		'eval/turn_{k}/reward_mean',
		'higher',
		'Mean reward at this turn over the evaluation examples.',
	),
	define(
		'eval/turn_{k}/expected_return',
		'higher',
		'Mean over the evaluation examples of the undiscounted rewards from this turn on.',
	),
	define(
		'eval/turn_{k}/reward_leaf_mean',
		'higher',
		'As reward_mean, but an example whose branch ended early counts with its last reward.',
	),
	define('eval/{name}', null, "A number that the task's evaluate reports."),
	define('system/cpu', null, 'Processor use of the trainer, 1 being one core.'),
	define('system/memory', null, 'Resident memory of the trainer, in bytes.'),
	define('system/gpu_memory', null, 'GPU memory in use, in bytes.'),
	define('pretrain/loss', 'lower', 'Cross entropy of pretraining, in nats per token.'),
	define('pretrain/eval_loss', 'lower', 'Cross entropy on held-out text, in nats per token.'),
	define('pretrain/learning_rate', null, 'Learning rate of pretraining.'),
	define('pretrain/tokens_per_second', 'higher', 'Tokens of pretraining per second.'),
];

function escapeRegex(text: string): string {
	return text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
}

const matchers = metricDefinitions.map((definition) => ({
	definition,
	expression: new RegExp(
		`^${escapeRegex(definition.pattern).replace('{k}', '[1-9][0-9]*').replace('{i}', '[^/]+').replace('{name}', '.+')}$`,
		'u',
	),
}));

/** The definition whose pattern a key matches; undefined for a key that Grove does not log itself (imported, from a task). */
export function explainMetric(key: string): MetricDefinition | undefined {
	return matchers.find(({ expression }) => expression.test(key))?.definition;
}
