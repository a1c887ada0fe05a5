/** Whether a run fits a query. */
import type { Query } from './parse.ts';

/** What a run has under a name; undefined where the name is unknown, null where it has no value. */
export type FieldReader = (field: string) => unknown;

type Comparison = Extract<Query, { kind: 'compare' }>;

/** `words` are the texts that a word standing alone is looked for in. */
export function matches(query: Query, read: FieldReader, words: readonly string[]): boolean {
	switch (query.kind) {
		case 'all':
			return true;
		case 'and':
			return query.parts.every((part) => matches(part, read, words));
		case 'or':
			return query.parts.some((part) => matches(part, read, words));
		case 'not':
			return !matches(query.part, read, words);
		case 'words': {
			const wanted = query.text.toLowerCase();
			return words.some((text) => text.toLowerCase().includes(wanted));
		}
		case 'null':
			return isAbsent(read(query.field));
		case 'compare':
			return compare(query, read(query.field));
	}
}

function isAbsent(value: unknown): boolean {
	return value === null || value === undefined;
}

/** A missing value fits nothing but `!=`, which is answered here; NaN is below and above nothing. */
function compare(query: Comparison, value: unknown): boolean {
	if (query.operator === '!=') return !compare({ ...query, operator: '=' }, value);
	if (isAbsent(value)) return false;
	if (Array.isArray(value)) return value.some((entry) => compareOne(query, entry));
	return compareOne(query, value);
}

function compareOne({ operator, value: wanted }: Comparison, value: unknown): boolean {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const wantedText = String(wanted);
	switch (operator) {
		case 'has':
			return text.toLowerCase() === wantedText.toLowerCase();
		case '~':
			return fits(text, wantedText);
		case '=':
			return typeof value === 'number' && typeof wanted === 'number'
				? value === wanted
				: text.toLowerCase() === wantedText.toLowerCase();
		case '!=':
			return false;
		case '<':
			return (orderOf(value, wanted) ?? NaN) < 0;
		case '<=':
			return (orderOf(value, wanted) ?? NaN) <= 0;
		case '>':
			return (orderOf(value, wanted) ?? NaN) > 0;
		case '>=':
			return (orderOf(value, wanted) ?? NaN) >= 0;
	}
}

/** A regular expression where it is one, else a part of the text. */
function fits(text: string, pattern: string): boolean {
	try {
		return new RegExp(pattern, 'iu').test(text);
	} catch {
		return text.toLowerCase().includes(pattern.toLowerCase());
	}
}

function orderOf(value: unknown, wanted: string | number): number | null {
	if (typeof value === 'number') {
		const number = typeof wanted === 'number' ? wanted : Number(wanted);
		return Number.isNaN(value) || Number.isNaN(number) ? null : value - number || 0;
	}
	return typeof value === 'string' ? value.localeCompare(String(wanted)) : null;
}
