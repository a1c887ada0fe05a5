/** What the functions of a task returned, checked: only finite numbers and texts pass, nothing is converted. */
import type { Prompt } from '../../policy/policy.ts';
import { describeValue, quoted } from './describe-value.ts';
import { looksLikeMessages, readPrompt } from './read-prompt.ts';

const mostParts = 1000;
const longestName = 1000;

export type Numbers = Record<string, number>;
export type RewardResult = { ok: true; total: number; parts: Numbers } | Problem;
export interface Problem {
	ok: false;
	problem: string;
}

function refuse(problem: string): Problem {
	return { ok: false, problem };
}

/** An object without a prototype: a part may be called `__proto__` or `constructor`. */
export function numbers(): Numbers {
	return Object.create(null) as Numbers;
}

export function finiteProblem(value: unknown): string | null {
	if (typeof value === 'number' && Number.isFinite(value)) return null;
	return `${describeValue(value)}, expected a finite number`;
}

/** Named finite numbers; `what` names the value in the message. */
export function readNumbers(value: unknown, what: string): { ok: true; values: Numbers } | Problem {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		return refuse(`${what} ${describeValue(value)}, expected an object of numbers`);
	}
	const keys = Object.keys(value);
	if (keys.length > mostParts)
		return refuse(`${what} ${keys.length} numbers, more than ${mostParts}`);
	const values = numbers();
	for (let i = 0; i < keys.length; i++) {
		const key = keys[i] ?? '';
		if (key.length > longestName) return refuse(`${what} a name of ${key.length} characters`);
		const part = (value as Record<string, unknown>)[key];
		const problem = finiteProblem(part);
		if (problem !== null) return refuse(`${what} for ${quoted(key)} ${problem}`);
		values[key] = part as number;
	}
	return { ok: true, values };
}

/** Sum of weight × part; each part comes back weighted, so that the parts add up to the total. */
export function weigh(parts: Numbers, weights: Readonly<Numbers>): RewardResult {
	const weighted = numbers();
	let total = 0;
	const names = Object.keys(parts);
	for (let i = 0; i < names.length; i++) {
		const name = names[i] ?? '';
		const value = (parts[name] ?? 0) * (Object.hasOwn(weights, name) ? (weights[name] ?? 1) : 1);
		weighted[name] = value;
		total += value;
	}
	if (!Number.isFinite(total))
		return refuse(`parts that add up to ${total}, expected a finite number`);
	return { ok: true, total, parts: weighted };
}

/** What `reward` returned: a number, or {parts, weights?}. */
export function readReward(value: unknown, weights: Readonly<Numbers>): RewardResult {
	if (typeof value === 'number' && Number.isFinite(value)) {
		return { ok: true, total: value, parts: numbers() };
	}
	if (typeof value !== 'object' || value === null || !('parts' in value)) {
		return refuse(
			`${describeValue(value)}, expected a finite number or {parts: {name: number}}${
				Array.isArray(value) ? ' for the one joint completion it was given' : ''
			}`,
		);
	}
	const parts = readNumbers(value.parts, 'as parts');
	if (!parts.ok) return parts;
	if (!('weights' in value) || value.weights === undefined) return weigh(parts.values, weights);
	const own = readNumbers(value.weights, 'as weights');
	if (!own.ok) return own;
	for (const name of Object.keys(own.values)) {
		if (!Object.hasOwn(parts.values, name)) {
			return refuse(`a weight for ${quoted(name)}, which is none of its parts`);
		}
	}
	return weigh(parts.values, { ...weights, ...own.values });
}

export type FeedbackResult = { ok: true; prompts: Prompt[] | null } | Problem;

/** What `feedback` returned: one prompt per agent, one for all, or null or {done: true} for an end. */
export function readFeedback(value: unknown, agents: number): FeedbackResult {
	if (value === null) return { ok: true, prompts: null };
	if (
		typeof value === 'object' &&
		'done' in value &&
		value.done === true &&
		!Array.isArray(value)
	) {
		return { ok: true, prompts: null };
	}
	if (typeof value === 'string' || (Array.isArray(value) && looksLikeMessages(value))) {
		const one = readPrompt(value);
		if (!one.ok) return refuse(`a prompt that ${one.problem}`);
		const prompts: Prompt[] = [];
		for (let agent = 0; agent < agents; agent++) prompts[agent] = one.prompt;
		return { ok: true, prompts };
	}
	if (!Array.isArray(value)) {
		return refuse(
			`${describeValue(value)}, expected a list of ${agents} prompts, one per agent, or null to end the branch`,
		);
	}
	if (value.length !== agents) {
		return refuse(`${describeValue(value)}, expected ${agents}, one prompt per agent`);
	}
	const prompts: Prompt[] = [];
	for (let agent = 0; agent < agents; agent++) {
		const prompt = readPrompt(value[agent]);
		if (!prompt.ok) return refuse(`for agent ${agent + 1} a prompt that ${prompt.problem}`);
		prompts[agent] = prompt.prompt;
	}
	return { ok: true, prompts };
}
