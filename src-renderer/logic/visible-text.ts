/** Logged text as it is, with what would hide or reorder it made visible. Never HTML. */

export interface TextSpan {
	text: string;
	/** `code`: stands for an invisible character, e.g. U+202E. */
	kind: 'plain' | 'code';
}

const invisible = /[\p{Cc}\p{Bidi_Control}\u200b-\u200d\u2060\ufeff]|[\ud800-\udfff]/gu;

/** Joiners are part of emoji and of many scripts: between such characters they hide nothing. */
const joined = /[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u;
const joins = /^[\p{L}\p{Extended_Pictographic}]/u;

function isJoiner(text: string, at: number): boolean {
	const char = text.charCodeAt(at);
	if (char !== 0x200c && char !== 0x200d) return false;
	return joined.test(text.slice(Math.max(0, at - 2), at)) && joins.test(text.slice(at + 1, at + 3));
}

/** Cuts a text into plain spans and codes for invisible characters; line breaks and tabs stay plain. */
export function visibleSpans(text: string): TextSpan[] {
	const spans: TextSpan[] = [];
	let from = 0;
	for (const match of text.matchAll(invisible)) {
		const [char] = match;
		if (char === '\n' || char === '\t' || isJoiner(text, match.index)) continue;
		if (match.index > from) spans.push({ text: text.slice(from, match.index), kind: 'plain' });
		const code = char.codePointAt(0) ?? 0;
		spans.push({ text: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, kind: 'code' });
		from = match.index + char.length;
	}
	if (from < text.length) spans.push({ text: text.slice(from), kind: 'plain' });
	return spans;
}

/** The first `limit` UTF-16 units, never cutting a character in two. */
export function cutText(text: string, limit: number): string {
	if (text.length <= limit) return text;
	const code = text.charCodeAt(limit - 1);
	return text.slice(0, code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit);
}
