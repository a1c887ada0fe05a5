/** From a prompt to the ids that the model sees: chat template, marker texts, and the limit of the context. */
import { GroveError } from '../contract/errors.ts';
import type { ChatMessage, Prompt } from './policy.ts';

/** What a decoder needs of a tokenizer. */
export interface DecoderTokenizer {
	/** Number of ids that it can make. */
	readonly vocabSize: number;
	readonly hasChatTemplate: boolean;
	/** Ids before a text that goes through no template: a BOS, where the model has one. */
	readonly startIds?: readonly number[];
	encode(text: string, options: { specialTokens: 'literal' | 'control' }): number[];
	applyChatTemplate(messages: readonly ChatMessage[]): string;
	/** Drops special tokens; `''` for no ids. */
	decode(tokenIds: readonly number[]): string;
	tokenPieces(tokenIds: readonly number[]): string[];
	isSpecial(tokenId: number): boolean;
}

export interface PromptRules {
	chatTemplate: 'auto' | 'never' | 'always';
	specialTokensInText: 'literal' | 'control';
	/** Null: what the context holds beside the completion. */
	maxPromptTokens: number | null;
	promptOverflow: 'cut-left' | 'refuse';
	contextLength: number;
	/** Stands in for an empty prompt: a model must be given at least one token. */
	startTokenId: number;
}

export interface PromptTokens {
	text: string;
	tokenIds: number[];
	cut: number;
}

/** Throws GroveError 'bad-input' where a prompt is refused or the completion leaves it no room. */
export function promptTokens(
	prompt: Prompt,
	tokenizer: DecoderTokenizer,
	rules: PromptRules,
	maxNewTokens: number,
): PromptTokens {
	const { text, tokenIds, startIds, parts } = encodePrompt(prompt, tokenizer, rules);
	if (startIds.length + tokenIds.length === 0) tokenIds.push(rules.startTokenId);
	const room = rules.contextLength - maxNewTokens;
	if (room < 1) {
		throw new GroveError('bad-input', {
			what: 'the longest completion leaves no room for a prompt in the context of the model',
			where: 'max_new_tokens',
			expected: `less than ${rules.contextLength}`,
			given: String(maxNewTokens),
			fix: 'lower max_new_tokens',
		});
	}
	const limit = Math.min(room, rules.maxPromptTokens ?? room);
	const length = startIds.length + tokenIds.length;
	if (length <= limit) return { text, tokenIds: [...startIds, ...tokenIds], cut: 0 };
	if (rules.promptOverflow === 'refuse') {
		throw new GroveError('bad-input', {
			what: 'a prompt is longer than allowed',
			where: promptPlace(text),
			expected: `at most ${limit} tokens`,
			given: `${length} tokens`,
			fix: 'shorten the prompt, raise max_prompt_tokens, lower max_new_tokens, or set prompt_overflow: cut-left',
		});
	}
	if (parts !== null) {
		const kept = cutMessages(parts, limit, text);
		return { text, tokenIds: kept, cut: Math.max(0, length - kept.length) };
	}
	// Oldest text goes first; a start token stays as long as anything else does.
	const kept = startIds.length < limit ? startIds : [];
	return {
		text,
		tokenIds: [...kept, ...tokenIds.slice(kept.length - limit)],
		cut: length - limit,
	};
}

function promptPlace(text: string): string {
	return `the prompt that begins with ${JSON.stringify(text.slice(0, 60))}`;
}

/** A stretch of a templated prompt: the template's own tokens (role null), or what a message says. */
interface PromptPart {
	role: string | null;
	tokenIds: readonly number[];
}

/**
 * Cuts a conversation to `limit` tokens. The template's markers all stay, so that roles stay what they
 * are; of what is said, the oldest goes first, and system messages go last.
 * Throws GroveError 'bad-input' where the markers alone are too many.
 */
