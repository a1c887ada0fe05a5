/** The two shapes of a prompt: a text, or a list of chat messages. */
import type { ChatMessage, Prompt } from '../../policy/policy.ts';
import { describeValue, quoted } from './describe-value.ts';

/** Longer ones are taken for a mistake; no context holds them. */
const longestPrompt = 8_000_000;
const roles = ['system', 'user', 'assistant', 'tool'];

export type PromptResult = { ok: true; prompt: Prompt } | { ok: false; problem: string };

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `value` is meant as messages rather than as a list of prompts. */
export function looksLikeMessages(value: readonly unknown[]): boolean {
	const [first] = value;
	return isRecord(first) && ('role' in first || 'content' in first);
}

/** A checked copy. A text must have at least one character, a list at least one message. */
export function readPrompt(value: unknown): PromptResult {
	if (typeof value === 'string') {
		if (value === '') return { ok: false, problem: 'is an empty text' };
		if (value.length > longestPrompt) {
			return { ok: false, problem: `has ${value.length} characters, more than ${longestPrompt}` };
		}
		return { ok: true, prompt: value };
	}
	if (!Array.isArray(value)) {
		return {
			ok: false,
			problem: `is ${describeValue(value)}, expected a text or a list of messages`,
		};
	}
	if (value.length === 0) return { ok: false, problem: 'is an empty list of messages' };
	const messages: ChatMessage[] = [];
	for (let i = 0; i < value.length; i++) {
		const message: unknown = value[i];
		const problem = messageProblem(message);
		if (problem !== null) return { ok: false, problem: `has in message ${i + 1} ${problem}` };
		const { role, content } = message as ChatMessage;
		messages[messages.length] = { role, content };
	}
	return { ok: true, prompt: messages };
}

function messageProblem(message: unknown): string | null {
	if (!isRecord(message)) {
		return `${describeValue(message)}, expected a message {role, content}`;
	}
	const { role, content } = message;
	if (typeof role !== 'string')
		return `the role ${describeValue(role)}, expected ${roles.join(', ')}`;
	if (!roles.includes(role))
		return `the unknown role ${quoted(role)}, expected ${roles.join(', ')}`;
	if (typeof content !== 'string') {
		return `as content ${describeValue(content)}, expected a text`;
	}
	if (content.length > longestPrompt) return `a content of ${content.length} characters`;
	return null;
}

/** A prompt as one text: of messages the contents, one paragraph each. */
export function promptText(prompt: Prompt): string {
	if (typeof prompt === 'string') return prompt;
	let text = '';
	for (const { content } of prompt) text += text === '' ? content : `\n\n${content}`;
	return text;
}
