/** Rows of data are JSON values: they are stored, sent between processes and shown. */
import { describeValue } from './describe-value.ts';

/** Deeper rows are refused: they overflow the stack of whoever walks them. */
export const deepestData = 64;

/** The first part that JSON cannot carry unchanged, with its path; null where all is well. */
export function findNonJson(
	value: unknown,
	path = '',
	depth = 0,
): { path: string; what: string } | null {
	if (depth > deepestData) return { path, what: `nested more than ${deepestData} levels deep` };
	if (typeof value === 'number') {
		return Number.isFinite(value) ? null : { path, what: describeValue(value) };
	}
	if (typeof value === 'string' || typeof value === 'boolean' || value === null) return null;
	if (typeof value !== 'object') return { path, what: describeValue(value) };
	if (Array.isArray(value)) {
		for (let i = 0; i < value.length; i++) {
			const found = findNonJson(value[i], `${path}[${i}]`, depth + 1);
			if (found !== null) return found;
		}
		return null;
	}
	const prototype: unknown = Object.getPrototypeOf(value);
	if (prototype !== null && prototype !== Object.prototype)
		return { path, what: describeValue(value) };
	for (const [key, part] of Object.entries(value)) {
		if (part === undefined) continue;
		const found = findNonJson(part, path === '' ? key : `${path}.${key}`, depth + 1);
		if (found !== null) return found;
	}
	return null;
}
