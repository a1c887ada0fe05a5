/**
 * The run configuration: every knob once, with its type, limits, default, group and help sentence.
 * The command line, the form, validation and the documentation are all made from `configFields`.
 * Names are the field's own (the reference library's where it has one).
 */
import { z } from 'zod';
import type { Complaint } from './errors.ts';
import { nearestName } from './nearest-name.ts';

export const configGroups = {
	run: 'Run',
	task: 'Task and data',
	policy: 'Models',
	sampling: 'Sampling',
	magrpo: 'MAGRPO',
	optimizer: 'Optimizer',
	evaluation: 'Evaluation',
	records: 'Logging and checkpoints',
	failure: 'When something fails',
} as const;
export type ConfigGroup = keyof typeof configGroups;

interface Field<S extends z.ZodType> {
	schema: S;
	default: z.output<S>;
	group: ConfigGroup;
	help: string;
	/** What a legal value is, in words, for messages. */
	expected: string;
}

function field<S extends z.ZodType>(
	group: ConfigGroup,
	schema: S,
	fallback: z.output<S>,
	expected: string,
	help: string,
): Field<S> {
	return { schema, default: fallback, group, help, expected };
}

const count = (min: number) => z.int().min(min).max(Number.MAX_SAFE_INTEGER);
const text = z.string().max(1_000_000);

/** One agent where the agents differ; anything left out is taken from the run. */
export const agentSchema = z.strictObject({
	name: z.string().min(1).max(200).optional(),
	model: z.string().min(1).max(4096).optional(),
	revision: z.string().min(1).max(200).optional(),
	learning_rate: z.number().positive().optional(),
	max_new_tokens: count(1).optional(),
	frozen: z.boolean().optional(),
});

export const rewardProcessorSchema = z.strictObject({
	scale: z.number().optional(),
	shift: z.number().optional(),
	clip: z.tuple([z.number(), z.number()]).optional(),
	sigmoid: z.boolean().optional(),
});

