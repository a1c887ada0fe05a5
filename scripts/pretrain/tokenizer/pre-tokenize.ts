/**
 * Cuts a text into the pieces that merges never cross: digits one by one, then words, numbers and
 * punctuation with the space before them (the pattern of byte-level tokenizers since GPT-2).
 */
const words = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;
const digitOrRest = /\p{N}|[^\p{N}]+/gu;

export function preTokenize(text: string): string[] {
	return (text.match(digitOrRest) ?? []).flatMap((part) => part.match(words) ?? []);
}
