/**
 * Expressions over metrics, as a person types them for a chart: `turn_2/reward_mean - turn_1/reward_mean`.
 *
 *   sum     := product (("+" | "-") product)*
 *   product := unary (("*" | "/" | "%") unary)*
 *   unary   := ("-" | "+") unary | power
 *   power   := atom ("^" unary)?                      right to left, above the sign: -2^2 = -4
 *   atom    := number | name | "quoted metric" | name "(" sum ("," sum)* ")" | "(" sum ")"
 *
 * A slash directly between two letters belongs to a metric's name; to divide, write spaces around it. A
 * metric with other characters in its name, or named like a word below, is written in double quotes.
 */
import { nearestName } from './nearest-name.ts';

/** Where a point lies; stand for themselves in an expression. */
export const placeNames = ['step', 'env_step', 'epoch'] as const;
export type PlaceName = (typeof placeNames)[number];

interface FunctionFacts {
	least: number;
	most: number;
	help: string;
	/** Needs the points before the present one. */
	remembers?: true;
}

export const expressionFunctions = {
	abs: { least: 1, most: 1, help: 'magnitude' },
	sqrt: { least: 1, most: 1, help: 'square root' },
	exp: { least: 1, most: 1, help: 'e to the power' },
	log: { least: 1, most: 1, help: 'natural logarithm' },
	log2: { least: 1, most: 1, help: 'logarithm to base 2' },
	log10: { least: 1, most: 1, help: 'logarithm to base 10' },
	min: { least: 1, most: 20, help: 'the lowest of its arguments' },
	max: { least: 1, most: 20, help: 'the highest of its arguments' },
	clip: { least: 3, most: 3, help: 'clip(value, low, high)' },
	delta: { least: 1, most: 1, help: 'change since the point before', remembers: true },
	cumsum: { least: 1, most: 1, help: 'sum of all points so far', remembers: true },
	cummax: { least: 1, most: 1, help: 'highest point so far', remembers: true },
	cummin: { least: 1, most: 1, help: 'lowest point so far', remembers: true },
} as const satisfies Record<string, FunctionFacts>;
export type FunctionName = keyof typeof expressionFunctions;

export const operators = ['+', '-', '*', '/', '%', '^'] as const;
export type Operator = (typeof operators)[number];

export type Expression =
	| { kind: 'number'; value: number }
	| { kind: 'metric'; key: string }
	| { kind: 'place'; name: PlaceName }
	| { kind: 'negative'; of: Expression }
	| { kind: 'binary'; operator: Operator; left: Expression; right: Expression }
	| { kind: 'call'; name: FunctionName; given: Expression[] };

/** What is wrong with a text, and at which UTF-16 unit of it. */
export interface ExpressionProblem {
	at: number;
	what: string;
}

export type ParsedExpression =
	{ ok: true; expression: Expression } | { ok: false; problem: ExpressionProblem };

export const longestExpression = 2000;
/** Brackets and signs within each other; keeps the recursion of whoever walks an expression shallow. */
const deepest = 60;
/** A chain of operators leans to the left as deep as it is long. */
const mostParts = 500;

type Token =
	| { kind: 'number'; at: number; value: number }
	| { kind: 'name' | 'quoted'; at: number; text: string }
	| { kind: 'symbol'; at: number; text: Operator | '(' | ')' | ',' };

/** Thrown within this file only. */
class Unreadable extends Error {
	readonly at: number;
	constructor(at: number, what: string) {
		super(what);
		this.at = at;
	}
}

const patterns = {
	space: /\s+/uy,
	number: /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iuy,
	// Letters of any script; a slash or a dot only where the name goes on behind it.
	name: /[\p{L}_](?:[\p{L}\p{N}_]|[./](?=[\p{L}\p{N}_]))*/uy,
	quoted: /"((?:[^"]|"")*)"/uy,
	symbol: /[-+*/%^(),]/uy,
};

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(text);
}

function tokensOf(text: string): Token[] {
	const tokens: Token[] = [];
	let at = 0;
	while (at < text.length) {
		const space = matchAt(patterns.space, text, at);
		const number = matchAt(patterns.number, text, at);
		const name = matchAt(patterns.name, text, at);
		const quoted = matchAt(patterns.quoted, text, at);
		const symbol = matchAt(patterns.symbol, text, at);
		const found = space ?? number ?? name ?? quoted ?? symbol;
		if (found === null) {
			throw new Unreadable(
				at,
				text.charAt(at) === '"'
					? 'a closing quote is missing'
					: `${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))} has no meaning here; write a metric with such a name in double quotes`,
			);
		}
		if (number !== null) tokens.push({ kind: 'number', at, value: Number(number[0]) });
		else if (name !== null) tokens.push({ kind: 'name', at, text: name[0] });
		else if (quoted !== null) {
			tokens.push({ kind: 'quoted', at, text: (quoted[1] ?? '').replaceAll('""', '"') });
		} else if (symbol !== null) {
			// The pattern holds just these characters.
			tokens.push({ kind: 'symbol', at, text: symbol[0] as Operator | '(' | ')' | ',' });
		}
		at += found[0].length;
	}
	return tokens;
}

function isFunctionName(name: string): name is FunctionName {
	return Object.hasOwn(expressionFunctions, name);
}

function isPlaceName(name: string): name is PlaceName {
	return (placeNames as readonly string[]).includes(name);
}

