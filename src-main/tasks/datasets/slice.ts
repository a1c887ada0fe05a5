/** Slices of a dataset, as Python writes them: "[:100]", "[16:]", "[-5:]", "[0:50]". */
import { GroveError } from '../../contract/errors.ts';

/** Indices [start, end) of `length` rows. Bounds outside are cut, as in Python. Throws GroveError 'bad-input'. */
export function sliceBounds(text: string, length: number, where: string): [number, number] {
	const match = /^\s*\[?\s*(-?\d+)?\s*:\s*(-?\d+)?\s*\]?\s*$/u.exec(text);
	const isBracketed = /^\s*\[.*\]\s*$/u.test(text) || !/[[\]]/u.test(text);
	if (match === null || !isBracketed) {
		throw new GroveError('bad-input', {
			where,
			what: 'not a slice',
			expected: 'a slice such as "[:100]", "[16:]", "[-5:]" or "[0:50]"',
			given: JSON.stringify(text),
		});
	}
	const bound = (part: string | undefined, fallback: number): number => {
		if (part === undefined) return fallback;
		const value = Number(part);
		return Math.min(length, Math.max(0, value < 0 ? length + value : value));
	};
	const start = bound(match[1], 0);
	return [start, Math.max(start, bound(match[2], length))];
}
