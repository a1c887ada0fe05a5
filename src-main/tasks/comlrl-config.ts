/**
 * A YAML configuration of the reference library's example repositories as one of ours. Every key ends in
 * one of three lists, so that a person sees what became of it. Values are not checked here: the result is
 * an ordinary configuration, and goes through the ordinary check.
 */
import { configFields, isConfigKey } from '../contract/config.ts';

export interface ComlrlImport {
	/** Our configuration, only with keys that were given there. */
	config: Record<string, unknown>;
	mapped: { from: string; to: string; value: unknown }[];
	ignored: { from: string; why: string }[];
	needsTaskFile: { from: string; why: string }[];
}

type Rule =
	{ to: string; value?: (given: unknown) => unknown } | { ignore: string } | { taskFile: string };

const hardware = { ignore: 'device decides where models run' };
const critic = { ignore: 'there is no critic in MAGRPO' };

/** Sections that hold the trainer's own keys, and what else they mean. */
const trainers: Readonly<Record<string, Record<string, unknown>>> = {
	magrpo: {},
	grpo: { num_agents: 1 },
	mareinforce: { preset: 'mareinforce' },
	marloo: { preset: 'marloo' },
	maremax: { preset: 'maremax' },
};

const jointModes: Readonly<Record<string, string>> = { align: 'aligned', crossed: 'cross' };

const trainerRules: Readonly<Record<string, Rule>> = {
	learning_rate: { to: 'agent_learning_rate' },
	termination_threshold: { to: 'early_termination_threshold' },
	joint_mode: {
		to: 'joint_mode',
		value: (given) =>
			typeof given === 'string' && Object.hasOwn(jointModes, given) ? jointModes[given] : given,
	},
	top_k: { to: 'top_k', value: topK },
	parallel_training: hardware,
	agent_devices: hardware,
	reference_devices: hardware,
	eval_batch_size: { ignore: 'evaluation examples are rolled out together' },
	critic_learning_rate: critic,
	critic_devices: critic,
	value_loss_coef: critic,
};

const sections: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
	agent_model: {
		name: { to: 'model' },
		revision: { to: 'revision' },
		temperature: { to: 'temperature' },
		top_p: { to: 'top_p' },
		top_k: { to: 'top_k', value: topK },
		type: { ignore: "the model's own config.json says it" },
		torch_dtype: { ignore: 'weights are trained in 32 bits' },
		dtype: { ignore: 'weights are trained in 32 bits' },
		attn_implementation: { ignore: 'there is one implementation' },
		max_length: { ignore: 'max_prompt_tokens bounds a prompt, max_new_tokens a completion' },
		special_tokens: { ignore: "the model's own tokenizer is used as it is" },
	},
	output: {
		base_dir: { to: 'output_dir' },
		save_path: { ignore: 'checkpoints go to output_dir' },
		save_final_model: { ignore: 'the last checkpoint is always saved' },
		verbose: { ignore: 'everything is recorded' },
	},
	external: {
		external_prompt_passthrough: { to: 'external_prompt_passthrough' },
		mode: { taskFile: 'feedback(context) makes the prompts of the next turn' },
		sandbox_slice: { taskFile: 'which tests feedback may show is for feedback(context) to say' },
		original_prompt: { taskFile: 'feedback(context) decides what its prompts hold' },
		previous_response: { taskFile: 'feedback(context) decides what its prompts hold' },
	},
	wandb: {
		project: { to: 'project' },
		name: { to: 'name' },
		tags: { to: 'tags' },
		entity: { ignore: 'runs stay on this machine' },
		dir: { ignore: 'runs are kept in the database' },
	},
};

/** Null means there "do not pass it on", which leaves the models' usual 50. */
function topK(given: unknown): unknown {
	return given === null ? 50 : given;
}