class Parser {
	readonly #tokens: readonly Token[];
	readonly #end: number;
	#next = 0;
	#depth = 0;
	#parts = 0;

	constructor(text: string) {
		this.#tokens = tokensOf(text);
		this.#end = text.length;
	}

	whole(): Expression {
		if (this.#tokens.length === 0) throw new Unreadable(0, 'nothing is written here');
		const expression = this.#sum();
		const rest = this.#tokens[this.#next];
		if (rest !== undefined)
			throw new Unreadable(rest.at, 'an operator is missing before this, or a bracket is too many');
		return expression;
	}

	#take<S extends Operator | '(' | ')' | ','>(...wanted: readonly S[]): S | undefined {
		const token = this.#tokens[this.#next];
		const found =
			token?.kind === 'symbol' ? wanted.find((symbol) => symbol === token.text) : undefined;
		if (found !== undefined) this.#next++;
		return found;
	}

	#close(opened: number): void {
		if (this.#take(')') === undefined) {
			const at = this.#tokens[this.#next]?.at ?? this.#end;
			throw new Unreadable(at, `the bracket opened at ${opened + 1} is not closed here`);
		}
	}

	#chain(first: Expression, wanted: readonly Operator[], operand: () => Expression): Expression {
		let left = first;
		for (;;) {
			const operator = this.#take(...wanted);
			if (operator === undefined) return left;
			left = { kind: 'binary', operator, left, right: operand() };
		}
	}

	#sum(): Expression {
		return this.#chain(this.#product(), ['+', '-'], () => this.#product());
	}

	#product(): Expression {
		return this.#chain(this.#unary(), ['*', '/', '%'], () => this.#unary());
	}

	#unary(): Expression {
		const at = this.#tokens[this.#next]?.at ?? this.#end;
		if (++this.#depth > deepest) throw new Unreadable(at, 'this is nested too deeply');
		const sign = this.#take('-', '+');
		const inner = sign === undefined ? this.#power() : this.#unary();
		this.#depth--;
		return sign === '-' ? { kind: 'negative', of: inner } : inner;
	}

	#power(): Expression {
		const left = this.#atom();
		return this.#take('^') === undefined
			? left
			: { kind: 'binary', operator: '^', left, right: this.#unary() };
	}

	#atom(): Expression {
		const token = this.#tokens[this.#next];
		if (token === undefined)
			throw new Unreadable(this.#end, 'the expression ends where a value is expected');
		if (++this.#parts > mostParts) throw new Unreadable(token.at, 'this has too many parts');
		this.#next++;
		if (token.kind === 'number') return { kind: 'number', value: token.value };
		if (token.kind === 'quoted') return { kind: 'metric', key: token.text };
		if (token.kind === 'symbol') {
			if (token.text !== '(') throw new Unreadable(token.at, 'a value is expected here');
			const inner = this.#sum();
			this.#close(token.at);
			return inner;
		}
		if (this.#take('(') !== undefined) return this.#call(token.text, token.at);
		return isPlaceName(token.text)
			? { kind: 'place', name: token.text }
			: { kind: 'metric', key: token.text };
	}

	#call(name: string, at: number): Expression {
		if (!isFunctionName(name)) {
			const near = nearestName(name, Object.keys(expressionFunctions));
			throw new Unreadable(
				at,
				`there is no function ${name}${near === undefined ? '' : `; perhaps ${near}`}`,
			);
		}
		const given = [this.#sum()];
		while (this.#take(',') !== undefined) given.push(this.#sum());
		this.#close(at);
		const { least, most } = expressionFunctions[name];
		if (given.length < least || given.length > most) {
			throw new Unreadable(
				at,
				`${name} takes ${least === most ? least : `${least} to ${most}`} values, here are ${given.length}`,
			);
		}
		return { kind: 'call', name, given };
	}
}

/** Reads an expression; never throws. */
export function parseExpression(text: string): ParsedExpression {
	if (text.length > longestExpression) {
		return {
			ok: false,
			problem: { at: longestExpression, what: `longer than ${longestExpression} characters` },
		};
	}
	try {
		return { ok: true, expression: new Parser(text).whole() };
	} catch (error) {
		if (!(error instanceof Unreadable)) throw error;
		return { ok: false, problem: { at: error.at, what: error.message } };
	}
}

function partsOf(expression: Expression): readonly Expression[] {
	switch (expression.kind) {
		case 'number':
		case 'metric':
		case 'place':
			return [];
		case 'negative':
			return [expression.of];
		case 'binary':
			return [expression.left, expression.right];
		case 'call':
			return expression.given;
	}
}

/** Keys of the metrics an expression reads, each once, in the order in which they are written. */
export function metricsIn(expression: Expression): string[] {
	const keys = new Set<string>();
	const visit = (part: Expression): void => {
		if (part.kind === 'metric') keys.add(part.key);
		for (const inner of partsOf(part)) visit(inner);
	};
	visit(expression);
	return [...keys];
}

/** Whether a point's value can be had from that point alone. */
export function standsAlone(expression: Expression): boolean {
	if (expression.kind === 'call' && 'remembers' in expressionFunctions[expression.name])
		return false;
	return partsOf(expression).every(standsAlone);
}

const bareName = new RegExp(`^${patterns.name.source}$`, 'u');

/** How a metric is written in an expression. */
export function writeMetric(key: string): string {
	return bareName.test(key) && !isPlaceName(key) ? key : `"${key.replaceAll('"', '""')}"`;
}
