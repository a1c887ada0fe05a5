import { readFile } from 'node:fs/promises';
import { GroveError } from '../contract/errors.ts';
import { describeForeignFile } from './foreign-file.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON object from a file; null where the file is absent. Throws GroveError 'bad-input' for anything else. */
export async function readJsonObject(path: string): Promise<JsonObject | null> {
	let bytes: Uint8Array;
	try {
		bytes = await readFile(path);
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
		throw new GroveError(
			'bad-input',
			{
				where: path,
				what: 'cannot be read',
				given: error instanceof Error ? error.message : undefined,
			},
			{ cause: error },
		);
	}
	const foreign = describeForeignFile(bytes.subarray(0, 512));
	if (foreign !== null)
		throw new GroveError('bad-input', {
			where: path,
			what: `is no JSON file: it looks like ${foreign.kind}`,
			fix: foreign.fix,
		});
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch (error) {
		throw new GroveError(
			'bad-input',
			{
				where: path,
				what: 'is not valid JSON; it may be cut off',
				given: error instanceof Error ? error.message.slice(0, 120) : undefined,
				fix: 'copy or download it again',
			},
			{ cause: error },
		);
	}
	if (!isJsonObject(value))
		throw new GroveError('bad-input', { where: path, what: 'is not a JSON object' });
	return value;
}
