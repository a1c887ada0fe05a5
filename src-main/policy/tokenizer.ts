/**
 * A model's tokenizer, through transformers.js, with what it leaves out: plain reading of marker texts,
 * templates in their own file, and decoding that keeps every byte. Reads local files only.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PreTrainedTokenizer } from '@huggingface/transformers';
import { GroveError } from '../contract/errors.ts';
import { isJsonObject, type JsonObject, readJsonObject } from './json-file.ts';
import type { ChatMessage } from './policy.ts';
import type { DecoderTokenizer } from './prompt-tokens.ts';
import { tokenBytesOf } from './token-bytes.ts';

export interface PolicyTokenizer extends DecoderTokenizer {
	/** Ids that stand before a text that is not templated (a BOS, where the model has one). */
	readonly startIds: readonly number[];
	/** From tokenizer_config.json; null where absent. */
	readonly eosTokenId: number | null;
	readonly padTokenId: number | null;
	readonly bosTokenId: number | null;
}

interface AddedToken {
	id: number;
	content: string;
	special: boolean;
}

function addedTokensOf(json: JsonObject, where: string): AddedToken[] {
	const list = json.added_tokens ?? [];
	if (!Array.isArray(list))
		throw new GroveError('bad-input', { where: `${where}: added_tokens`, what: 'is not a list' });
	return list.map((entry: unknown) => {
		if (!isJsonObject(entry) || typeof entry.id !== 'number' || typeof entry.content !== 'string')
			throw new GroveError('bad-input', {
				where: `${where}: added_tokens`,
				what: 'holds an entry without id and content',
			});
		if (entry.single_word === true)
			throw new GroveError('bad-input', {
				where: `${where}: added token ${JSON.stringify(entry.content)}`,
				what: 'single_word is not supported: its text would be split where the reference does not split it',
				expected: 'single_word: false',
			});
		return { id: entry.id, content: entry.content, special: entry.special === true };
	});
}

/** What the installed tokenizer library would do wrongly in silence. */
function refuseUnfaithful(json: JsonObject, where: string): void {
	const model = isJsonObject(json.model) ? json.model : {};
	if (model.type === 'Unigram' && model.byte_fallback === true) {
		throw new GroveError('bad-input', {
			where: `${where}: model.byte_fallback`,
			what: 'a Unigram tokenizer with byte fallback is not supported: unknown characters would become <unk>',
			expected: 'a BPE tokenizer, or Unigram without byte fallback',
		});
	}
}

/** The chat template: `chat_template.jinja` wins over tokenizer_config.json, as in Python; of named ones the default. */
async function templateOf(folder: string, config: JsonObject): Promise<string | null> {
	const file = await readFile(join(folder, 'chat_template.jinja'), 'utf8').catch(() => null);
	if (file !== null) return file;
	const template = config.chat_template;
	if (typeof template === 'string') return template;
	if (!Array.isArray(template)) return null;
	const named = template.find(
		(entry: unknown) => isJsonObject(entry) && entry.name === 'default',
	) as unknown;
	return isJsonObject(named) && typeof named.template === 'string' ? named.template : null;
}

function idOf(
	tokens: readonly AddedToken[],
	vocabulary: ReadonlyMap<string, number>,
	value: unknown,
): number | null {
	const content = isJsonObject(value) ? value.content : value;
	if (typeof content !== 'string') return null;
	return tokens.find((token) => token.content === content)?.id ?? vocabulary.get(content) ?? null;
}

