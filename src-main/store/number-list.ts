/**
 * Lists of numbers as JSON in a row, so that SQL can compute with them (json_each). What JSON has no
 * number for is written such that SQLite and JSON.parse read it alike: infinities as numbers beyond the
 * range, −0 with its sign, NaN as the text 'NaN'.
 */

/** Null: not scored, not trained on, none. */
export type NumberList = (number | null)[];

export function packList(values: readonly (number | null)[]): string {
	if (values.every(isPlain)) return JSON.stringify(values);
	return `[${values.map(packNumber).join(',')}]`;
}

function isPlain(value: number | null): boolean {
	return value === null || (Number.isFinite(value) && !Object.is(value, -0));
}

function packNumber(value: number | null): string {
	if (value === null) return 'null';
	if (Number.isNaN(value)) return '"NaN"';
	if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999';
	return Object.is(value, -0) ? '-0.0' : String(value);
}

/** Throws SyntaxError where the text is no such list. */
export function unpackList(json: string): NumberList {
	const values: unknown = JSON.parse(json);
	if (!Array.isArray(values)) throw new SyntaxError('a list of numbers was expected');
	return values.map((value: unknown) => {
		if (typeof value === 'number' || value === null) return value;
		if (value === 'NaN') return NaN;
		throw new SyntaxError('a list of numbers was expected');
	});
}
