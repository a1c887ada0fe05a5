/** Differences of two texts, by words or by lines. */
import { diffSequences } from './sequence-diff.ts';

export interface TextPart {
	kind: 'same' | 'removed' | 'added';
	text: string;
}

/** Longer texts are compared up to here; the rest stands unmarked as one part of each. */
const longest = 200_000;

function diffBy(before: string, after: string, pieces: RegExp): TextPart[] {
	if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }];
	const cut = (text: string): string[] => text.slice(0, longest).match(pieces) ?? [];
	const parts: TextPart[] = diffSequences(cut(before), cut(after)).map(({ kind, items }) => ({
		kind,
		text: items.join(''),
	}));
	if (before.length > longest) parts.push({ kind: 'removed', text: before.slice(longest) });
	if (after.length > longest) parts.push({ kind: 'added', text: after.slice(longest) });
	return parts;
}

/** By words, with numbers, marks and spaces as pieces of their own. */
export function diffWords(before: string, after: string): TextPart[] {
	return diffBy(before, after, /[\p{L}\p{M}]+|\p{N}+|\s+|[^\p{L}\p{M}\p{N}\s]/gu);
}

/** By lines; each part's text has its line breaks. */
export function diffLines(before: string, after: string): TextPart[] {
	return diffBy(before, after, /[^\n]*\n|[^\n]+$/gu);
}

/** Share of the longer text that both have, without spaces: 0 to 1. */
export function likeness(parts: readonly TextPart[]): number {
	const size = (kinds: readonly TextPart['kind'][]): number =>
		parts.reduce(
			(sum, { kind, text }) =>
				sum + (kinds.includes(kind) ? text.replaceAll(/\s/gu, '').length : 0),
			0,
		);
	const longer = Math.max(size(['same', 'removed']), size(['same', 'added']));
	return longer === 0 ? 1 : size(['same']) / longer;
}