export const configFields = {
	name: field(
		'run',
		z.string().max(1000),
		'',
		'text',
		'Shown name of the run. Names may repeat; the id tells runs apart.',
	),
	project: field(
		'run',
		z.string().min(1).max(200),
		'default',
		'text, 1 to 200 characters',
		'Runs of one project are listed together.',
	),
	tags: field(
		'run',
		z.array(z.string().min(1).max(200)).max(100),
		[],
		'a list of texts',
		'Words to find and group runs by.',
	),
	notes: field('run', text, '', 'text', 'Free notes, kept with the run and editable later.'),
	seed: field(
		'run',
		z.int().min(0).max(Number.MAX_SAFE_INTEGER),
		42,
		'a whole number from 0 to 9007199254740991',
		'Start of every random stream. Same seed, same backend: same texts, rewards and weights.',
	),
	device: field(
		'run',
		z.enum(['auto', 'cuda', 'webgpu', 'cpu']),
		'auto',
		'auto, cuda, webgpu or cpu',
		'Where the models run. auto takes the first usable of cuda, webgpu, cpu; `grove doctor` says which and why.',
	),
	compat: field(
		'run',
		z.enum(['none', 'comlrl']),
		'none',
		'none or comlrl',
		'comlrl repeats the reference Python library to the letter (padding scored, last token not, per-turn updates, cross sums), for one-to-one comparison.',
	),

	task: field(
		'task',
		z.string().min(1).max(4096),
		'length-ratio-feedback',
		'the name of a built-in task or the path of a task file',
		'What is rewarded, and what feedback leads to the next turn. `grove task list` names the built-in ones; `grove task new` writes a starting file.',
	),
	task_options: field(
		'task',
		z.record(z.string().max(1000), z.unknown()),
		{},
		'a map of options that the task defines',
		'Handed to the task as they are.',
	),
	prompts: field(
		'task',
		z.array(z.string().min(1)).max(1_000_000).nullable(),
		null,
		'a list of texts, or null',
		"Inline prompts instead of the task's own or a data file.",
	),
	train_data: field(
		'task',
		z.string().min(1).max(4096).nullable(),
		null,
		'a path to a .jsonl, .json or .csv file, or null',
		"Training examples; null uses the task's own.",
	),
	train_slice: field(
		'task',
		z.string().max(100).nullable(),
		null,
		'a slice such as "[:100]", "[16:]" or "[0:50]", or null',
		'Part of the training examples to use.',
	),
	eval_data: field(
		'task',
		z.string().min(1).max(4096).nullable(),
		null,
		'a path to a .jsonl, .json or .csv file, or null',
		"Evaluation examples; null uses the task's own, if it has any.",
	),
	eval_slice: field(
		'task',
		z.string().max(100).nullable(),
		null,
		'a slice such as "[:100]", or null',
		'Part of the evaluation examples to use. Without eval_data it is cut from the training file.',
	),
	columns: field(
		'task',
		z.record(z.string().max(1000), z.string().max(1000)),
		{},
		'a map from the name the task wants to the column in the file',
		'Renames columns of the data file, for example {prompt: question}.',
	),
	shuffle: field(
		'task',
		z.boolean(),
		false,
		'true or false',
		"Visit the examples in a new seeded order each epoch instead of the file's order.",
	),

	model: field(
		'policy',
		z.string().min(1).max(4096),
		'bundled:grove-small',
		'bundled:NAME, a folder, or a Hub id such as Qwen/Qwen2.5-0.5B',
		'Model of every agent that names none of its own. Each agent trains its own copy.',
	),
	revision: field(
		'policy',
		z.string().min(1).max(200).nullable(),
		null,
		'a branch, tag or commit, or null',
		'Pins a Hub model to one revision.',
	),
	num_agents: field(
		'policy',
		count(1).max(64),
		2,
		'a whole number from 1 to 64',
		'How many agents answer together. One agent is GRPO.',
	),
	agents: field(
		'policy',
		z.array(agentSchema).min(1).max(64).nullable(),
		null,
		'a list with one entry per agent (name, model, revision, learning_rate, max_new_tokens, frozen), or null',
		'For agents that differ from one another.',
	),
	chat_template: field(
		'policy',
		z.enum(['auto', 'never', 'always']),
		'auto',
		'auto, never or always',
		"Whether prompts go through the model's chat template. auto: lists of messages do, plain text does not; a model without a template reads the contents of the messages, a blank line between them.",
	),
	max_prompt_tokens: field(
		'policy',
		count(1).nullable(),
		null,
		'a whole number from 1, or null',
		'Longest prompt; null leaves what the context holds beside max_new_tokens.',
	),
	prompt_overflow: field(
		'policy',
		z.enum(['cut-left', 'refuse']),
		'cut-left',
		'cut-left or refuse',
		"A longer prompt loses its oldest tokens (recorded per prompt; a chat template's markers stay, and system messages go last), or counts as a failed example.",
	),
	special_tokens_in_text: field(
		'policy',
		z.enum(['literal', 'control']),
		'literal',
		'literal or control',
		"How marker texts such as <|im_end|> inside data, feedback and other agents' answers are read: as plain characters, or as the control tokens they name.",
	),

	max_new_tokens: field(
		'sampling',
		count(1).max(1_000_000),
		256,
		'a whole number from 1',
		'Longest completion, in tokens.',
	),
	temperature: field(
		'sampling',
		z.number().min(0).max(1e9),
		0.6,
		'a number from 0',
		'Sampling temperature. 0 is greedy: all completions of a group are then equal and teach nothing.',
	),
	top_p: field(
		'sampling',
		z.number().gt(0).max(1),
		0.6,
		'a number above 0, up to 1',
		'Keeps the most likely tokens that together have this probability; 1 keeps all.',
	),
	top_k: field(
		'sampling',
		z.int().min(0).nullable(),
		50,
		'a whole number from 0, or null',
		'Keeps this many of the most likely tokens; 0 or null keeps all.',
	),
	min_p: field(
		'sampling',
		z.number().min(0).max(1),
		0,
		'a number from 0 to 1',
		'Drops tokens less likely than this fraction of the most likely one.',
	),
	repetition_penalty: field(
		'sampling',
		z.number().gt(0).max(100),
		1,
		'a number above 0',
		'Divides the logits of tokens already present; 1 is off.',
	),
	stop: field(
		'sampling',
		z.array(z.string().min(1).max(1000)).max(64),
		[],
		'a list of texts',
		'A completion ends when it contains one of these.',
	),

	preset: field(
		'magrpo',
		z.enum(['magrpo', 'mareinforce', 'marloo', 'maremax']),
		'magrpo',
		'magrpo, mareinforce, marloo or maremax',
		'Fixes advantage_mode: magrpo leaves it free, mareinforce is raw, marloo is rloo, maremax is max.',
	),
	num_turns: field(
		'magrpo',
		count(1).max(64),
		2,
		'a whole number from 1 to 64',
		"Turns of a rollout. From the second on, prompts are the task's feedback.",
	),
	num_generations: field(
		'magrpo',
		count(2).max(4096),
		4,
		'a whole number from 2 to 4096 (a group needs two answers to compare)',
		'Completions per agent at every node (G).',
	),
	joint_mode: field(
		'magrpo',
		z.enum(['aligned', 'cross']),
		'aligned',
		'aligned or cross',
		'How completions pair up: aligned joins the j-th of each agent (G joint completions), cross joins every combination (G to the power of agents).',
	),
	discount: field(
		'magrpo',
		z.number().min(0).max(1),
		1,
		'a number from 0 to 1',
		'Weight of the next turn in a return: own reward + discount × mean return of the child.',
	),
	early_termination_threshold: field(
		'magrpo',
		z.number().nullable(),
		-0.2,
		'a number, or null for never',
		'A node whose mean reward exceeds this is not continued. Below any reachable mean reward it ends every tree at turn one.',
	),
	external_prompt_passthrough: field(
		'magrpo',
		z.boolean(),
		false,
		'true or false',
		"true: feedback is the next prompt as it is; false: it goes through the agent's formatter again, if the task has one.",
	),
	advantage_mode: field(
		'magrpo',
		z.enum(['mean', 'raw', 'max', 'rloo']),
		'mean',
		'mean, raw, max or rloo',
		'Baseline subtracted from returns. With normalisation all four give the same advantages.',
	),
	advantage_normalization: field(
		'magrpo',
		z.boolean(),
		true,
		'true or false',
		'Divide the advantages of a group by their standard deviation. With two generations this leaves only +1 and -1.',
	),
	reward_processor: field(
		'magrpo',
		rewardProcessorSchema,
		{},
		'a map of scale, shift, clip [low, high], sigmoid',
		'Applied to every reward in the order scale, shift, clip, sigmoid, before anything else sees it.',
	),
	reference_kl_enabled: field(
		'magrpo',
		z.boolean(),
		false,
		'true or false',
		'Keep a frozen copy of each starting model and subtract coef × KL (per sequence, k3) from returns.',
	),
	reference_kl_coef: field(
		'magrpo',
		z.number().min(0),
		0.1,
		'a number from 0',
		'Weight of the reference KL.',
	),
	num_train_epochs: field(
		'magrpo',
		count(1).max(1_000_000),
		20,
		'a whole number from 1',
		'Passes over the training examples.',
	),
	max_steps: field(
		'magrpo',
		count(1).nullable(),
		null,
		'a whole number from 1, or null',
		'Ends the run after this many steps, whatever the epochs say.',
	),
	prompts_per_step: field(
		'magrpo',
		count(1).max(100_000),
		1,
		'a whole number from 1',
		'Examples whose trees are grown together in one step. The last step of an epoch takes what is left.',
	),
	rollout_buffer_size: field(
		'magrpo',
		count(1).nullable(),
		null,
		'a whole number from 1, or null',
		'Node samples gathered per agent before an update; null: all trees of the step (compat: 2).',
	),
	train_batch_size: field(
		'magrpo',
		count(1).nullable(),
		null,
		'a whole number from 1, or null',
		'Node samples per optimizer step; null: the whole buffer.',
	),

	agent_learning_rate: field(
		'optimizer',
		z.number().positive(),
		5e-6,
		'a number above 0',
		'AdamW learning rate of every agent that names none of its own.',
	),
	lr_schedule: field(
		'optimizer',
		z.enum(['constant', 'linear', 'cosine']),
		'constant',
		'constant, linear or cosine',
		'How the learning rate goes on after warm-up; linear and cosine end at 0.',
	),
	warmup_steps: field(
		'optimizer',
		count(0),
		0,
		'a whole number from 0',
		'Optimizer steps over which the learning rate rises from 0.',
	),
	weight_decay: field(
		'optimizer',
		z.number().min(0),
		0.01,
		'a number from 0',
		'Decoupled weight decay of AdamW.',
	),
	adam_beta1: field(
		'optimizer',
		z.number().min(0).lt(1),
		0.9,
		'a number from 0, below 1',
		'Decay of the first moment.',
	),
	adam_beta2: field(
		'optimizer',
		z.number().min(0).lt(1),
		0.999,
		'a number from 0, below 1',
		'Decay of the second moment.',
	),
	adam_epsilon: field(
		'optimizer',
		z.number().positive(),
		1e-8,
		'a number above 0',
		'Added to the denominator of AdamW.',
	),
	max_grad_norm: field(
		'optimizer',
		z.number().positive().nullable(),
		1,
		'a number above 0, or null',
		'Gradients with a larger global norm are scaled down to it; null never clips (compat: never).',
	),
	micro_batch_tokens: field(
		'optimizer',
		count(1),
		8192,
		'a whole number from 1',
		'Tokens of one forward and backward pass; bounds memory, does not change the result.',
	),

	eval_interval: field(
		'evaluation',
		count(0),
		16,
		'a whole number from 0',
		'Evaluate before every step whose index in the epoch is a multiple of this, and after the last; 0 never.',
	),
	eval_num_samples: field(
		'evaluation',
		count(0),
		4,
		'a whole number from 0',
		'Evaluation examples to use; 0 uses none.',
	),
	eval_greedy: field(
		'evaluation',
		z.boolean(),
		false,
		'true or false',
		'Evaluate with the most likely token instead of sampling.',
	),

	logging_steps: field(
		'records',
		count(1),
		1,
		'a whole number from 1',
		'Smallest distance in env steps between two stored points of one metric.',
	),
	checkpoint_steps: field(
		'records',
		count(0),
		50,
		'a whole number from 0',
		'Save a resumable checkpoint every so many steps, and at the end; 0 only at the end.',
	),
	keep_checkpoints: field(
		'records',
		count(1),
		2,
		'a whole number from 1',
		'How many of the latest checkpoints stay on disk, besides the best.',
	),
	best_metric: field(
		'records',
		z.string().min(1).max(1000),
		'turn_1/expected_return',
		'a metric name',
		'The checkpoint with the highest value of this metric is kept as the best.',
	),
	output_dir: field(
		'records',
		z.string().min(1).max(4096).nullable(),
		null,
		'a folder, or null',
		'Where checkpoints go; null: beside the database, in checkpoints/RUN-ID.',
	),

	on_reward_error: field(
		'failure',
		z.enum(['fail', 'skip', 'zero']),
		'fail',
		'fail, skip or zero',
		'What a failing or non-numeric reward does: end the run, leave the joint completion out of its group, or count as 0.',
	),
	on_prompt_error: field(
		'failure',
		z.enum(['fail', 'skip']),
		'fail',
		'fail or skip',
		'What an example that cannot be rolled out does: end the run, or be skipped and counted.',
	),
	max_bad_updates: field(
		'failure',
		count(1),
		5,
		'a whole number from 1',
		'Updates in a row with a non-finite loss or gradient after which the run fails; each of them is skipped.',
	),
	task_time_limit: field(
		'failure',
		z.number().positive().max(86_400),
		60,
		'a number of seconds above 0',
		"Longest time for one call of the task's code.",
	),
	task_memory_limit: field(
		'failure',
		count(16).max(1_048_576),
		1024,
		'a number of MiB from 16',
		"Memory of the process that runs the task's code.",
	),
} satisfies Record<string, Field<z.ZodType>>;

