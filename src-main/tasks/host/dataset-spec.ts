/** What a task says of its data, as the trainer's side reads it: a path, or rows of JSON values. */
import { isAbsolute, resolve } from 'node:path';
import { describeValue } from './describe-value.ts';
import { findNonJson } from './json-value.ts';
import type { DataSpec } from './protocol.ts';

export type SpecResult =
	{ ok: true; train: DataSpec | null; eval: DataSpec | null } | { ok: false; problem: string };

/** `folder`: where relative paths start. */
export function readDatasetSpec(value: unknown, folder: string): SpecResult {
	if (value === undefined || value === null) return { ok: true, train: null, eval: null };
	const parts: { train: unknown; eval: unknown } =
		typeof value === 'object' && !Array.isArray(value) && 'train' in value
			? { train: value.train, eval: 'eval' in value ? value.eval : null }
			: { train: value, eval: null };
	const train = readSource(parts.train, folder, 'dataset');
	if (!train.ok) return train;
	if (parts.eval === null || parts.eval === undefined) {
		return { ok: true, train: train.source, eval: null };
	}
	const evaluation = readSource(parts.eval, folder, 'dataset.eval');
	if (!evaluation.ok) return evaluation;
	return { ok: true, train: train.source, eval: evaluation.source };
}

function readSource(
	value: unknown,
	folder: string,
	where: string,
): { ok: true; source: DataSpec } | { ok: false; problem: string } {
	if (typeof value === 'string' && value !== '') {
		const path = isAbsolute(value) ? value : resolve(folder, value);
		return { ok: true, source: { kind: 'path', path } };
	}
	if (!Array.isArray(value)) {
		return {
			ok: false,
			problem: `${where} is ${describeValue(value)}, expected a list of rows, a path, or {train, eval}`,
		};
	}
	for (let i = 0; i < value.length; i++) {
		const found = findNonJson(value[i]);
		if (found === null) continue;
		const path = found.path === '' ? '' : `, ${found.path}`;
		return {
			ok: false,
			problem: `${where} row ${i + 1}${path} is ${found.what}, expected values that JSON can hold`,
		};
	}
	return { ok: true, source: { kind: 'rows', rows: value } };
}
