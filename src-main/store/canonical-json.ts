import { decode, encode } from '../contract/wire.ts';

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	const names = Object.keys(value).sort();
	// fromEntries defines keys, so that one named __proto__ stays a key.
	return Object.fromEntries(
		names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]),
	);
}

/** Equal values give equal texts, whatever the order of their keys. NaN, infinities and −0 survive. */
export function toCanonicalJson(value: unknown): string {
	return encode(sorted(value));
}

/** An object as it was given to `toCanonicalJson`; an empty one where the text is something else. */
export function objectFromJson(text: string): Record<string, unknown> {
	const value = decode(text);
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject ? (value as Record<string, unknown>) : {};
}
