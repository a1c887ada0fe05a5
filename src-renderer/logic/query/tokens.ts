/** The words of a run query, each with its place. */
export type TokenKind = 'word' | 'text' | 'operator' | 'open' | 'close';

export interface Token {
	kind: TokenKind;
	/** A text without its quotes and escapes. */
	value: string;
	/** [start, end) in UTF-16 units. */
	start: number;
	end: number;
}

export class QueryError extends Error {
	readonly start: number;
	readonly end: number;

	constructor(message: string, start: number, end: number) {
		super(message);
		this.start = start;
		this.end = end;
	}
}

const patterns: readonly [TokenKind, RegExp][] = [
	['open', /\(/y],
	['close', /\)/y],
	['operator', /<=|>=|!=|==|=|<|>|~/y],
	['text', /"(?:[^"\\]|\\.)*"/sy],
	['word', /[^\s()<>=!~"]+/y],
];

/** Throws QueryError at what is no word. */
export function tokenize(query: string): Token[] {
	const tokens: Token[] = [];
	let at = 0;
	while (at < query.length) {
		if (/\s/u.test(query.charAt(at))) {
			at++;
			continue;
		}
		const token = tokenAt(query, at);
		if (token === null)
			throw query.charAt(at) === '"'
				? new QueryError('this text has no closing quote', at, query.length)
				: new QueryError(`${query.charAt(at)} means nothing here`, at, at + 1);
		tokens.push(token);
		at = token.end;
	}
	return tokens;
}

function tokenAt(query: string, start: number): Token | null {
	for (const [kind, pattern] of patterns) {
		pattern.lastIndex = start;
		const found = pattern.exec(query)?.[0];
		if (found === undefined) continue;
		const value =
			kind === 'text'
				? found.slice(1, -1).replaceAll(/\\(.)/gsu, '$1')
				: found === '=='
					? '='
					: found;
		return { kind, value, start, end: start + found.length };
	}
	return null;
}

/** A value as it is written in a query. */
export function quote(value: string): string {
	return `"${value.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