export type ConfigKey = keyof typeof configFields;
export type RunConfig = { [K in ConfigKey]: z.output<(typeof configFields)[K]['schema']> };
export type RewardProcessor = z.output<typeof rewardProcessorSchema>;

export const configKeys = Object.keys(configFields) as ConfigKey[];

export function isConfigKey(key: string): key is ConfigKey {
	return Object.hasOwn(configFields, key);
}

/** What the same knob is called elsewhere, so that the message can name ours. */
const otherNames = new Map<string, ConfigKey>([
	['lr', 'agent_learning_rate'],
	['learning_rate', 'agent_learning_rate'],
	['epochs', 'num_train_epochs'],
	['gamma', 'discount'],
	['group_size', 'num_generations'],
	['beta', 'reference_kl_coef'],
	['kl_coef', 'reference_kl_coef'],
	['max_tokens', 'max_new_tokens'],
	['dataset', 'train_data'],
	['batch_size', 'train_batch_size'],
	['save_steps', 'checkpoint_steps'],
]);

export type ConfigResult =
	| {
			ok: true;
			config: RunConfig;
			/** Keys that were given, as against defaulted. */ given: ConfigKey[];
			warnings: ConfigWarning[];
	  }
	| { ok: false; complaints: ConfigComplaint[] };