function isMap(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a parsed configuration is one of that library's rather than one of ours. */
export function isComlrlConfig(value: unknown): value is Record<string, unknown> {
	return (
		isMap(value) &&
		(isMap(value.agent_model) || Object.keys(trainers).some((key) => isMap(value[key])))
	);
}

export function importComlrlConfig(source: Readonly<Record<string, unknown>>): ComlrlImport {
	const result: ComlrlImport = { config: {}, mapped: [], ignored: [], needsTaskFile: [] };
	// The trainer's section last: what it says of sampling counts more than the model's section.
	const order = Object.entries(source).sort(
		([a], [b]) => Number(Object.hasOwn(trainers, a)) - Number(Object.hasOwn(trainers, b)),
	);
	for (const [section, content] of order) importSection(section, content, result);
	return result;
}

function map(result: ComlrlImport, from: string, to: string, value: unknown): void {
	result.config[to] = value;
	const earlier = result.mapped.findIndex((entry) => entry.to === to);
	if (earlier !== -1) result.mapped.splice(earlier, 1);
	result.mapped.push({ from, to, value });
}

function importSection(section: string, content: unknown, result: ComlrlImport): void {
	if (content === null) return;
	if (section === 'seed') {
		map(result, 'seed', 'seed', content);
		return;
	}
	if (section === 'agents') {
		importAgents(content, result);
		return;
	}
	if (section === 'dataset' && isMap(content)) {
		importDataset(content, result);
		return;
	}
	if (section === 'reward_processor' && isMap(content)) {
		importProcessor(content, result);
		return;
	}
	if (section === 'critic_model' || section === 'critics') {
		result.ignored.push({ from: section, why: critic.ignore });
	} else if (section === 'tokenizer') {
		result.ignored.push({ from: section, why: "the model's own tokenizer is used as it is" });
	} else if (isMap(content) && Object.hasOwn(trainers, section)) {
		for (const [to, value] of Object.entries(trainers[section] ?? {}))
			map(result, section, to, value);
		importKeys(section, content, trainerRules, result);
	} else if (isMap(content) && Object.hasOwn(sections, section)) {
		importKeys(section, content, sections[section] ?? {}, result);
	} else {
		result.ignored.push({ from: section, why: 'Grove trains with MAGRPO and has no such section' });
	}
}

function importKeys(
	section: string,
	content: Record<string, unknown>,
	rules: Readonly<Record<string, Rule>>,
	result: ComlrlImport,
): void {
	for (const [key, value] of Object.entries(content)) {
		const from = `${section}.${key}`;
		const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
		if (rule === undefined && Object.hasOwn(trainers, section) && isConfigKey(key)) {
			map(result, from, key, value);
		} else if (rule === undefined) {
			result.ignored.push({ from, why: 'not known' });
		} else if ('ignore' in rule) {
			result.ignored.push({ from, why: rule.ignore });
		} else if ('taskFile' in rule) {
			result.needsTaskFile.push({ from, why: rule.taskFile });
		} else {
			const mapped = rule.value === undefined ? value : rule.value(value);
			// Null means "not said" there; where ours has a meaning for null it is the same one.
			if (mapped !== null || acceptsNull(rule.to)) map(result, from, rule.to, mapped);
		}
	}
}

function acceptsNull(key: string): boolean {
	return isConfigKey(key) && configFields[key].schema.safeParse(null).success;
}

function importAgents(content: unknown, result: ComlrlImport): void {
	if (!Array.isArray(content)) {
		result.ignored.push({ from: 'agents', why: 'it is not a list of models' });
		return;
	}
	const agents = content.map((entry: unknown) =>
		isMap(entry) ? { model: entry.name } : { model: entry },
	);
	map(result, 'agents', 'agents', agents);
}

function importProcessor(content: Record<string, unknown>, result: ComlrlImport): void {
	if (content.enabled === false) {
		result.ignored.push({ from: 'reward_processor', why: 'it is not enabled' });
		return;
	}
	const processor: Record<string, unknown> = {};
	if (Object.hasOwn(content, 'scale_factor')) processor.scale = content.scale_factor;
	if (Object.hasOwn(content, 'shift') && content.shift !== null) processor.shift = content.shift;
	map(result, 'reward_processor', 'reward_processor', processor);
	for (const key of Object.keys(content)) {
		if (!['enabled', 'scale_factor', 'shift'].includes(key)) {
			result.ignored.push({ from: `reward_processor.${key}`, why: 'not known' });
		}
	}
}

/** Kinds of data whose task comes with Grove. */
const builtInTypes = ['tldr', 'arxiv'];

function importDataset(content: Record<string, unknown>, result: ComlrlImport): void {
	const type = typeof content.type === 'string' ? content.type.toLowerCase() : '';
	const why = 'prompts, reward and feedback of this data are for a task file to say';
	if (builtInTypes.includes(type)) map(result, 'dataset.type', 'task', type);
	else result.needsTaskFile.push({ from: 'dataset.type', why });
	if (content.name !== undefined) {
		result.ignored.push({
			from: 'dataset.name',
			why: 'save the data as a .jsonl file and name it with train_data',
		});
	}
	const train = splitOf(content.train_split);
	const evaluation = splitOf(content.eval_split);
	if (train?.slice) map(result, 'dataset.train_split', 'train_slice', train.slice);
	if (evaluation?.slice) map(result, 'dataset.eval_split', 'eval_slice', evaluation.slice);
	if (evaluation !== null && evaluation.split !== train?.split) {
		result.ignored.push({
			from: 'dataset.eval_split',
			why: `save the part ${evaluation.split} as a file of its own and name it with eval_data`,
		});
	}
	for (const key of Object.keys(content)) {
		if (['type', 'name', 'train_split', 'eval_split'].includes(key)) continue;
		result.ignored.push({ from: `dataset.${key}`, why: 'not known' });
	}
}

/** "train[:100]" as its part and its slice. */
function splitOf(value: unknown): { split: string; slice: string } | null {
	const match = typeof value === 'string' ? /^([^[\]]*)(\[.*\])?$/u.exec(value.trim()) : null;
	return match === null ? null : { split: match[1] ?? '', slice: match[2] ?? '' };
}
