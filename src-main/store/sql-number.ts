/**
 * A number in a column without a type. SQLite keeps infinities but turns NaN into NULL, so that NaN is
 * kept as the text 'NaN': different from "none", and behind all numbers in ascending order.
 */
export type SqlNumber = number | string | null;

export function toSqlNumber(value: number | null): SqlNumber {
	return Number.isNaN(value) ? 'NaN' : value;
}

export function fromSqlNumber(value: SqlNumber): number | null {
	return typeof value === 'string' ? NaN : value;
}