export interface ConfigComplaint extends Complaint {
	/** Path within the configuration, e.g. ['agents', 1, 'model']; used to find the line and the form field. */
	path: readonly (string | number)[];
}

export interface ConfigWarning {
	key: ConfigKey;
	text: string;
}

/** A short rendering of any value for messages: JSON-like, at most 80 characters. */
export function showValue(value: unknown): string {
	let shown: string;
	if (typeof value === 'string') shown = JSON.stringify(value);
	else if (typeof value === 'number' || typeof value === 'boolean' || value == null)
		shown = String(value);
	else if (typeof value === 'bigint') shown = value.toString();
	else if (typeof value === 'function' || typeof value === 'symbol') shown = typeof value;
	else {
		try {
			shown = JSON.stringify(value);
		} catch {
			shown = typeof value;
		}
	}
	const kind = typeof value === 'string' ? ' (text)' : '';
	return (shown.length > 80 ? `${shown.slice(0, 77)}...` : shown) + kind;
}

/** All defaults. A fresh object at each call. */
export function defaultConfig(): RunConfig {
	const entries = configKeys.map((key) => [key, structuredClone(configFields[key].default)]);
	return Object.fromEntries(entries) as RunConfig;
}

/**
 * Checks a parsed configuration (from YAML, JSON or the form) and fills in the defaults.
 * Reports every unknown key (with the nearest valid one), every ill-typed or out-of-range value and
 * every contradiction between keys at once. Never converts between types: "4" is no number.
 */
