/** From what a task file exports to one checked shape. */
import type { Complaint } from '../../contract/errors.ts';
import type { TaskDefinition } from '../define-task.ts';
import { isRecord, isTaskFunction, MemberReader, type TaskFunction } from './member-reader.ts';
import { readNumbers } from './read-outcome.ts';

export interface NamedFunction {
	name: string;
	run: TaskFunction;
}

export type NormalReward =
	| { kind: 'one'; run: TaskFunction }
	| { kind: 'parts'; parts: NamedFunction[] }
	| { kind: 'batch'; run: TaskFunction };

export interface NormalTask {
	name: string | null;
	summary: string;
	agents: { count: number; names: string[] | null } | null;
	turns: number | null;
	options: Readonly<Record<string, unknown>> | null;
	requires: string[];
	dataset: unknown;
	prompts: TaskFunction | null;
	formatters: TaskFunction[];
	reward: NormalReward;
	weights: Record<string, number>;
	feedback: TaskFunction | null;
	metrics: TaskFunction | null;
	evaluate: TaskFunction | null;
	isDone: TaskFunction | null;
}

const members: readonly (keyof TaskDefinition)[] = [
	'name',
	'summary',
	'agents',
	'turns',
	'options',
	'dataset',
	'requires',
	'prompts',
	'formatters',
	'reward',
	'rewards',
	'weights',
	'feedback',
	'metrics',
	'evaluate',
	'isDone',
];

const mostAgents = 64;
const longestText = 1000;

/** The members of a task, wherever the file put them (see define-task.ts). */
function gather(exports: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const own = exports.default;
	if (isRecord(own)) return own;
	const named = { ...exports };
	delete named.default;
	if (own !== undefined && named.reward === undefined) named.reward = own;
	return named;
}

/** Those without a name, or with one already taken, are numbered, so that none is lost. */
function nameParts(functions: readonly TaskFunction[]): NamedFunction[] {
	const taken = new Set<string>();
	return functions.map((run, index) => {
		const own: unknown = run.name;
		const base = typeof own === 'string' && own.trim() !== '' ? own : `reward_${index + 1}`;
		let name = base;
		for (let copy = 2; taken.has(name); copy++) name = `${base}_${copy}`;
		taken.add(name);
		return { name, run };
	});
}

function readReward(reader: MemberReader): NormalReward | null {
	const batch = reader.function('rewards');
	const reward = reader.any('reward');
	if (batch !== null) {
		if (reward !== undefined) {
			reader.complain('rewards', 'both reward and rewards are there', 'one of them', reward);
		}
		return { kind: 'batch', run: batch };
	}
	if (isTaskFunction(reward)) return { kind: 'one', run: reward };
	if (Array.isArray(reward) && reward.length > 0) {
		return { kind: 'parts', parts: nameParts(reader.functions('reward')) };
	}
	if (isRecord(reward) && Object.keys(reward).length > 0) {
		const parts: NamedFunction[] = [];
		for (const [name, run] of Object.entries(reward)) {
			if (isTaskFunction(run)) parts.push({ name, run });
			else reader.complain(`reward.${name}`, 'is not a function', 'a function', run);
		}
		return { kind: 'parts', parts };
	}
	reader.complain(
		'reward',
		reward === undefined ? 'there is no reward' : 'is not usable as reward',
		'a function reward(context), several of them by name or in a list, or rewards(contexts); ' +
			'in the default export or as a named export',
		reward,
	);
	return null;
}

function readAgents(reader: MemberReader): NormalTask['agents'] {
	const value = reader.any('agents');
	if (value === undefined) return null;
	if (!Array.isArray(value)) {
		const count = reader.count('agents', mostAgents);
		return count === null ? null : { count, names: null };
	}
	const names = reader.texts('agents');
	if (names === null) return null;
	if (names.length === 0 || names.length > mostAgents || new Set(names).size < names.length) {
		reader.complain('agents', 'is not usable', `1 to ${mostAgents} different names`, names);
		return null;
	}
	return { count: names.length, names };
}

function readWeights(reader: MemberReader, reward: NormalReward | null): Record<string, number> {
	const given = reader.record('weights');
	if (given === null) return {};
	const weights = readNumbers(given, 'has');
	if (!weights.ok) {
		reader.complain('weights', weights.problem, 'a number per part', given);
		return {};
	}
	if (reward?.kind === 'parts') {
		const names = reward.parts.map(({ name }) => name);
		for (const name of Object.keys(weights.values)) {
			if (names.includes(name)) continue;
			reader.complain(`weights.${name}`, 'no part has this name', names.join(', '), name);
		}
	}
	return weights.values;
}

/** Checks every member and reports all that is wrong at once. `where` names the file. */
export function normaliseDefinition(
	exports: Readonly<Record<string, unknown>>,
	where: string,
): { ok: true; task: NormalTask } | { ok: false; complaints: Complaint[] } {
	const reader = new MemberReader(gather(exports), where);
	reader.refuseMistyped(members);
	const reward = readReward(reader);
	const task = {
		name: reader.text('name', 200),
		summary: reader.text('summary', longestText) ?? '',
		agents: readAgents(reader),
		turns: reader.count('turns', 64),
		options: reader.record('options'),
		requires: reader.texts('requires') ?? ['prompt'],
		dataset: reader.any('dataset'),
		prompts: reader.function('prompts'),
		formatters: reader.functions('formatters'),
		weights: readWeights(reader, reward),
		feedback: reader.function('feedback'),
		metrics: reader.function('metrics'),
		evaluate: reader.function('evaluate'),
		isDone: reader.function('isDone'),
	};
	if (reward === null || reader.complaints.length > 0) {
		return { ok: false, complaints: reader.complaints };
	}
	return { ok: true, task: { ...task, reward } };
}
