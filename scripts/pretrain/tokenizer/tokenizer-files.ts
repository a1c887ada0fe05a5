/** tokenizer.json and tokenizer_config.json as the fast `tokenizers` library writes and reads them. */
import { byteSymbols } from './bytes.ts';
import type { Merge } from './train-bpe.ts';

export const endOfText = '<|endoftext|>';

/** Text of each token to its id: the end token, the 256 bytes, then the merges in order. */
export function vocabularyOf(merges: readonly Merge[]): Map<string, number> {
	const vocabulary = new Map<string, number>();
	for (const token of [endOfText, ...byteSymbols, ...merges.map((merge) => merge.join(''))]) {
		if (!vocabulary.has(token)) vocabulary.set(token, vocabulary.size);
	}
	return vocabulary;
}

const byteLevel = {
	type: 'ByteLevel',
	add_prefix_space: false,
	trim_offsets: true,
	use_regex: true,
};

export function tokenizerJson(merges: readonly Merge[]): string {
	const content = {
		version: '1.0',
		truncation: null,
		padding: null,
		added_tokens: [
			{
				id: 0,
				content: endOfText,
				single_word: false,
				lstrip: false,
				rstrip: false,
				normalized: false,
				special: true,
			},
		],
		normalizer: null,
		pre_tokenizer: {
			type: 'Sequence',
			pretokenizers: [{ type: 'Digits', individual_digits: true }, byteLevel],
		},
		post_processor: null,
		decoder: { ...byteLevel },
		model: {
			type: 'BPE',
			dropout: null,
			unk_token: null,
			continuing_subword_prefix: null,
			end_of_word_suffix: null,
			fuse_unk: false,
			byte_fallback: false,
			ignore_merges: false,
			vocab: {},
			merges,
		},
	};
	// By hand: an object would put keys such as "7" before all others, and files list tokens by id.
	const entries = Array.from(
		vocabularyOf(merges),
		([token, id]) => `      ${JSON.stringify(token)}: ${id}`,
	);
	return JSON.stringify(content, null, 2).replace(
		'"vocab": {}',
		() => `"vocab": {\n${entries.join(',\n')}\n    }`,
	);
}

export function tokenizerConfigJson(contextLength: number): string {
	const content = {
		add_prefix_space: false,
		added_tokens_decoder: {
			0: {
				content: endOfText,
				lstrip: false,
				normalized: false,
				rstrip: false,
				single_word: false,
				special: true,
			},
		},
		bos_token: endOfText,
		clean_up_tokenization_spaces: false,
		eos_token: endOfText,
		model_max_length: contextLength,
		pad_token: endOfText,
		tokenizer_class: 'PreTrainedTokenizerFast',
		unk_token: endOfText,
	};
	return `${JSON.stringify(content, null, 2)}\n`;
}

export function specialTokensJson(): string {
	const content = {
		bos_token: endOfText,
		eos_token: endOfText,
		pad_token: endOfText,
		unk_token: endOfText,
	};
	return `${JSON.stringify(content, null, 2)}\n`;
}