export function parseConfig(input: unknown): ConfigResult {
	if (typeof input !== 'object' || input === null || Array.isArray(input)) {
		return {
			ok: false,
			complaints: [
				{
					path: [],
					what: 'a configuration is a map of keys to values',
					expected: 'a map such as {task: story, num_turns: 1}',
					given: showValue(input),
				},
			],
		};
	}
	const complaints: ConfigComplaint[] = [];
	const config = defaultConfig();
	const given: ConfigKey[] = [];
	for (const key of Object.keys(input)) {
		const value = (input as Record<string, unknown>)[key];
		if (!isConfigKey(key)) {
			const nearest = otherNames.get(key.toLowerCase()) ?? nearestName(key, configKeys);
			complaints.push({
				path: [key],
				where: key,
				what: 'unknown key',
				expected:
					nearest === undefined
						? 'one of the keys that `grove config keys` lists'
						: `perhaps ${nearest}`,
				given: key,
				fix: nearest === undefined ? 'remove it' : `write ${nearest} instead of ${key}`,
			});
			continue;
		}
		given.push(key);
		const result = configFields[key].schema.safeParse(value);
		if (result.success) {
			// One key at a time: the schema of a key gives the type of that key.
			Object.assign(config, { [key]: result.data });
		} else {
			for (const issue of result.error.issues) complaints.push(complaintOf(key, value, issue));
		}
	}
	if (complaints.length === 0) complaints.push(...contradictions(config, given));
	if (complaints.length > 0) return { ok: false, complaints };
	return { ok: true, config: settle(config, given), given, warnings: warningsOf(config) };
}