function cutMessages(parts: readonly PromptPart[], limit: number, text: string): number[] {
	const length = (some: readonly PromptPart[]): number =>
		some.reduce((sum, { tokenIds }) => sum + tokenIds.length, 0);
	const markers = length(parts.filter(({ role }) => role === null));
	if (markers >= limit) {
		throw new GroveError('bad-input', {
			what: 'the limit leaves no room for what is said between the markers of the chat template',
			where: promptPlace(text),
			expected: `more than ${markers} tokens`,
			given: `${limit} tokens`,
			fix: 'raise max_prompt_tokens, lower max_new_tokens, or set chat_template: never',
		});
	}
	let over = length(parts) - limit;
	const order = [
		...parts.filter(({ role }) => role !== null && role !== 'system'),
		...parts.filter(({ role }) => role === 'system'),
	];
	const cuts = new Map<PromptPart, number>();
	for (const part of order) {
		const cut = Math.min(Math.max(0, over), part.tokenIds.length);
		cuts.set(part, cut);
		over -= cut;
	}
	return parts.flatMap((part) => part.tokenIds.slice(cuts.get(part) ?? 0));
}

function encodePrompt(
	prompt: Prompt,
	tokenizer: DecoderTokenizer,
	rules: PromptRules,
): {
	text: string;
	tokenIds: number[];
	startIds: readonly number[];
	/** Of a templated prompt: what may be cut and what not. */
	parts: PromptPart[] | null;
} {
	const templated =
		rules.chatTemplate === 'always' ||
		(rules.chatTemplate === 'auto' && typeof prompt !== 'string' && tokenizer.hasChatTemplate);
	if (!templated) {
		const text =
			typeof prompt === 'string' ? prompt : prompt.map(({ content }) => content).join('\n\n');
		return {
			text,
			tokenIds: tokenizer.encode(text, { specialTokens: rules.specialTokensInText }),
			startIds: tokenizer.startIds ?? [],
			parts: null,
		};
	}
	if (!tokenizer.hasChatTemplate) {
		throw new GroveError('bad-input', {
			what: 'the model has no chat template',
			where: 'chat_template',
			expected: 'auto or never for this model',
			given: 'always',
		});
	}
	const messages = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;
	return { ...encodeMessages(messages, tokenizer, rules.specialTokensInText), startIds: [] };
}

/** Where each message's content lies in the templated text, a private-use character that no template writes. */
const placeholder = (index: number): string => `\uE0F0${index}\uE0F1`;

/**
 * The template's own markers are control tokens; those inside a message are so only if the rules say it.
 * Text without any is encoded in one piece, exactly as the reference does.
 */
function encodeMessages(
	messages: readonly ChatMessage[],
	tokenizer: DecoderTokenizer,
	specialTokens: 'literal' | 'control',
): { text: string; tokenIds: number[]; parts: PromptPart[] } {
	const text = tokenizer.applyChatTemplate(messages);
	const parts = partsOf(messages, tokenizer, specialTokens);
	const holdsMarker = ({ content }: ChatMessage): boolean =>
		tokenizer.encode(content, { specialTokens: 'control' }).some((id) => tokenizer.isSpecial(id));
	if (specialTokens === 'control' || !messages.some(holdsMarker)) {
		return { text, tokenIds: tokenizer.encode(text, { specialTokens: 'control' }), parts };
	}
	return { text, tokenIds: parts.flatMap(({ tokenIds }) => tokenIds), parts };
}

/** The templated text in its parts: markers as control tokens, what is said as the rules have it. */
function partsOf(
	messages: readonly ChatMessage[],
	tokenizer: DecoderTokenizer,
	specialTokens: 'literal' | 'control',
): PromptPart[] {
	const frame = tokenizer.applyChatTemplate(
		messages.map(({ role }, index) => ({ role, content: placeholder(index) })),
	);
	return frame.split(/(\uE0F0\d+\uE0F1)/).map((part) => {
		const index = /^\uE0F0(\d+)\uE0F1$/.exec(part)?.[1];
		const message = index === undefined ? undefined : messages[Number(index)];
		return message === undefined
			? { role: null, tokenIds: tokenizer.encode(part, { specialTokens: 'control' }) }
			: { role: message.role, tokenIds: tokenizer.encode(message.content, { specialTokens }) };
	});
}