/** Loads the tokenizer of a model folder. Throws GroveError 'bad-input'. */
export async function loadTokenizer(folder: string): Promise<PolicyTokenizer> {
	const path = join(folder, 'tokenizer.json');
	const json = await readJsonObject(path);
	if (json === null)
		throw new GroveError('bad-input', {
			where: path,
			what: 'the model folder lacks a part',
			expected: 'tokenizer.json of the fast tokenizer',
			given: 'no such file',
			fix: 'save the tokenizer with `save_pretrained` of its fast version',
		});
	const config = (await readJsonObject(join(folder, 'tokenizer_config.json'))) ?? {};
	refuseUnfaithful(json, path);
	const added = addedTokensOf(json, path);
	const template = await templateOf(folder, config);
	// Imported late: a command that needs no model does not pay for it.
	const { PreTrainedTokenizer: Tokenizer } = await import('@huggingface/transformers');
	const build = (tokens: readonly unknown[]): PreTrainedTokenizer => {
		try {
			return new Tokenizer(
				{ ...json, added_tokens: tokens },
				{ ...config, chat_template: template ?? undefined },
			);
		} catch (error) {
			throw new GroveError(
				'bad-input',
				{
					where: path,
					what: 'the tokenizer cannot be built',
					given: error instanceof Error ? error.message.slice(0, 200) : undefined,
				},
				{ cause: error },
			);
		}
	};
	const all: readonly unknown[] = Array.isArray(json.added_tokens) ? json.added_tokens : [];
	const control = build(all);
	// Without its special tokens, a tokenizer reads their texts as any other text.
	const literal = build(all.filter((entry) => !isJsonObject(entry) || entry.special !== true));
	const vocabulary = control.get_vocab();
	const special = new Set(added.filter((token) => token.special).map((token) => token.id));
	let highest = -1;
	for (const id of vocabulary.values()) highest = Math.max(highest, id);
	for (const { id } of added) highest = Math.max(highest, id);
	const decode = (tokenIds: readonly number[]): string => {
		const words = tokenIds.filter((id) => !special.has(id));
		return words.length === 0
			? ''
			: control.decode(words, { skip_special_tokens: true, clean_up_tokenization_spaces: false });
	};
	const plain = control.encode('a', { add_special_tokens: false });
	const marked = control.encode('a');
	const at = marked.indexOf(plain[0] ?? -1);
	const bytesOf = tokenBytesOf(json, new Map([...vocabulary].map(([token, id]) => [id, token])));
	return {
		vocabSize: highest + 1,
		hasChatTemplate: template !== null,
		startIds: at > 0 ? marked.slice(0, at) : [],
		eosTokenId: idOf(added, vocabulary, config.eos_token),
		padTokenId: idOf(added, vocabulary, config.pad_token),
		bosTokenId: idOf(added, vocabulary, config.bos_token),
		encode: (text, { specialTokens }) =>
			text === ''
				? []
				: (specialTokens === 'control' ? control : literal).encode(text, {
						add_special_tokens: false,
					}),
		applyChatTemplate: (messages) => renderTemplate(control, messages, folder),
		decode,
		tokenPieces: (tokenIds) =>
			bytesOf === null
				? piecesByDecoding(tokenIds, decode)
				: piecesByBytes(tokenIds.map((id) => (special.has(id) ? null : bytesOf(id)))),
		isSpecial: (id) => special.has(id),
	};
}

function renderTemplate(
	tokenizer: PreTrainedTokenizer,
	messages: readonly ChatMessage[],
	folder: string,
): string {
	try {
		return tokenizer.apply_chat_template([...messages], {
			tokenize: false,
			add_generation_prompt: true,
		});
	} catch (error) {
		throw new GroveError(
			'bad-input',
			{
				where: `chat template of ${folder}`,
				what: error instanceof Error ? error.message : 'the template failed',
				fix: 'set chat_template: never, or correct the template',
			},
			{ cause: error },
		);
	}
}

/** Each token's share of the decoded text; a character of several tokens belongs to the last of them. */
function piecesByBytes(bytes: readonly (Uint8Array | null)[]): string[] {
	const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	const pieces = bytes.map((part) => (part === null ? '' : decoder.decode(part, { stream: true })));
	const rest = decoder.decode();
	if (rest !== '' && pieces.length > 0) pieces.push(`${pieces.pop() ?? ''}${rest}`);
	return pieces;
}

/** The same for tokenizers that are not byte-level: what each further token adds to the whole. */
function piecesByDecoding(
	tokenIds: readonly number[],
	decode: (ids: readonly number[]) => string,
): string[] {
	let before = '';
	return tokenIds.map((_, index) => {
		const text = decode(tokenIds.slice(0, index + 1));
		// Text that still ends in a replacement character may change with the next token.
		if (index < tokenIds.length - 1 && (text.endsWith('\uFFFD') || !text.startsWith(before)))
			return '';
		const piece = text.slice(before.length);
		before = text;
		return piece;
	});
}
