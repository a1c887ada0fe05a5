/**
 * The small language that filters runs:
 * `agent_learning_rate < 1e-5 and tags has "paper" and turn_2/reward_mean.last > 0.6`.
 * Conditions are joined by `and`, `or`, `not` and parentheses; a word that stands alone is looked for in
 * name, model, task, status and tags. Two conditions side by side are joined by `and`.
 */
import { QueryError, quote, tokenize, type Token } from './tokens.ts';

export const operators = ['=', '!=', '<', '<=', '>', '>=', '~', 'has'] as const;
export type Operator = (typeof operators)[number];

export type Query =
	| { kind: 'all' }
	| { kind: 'and' | 'or'; parts: Query[] }
	| { kind: 'not'; part: Query }
	| { kind: 'words'; text: string }
	| { kind: 'null'; field: string; start: number; end: number }
	| {
			kind: 'compare';
			field: string;
			operator: Operator;
			/** A number where it was written as one, without quotes. */
			value: string | number;
			/** Where the field stands. */
			start: number;
			end: number;
	  };

const keywords = new Set(['and', 'or', 'not', 'has', 'is']);
const deepest = 200;

function isKeyword(token: Token | undefined, word: string): boolean {
	return token?.kind === 'word' && token.value.toLowerCase() === word;
}

class Parser {
	readonly #tokens: readonly Token[];
	readonly #end: number;
	#at = 0;
	#depth = 0;

	constructor(tokens: readonly Token[], end: number) {
		this.#tokens = tokens;
		this.#end = end;
	}

	whole(): Query {
		if (this.#tokens.length === 0) return { kind: 'all' };
		const query = this.#or();
		const rest = this.#peek();
		if (rest !== undefined)
			throw new QueryError('this parenthesis was never opened', rest.start, rest.end);
		return query;
	}

	#peek(by = 0): Token | undefined {
		return this.#tokens[this.#at + by];
	}

	#next(expected: string): Token {
		const token = this.#tokens[this.#at++];
		if (token === undefined)
			throw new QueryError(`${expected} is missing at the end`, this.#end, this.#end);
		return token;
	}

	#or(): Query {
		const parts = [this.#and()];
		while (isKeyword(this.#peek(), 'or')) {
			this.#at++;
			parts.push(this.#and());
		}
		return join('or', parts);
	}

	#and(): Query {
		const parts = [this.#not()];
		for (;;) {
			const token = this.#peek();
			if (token === undefined || token.kind === 'close' || isKeyword(token, 'or')) break;
			if (isKeyword(token, 'and')) this.#at++;
			parts.push(this.#not());
		}
		return join('and', parts);
	}

	#not(): Query {
		const token = this.#peek();
		if (token === undefined || !isKeyword(token, 'not')) return this.#primary();
		this.#at++;
		this.#deeper(token);
		const part = this.#not();
		this.#depth--;
		return { kind: 'not', part };
	}

	#deeper(token: Token): void {
		if (++this.#depth > deepest)
			throw new QueryError('this is nested too deeply', token.start, token.end);
	}

	#primary(): Query {
		const token = this.#next('a condition');
		if (token.kind === 'open') {
			this.#deeper(token);
			const query = this.#or();
			this.#depth--;
			const close = this.#peek();
			if (close?.kind !== 'close')
				throw new QueryError('this parenthesis is never closed', token.start, token.end);
			this.#at++;
			return query;
		}
		if (token.kind === 'text') return { kind: 'words', text: token.value };
		if (token.kind !== 'word' || keywords.has(token.value.toLowerCase()))
			throw new QueryError('a condition should stand here', token.start, token.end);
		return this.#condition(token);
	}

	#condition(field: Token): Query {
		const place = { field: field.value, start: field.start, end: field.end };
		const operator = this.#peek();
		if (isKeyword(operator, 'is')) {
			this.#at++;
			const negated = isKeyword(this.#peek(), 'not');
			if (negated) this.#at++;
			const word = this.#next('null');
			if (word.value.toLowerCase() !== 'null')
				throw new QueryError('after `is` only null or not null can stand', word.start, word.end);
			const query: Query = { kind: 'null', ...place };
			return negated ? { kind: 'not', part: query } : query;
		}
		const has = isKeyword(operator, 'has');
		if (!has && operator?.kind !== 'operator') return { kind: 'words', text: field.value };
		this.#at++;
		const value = this.#next('a value');
		if (value.kind !== 'word' && value.kind !== 'text')
			throw new QueryError('a value should stand here', value.start, value.end);
		const name = has ? 'has' : operators.find((one) => one === operator?.value);
		if (name === undefined)
			throw new QueryError('an operator should stand here', value.start, value.end);
		return { kind: 'compare', ...place, operator: name, value: valueOf(value) };
	}
}

function valueOf(token: Token): string | number {
	const number = Number(token.value);
	return token.kind === 'word' && token.value !== '' && !Number.isNaN(number)
		? number
		: token.value;
}

function join(kind: 'and' | 'or', parts: Query[]): Query {
	const [only] = parts;
	return parts.length === 1 && only !== undefined ? only : { kind, parts };
}

/** Throws QueryError with the place of what is wrong. */
export function parseQuery(text: string): Query {
	return new Parser(tokenize(text), text.length).whole();
}

/** The query as text that means the same. */
export function printQuery(query: Query): string {
	const inner = (part: Query): string =>
		part.kind === 'and' || part.kind === 'or' ? `(${printQuery(part)})` : printQuery(part);
	switch (query.kind) {
		case 'all':
			return '';
		case 'and':
		case 'or':
			return query.parts.map(inner).join(` ${query.kind} `);
		case 'not':
			return `not ${inner(query.part)}`;
		case 'words':
			return quote(query.text);
		case 'null':
			return `${query.field} is null`;
		case 'compare':
			return `${query.field} ${query.operator} ${typeof query.value === 'number' ? String(query.value) : quote(query.value)}`;
	}
}

/** Every field that is asked for, with its place. */
export function fieldsOf(query: Query): { field: string; start: number; end: number }[] {
	switch (query.kind) {
		case 'and':
		case 'or':
			return query.parts.flatMap(fieldsOf);
		case 'not':
			return fieldsOf(query.part);
		case 'compare':
		case 'null':
			return [{ field: query.field, start: query.start, end: query.end }];
		case 'all':
		case 'words':
			return [];
	}
}
