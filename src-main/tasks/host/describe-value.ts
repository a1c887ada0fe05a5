import { types } from 'node:util';

const shownCharacters = 120;

/** Text in quotes, shortened, with control characters escaped. */
export function quoted(text: string): string {
	const cut = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
	return JSON.stringify(cut);
}

/** Any value in words for a message: its kind, and as much of it as is short. Never throws. */
export function describeValue(value: unknown): string {
	switch (typeof value) {
		case 'string':
			return `the text ${quoted(value)}`;
		case 'number':
			return Object.is(value, -0) ? '-0' : String(value);
		case 'boolean':
			return String(value);
		case 'bigint':
			return `the bigint ${value}n`;
		case 'undefined':
			return 'nothing (undefined)';
		case 'function':
			return 'a function';
		case 'symbol':
			return 'a symbol';
		case 'object':
			if (value === null) return 'null';
			try {
				return describeObject(value);
			} catch {
				return 'an object that cannot be shown';
			}
	}
}

function describeObject(value: object): string {
	if (types.isProxy(value)) return 'a proxy object';
	if (Array.isArray(value))
		return `a list of ${value.length} ${value.length === 1 ? 'value' : 'values'}`;
	if (types.isBoxedPrimitive(value)) return `a ${tagOf(value)} object (not a plain value)`;
	const tag = tagOf(value);
	if (tag === 'AsyncGenerator' || tag === 'Generator') {
		return `${tag === 'Generator' ? 'a generator' : 'an async generator'} (the function is written with *)`;
	}
	if (tag !== 'Object') return `an object of kind ${tag}`;
	const keys = Object.keys(value);
	if (keys.length === 0) return 'an empty object';
	const named = keys.slice(0, 5).map((key) => (key.length > 40 ? `${key.slice(0, 40)}…` : key));
	return `an object with ${named.join(', ')}${keys.length > 5 ? ', …' : ''}`;
}

function tagOf(value: object): string {
	return Object.prototype.toString.call(value).slice(8, -1);
}