function complaintOf(key: ConfigKey, value: unknown, issue: z.core.$ZodIssue): ConfigComplaint {
	const inner = issue.path.filter((part) => typeof part !== 'symbol');
	let given: unknown = value;
	for (const part of inner)
		given = (given as Record<string | number, unknown> | null | undefined)?.[part];
	const where = [key, ...inner].reduce<string>(
		(path, part) =>
			typeof part === 'number' ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`,
		'',
	);
	if (issue.code === 'unrecognized_keys') {
		const name = issue.keys[0] ?? '';
		const known =
			key === 'agents'
				? Object.keys(agentSchema.shape)
				: key === 'reward_processor'
					? Object.keys(rewardProcessorSchema.shape)
					: [];
		const nearest = nearestName(name, known);
		return {
			path: [key, ...inner, name],
			where: `${where}.${name}`,
			what: 'unknown key',
			expected: nearest === undefined ? known.join(', ') : `perhaps ${nearest}`,
			given: name,
		};
	}
	return {
		path: [key, ...inner],
		where,
		what: inner.length === 0 ? 'not a legal value' : issue.message,
		expected: configFields[key].expected,
		given: showValue(given),
	};
}

const presetModes = { mareinforce: 'raw', marloo: 'rloo', maremax: 'max' } as const;

/** Rules that involve more than one key. */
function contradictions(config: RunConfig, given: readonly ConfigKey[]): ConfigComplaint[] {
	const found: ConfigComplaint[] = [];
	const { agents, preset } = config;
	if (agents !== null && given.includes('num_agents') && agents.length !== config.num_agents) {
		found.push({
			path: ['agents'],
			where: 'agents',
			what: 'the list and num_agents disagree',
			expected: `${config.num_agents} entries (num_agents)`,
			given: `${agents.length} entries`,
			fix: 'leave num_agents out, or make them equal',
		});
	}
	if (
		preset !== 'magrpo' &&
		given.includes('advantage_mode') &&
		config.advantage_mode !== presetModes[preset]
	) {
		found.push({
			path: ['advantage_mode'],
			where: 'advantage_mode',
			what: `the preset ${preset} fixes it`,
			expected: presetModes[preset],
			given: config.advantage_mode,
			fix: 'leave one of the two out',
		});
	}
	const clip = config.reward_processor.clip;
	if (clip !== undefined && clip[0] > clip[1]) {
		found.push({
			path: ['reward_processor', 'clip'],
			where: 'reward_processor.clip',
			what: 'the lower bound exceeds the upper',
			expected: '[low, high]',
			given: showValue(clip),
		});
	}
	const buffer = config.rollout_buffer_size;
	if (config.train_batch_size !== null && buffer !== null && config.train_batch_size > buffer) {
		found.push({
			path: ['train_batch_size'],
			where: 'train_batch_size',
			what: 'larger than the buffer it is taken from',
			expected: `at most rollout_buffer_size, ${buffer}`,
			given: String(config.train_batch_size),
		});
	}
	if (config.prompts !== null && config.train_data !== null) {
		found.push({
			path: ['prompts'],
			where: 'prompts',
			what: 'given together with train_data',
			expected: 'one source of examples',
			given: 'two',
			fix: 'leave one of the two out',
		});
	}
	return found;
}

/** Values that follow from others: presets, and what the compat profile prescribes for keys not given. */
function settle(config: RunConfig, given: readonly ConfigKey[]): RunConfig {
	const settled = { ...config };
	if (settled.agents !== null) settled.num_agents = settled.agents.length;
	if (settled.preset !== 'magrpo') settled.advantage_mode = presetModes[settled.preset];
	if (settled.compat === 'comlrl') {
		if (!given.includes('rollout_buffer_size')) settled.rollout_buffer_size = 2;
		if (!given.includes('max_grad_norm')) settled.max_grad_norm = null;
	}
	return settled;
}

function warningsOf(config: RunConfig): ConfigWarning[] {
	const warnings: ConfigWarning[] = [];
	const threshold = config.early_termination_threshold;
	if (config.num_turns > 1 && threshold !== null && threshold < 0) {
		warnings.push({
			key: 'early_termination_threshold',
			text: `${threshold} is below any mean of rewards that are never negative: every tree would end at turn one. Set it to null, or to a reward that counts as solved.`,
		});
	}
	if (config.num_generations === 2 && config.advantage_normalization) {
		warnings.push({
			key: 'num_generations',
			text: 'Two generations with normalisation give only the advantages +1 and -1, however small the difference.',
		});
	}
	if (config.temperature === 0) {
		warnings.push({
			key: 'temperature',
			text: 'Greedy sampling makes all completions of a group equal: no variance, nothing to learn.',
		});
	}
	if (config.advantage_normalization && config.advantage_mode !== 'mean') {
		warnings.push({
			key: 'advantage_mode',
			text: 'With normalisation every advantage mode gives the same advantages; set advantage_normalization: false to see a difference.',
		});
	}
	return warnings;
}

/** One agent's settings with the run's filled in. */
export interface ResolvedAgent {
	name: string;
	model: string;
	revision: string | null;
	learningRate: number;
	maxNewTokens: number;
	frozen: boolean;
}

/** Length `num_agents`. */
export function resolveAgents(config: RunConfig): ResolvedAgent[] {
	return Array.from({ length: config.num_agents }, (_, index) => {
		const own = config.agents?.[index] ?? {};
		return {
			name: own.name ?? `agent_${index + 1}`,
			model: own.model ?? config.model,
			revision: own.revision ?? config.revision,
			learningRate: own.learning_rate ?? config.agent_learning_rate,
			maxNewTokens: own.max_new_tokens ?? config.max_new_tokens,
			frozen: own.frozen ?? false,
		};
	});
}
