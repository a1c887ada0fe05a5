/**
 * A configuration as text: YAML 1.2 (JSON is a subset of it) to a checked RunConfig, with line numbers.
 *
 * Rules, the same for files and for the form: one document, a map at the root, no duplicate keys, no
 * custom tags, aliases only in small number, UTF-8 with or without byte order mark. Numbers are YAML 1.2
 * core numbers (`1e-5` is one, `1_000` is text); integers beyond 2^53 are refused, never rounded.
 */
import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments, stringify } from 'yaml';
import type { Document } from 'yaml';
import type { ConfigComplaint, ConfigResult, RunConfig } from '../contract/config.ts';
import { configFields, configKeys, parseConfig } from '../contract/config.ts';
import { GroveError } from '../contract/errors.ts';

const maxBytes = 16 * 1024 * 1024;

export type LocatedComplaint = ConfigComplaint & { line: number | null };

export type ConfigTextResult =
	| (Extract<ConfigResult, { ok: true }> & { raw: Record<string, unknown> })
	| { ok: false; complaints: LocatedComplaint[] };

/** Decodes bytes that must be UTF-8. Throws GroveError for UTF-16 and other encodings. */
export function decodeUtf8(bytes: Uint8Array, where: string): string {
	const utf16 =
		(bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
	try {
		if (utf16 || bytes.includes(0)) throw new TypeError('not UTF-8');
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch (error) {
		throw new GroveError(
			'bad-input',
			{
				where,
				what: 'the file is not UTF-8 text',
				expected: 'UTF-8, with or without byte order mark',
				given: utf16 ? 'UTF-16' : 'bytes that are not UTF-8',
				fix: 'save it as UTF-8',
			},
			{ cause: error },
		);
	}
}

/** The key that begins at an offset, shortened. */
function keyAt(text: string, offset: number): string {
	return (/^[^\n:]*/u.exec(text.slice(offset, offset + 80))?.[0] ?? '').trim();
}

function complaintsOfText(
	text: string,
	document: Document.Parsed,
	where: string,
	lines: LineCounter,
): LocatedComplaint[] {
	const found: LocatedComplaint[] = [];
	for (const problem of [...document.errors, ...document.warnings]) {
		const line = lines.linePos(problem.pos[0]).line;
		found.push({
			path: [],
			line,
			where: `${where}, line ${line}`,
			what:
				problem.code === 'DUPLICATE_KEY'
					? `the key ${keyAt(text, problem.pos[0])} stands twice`
					: (problem.message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/u, ''),
			expected: problem.code === 'DUPLICATE_KEY' ? 'every key once' : 'valid YAML (or JSON)',
		});
	}
	return found;
}

/** bigint where the integer is not exact as a number, so that the schema refuses it by its true value. */
function narrowIntegers(value: unknown): unknown {
	if (typeof value === 'bigint') {
		const number = Number(value);
		return Number.isSafeInteger(number) ? number : value;
	}
	if (Array.isArray(value)) return value.map(narrowIntegers);
	if (typeof value === 'object' && value !== null) {
		const narrowed: Record<string, unknown> = {};
		for (const [key, part] of Object.entries(value)) {
			// defineProperty: `__proto__` must stay an ordinary (and then unknown) key.
			Object.defineProperty(narrowed, key, {
				value: narrowIntegers(part),
				enumerable: true,
				writable: true,
				configurable: true,
			});
		}
		return narrowed;
	}
	return value;
}

/** The line of the deepest part of `path` that exists in the document, from 1. */
function lineOf(
	document: Document.Parsed,
	path: readonly (string | number)[],
	lines: LineCounter,
): number | null {
	let node: unknown = document.contents;
	let offset: number | undefined;
	for (const part of path) {
		if (isMap(node)) {
			const pair = node.items.find(
				(item) => isScalar(item.key) && String(item.key.value) === String(part),
			);
			if (pair === undefined) break;
			if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0];
			node = pair.value;
		} else if (isSeq(node) && typeof part === 'number') {
			node = node.items[part];
			const range = (node as { range?: [number, number, number] | null } | undefined)?.range;
			if (range) offset = range[0];
		} else break;
	}
	return offset === undefined ? null : lines.linePos(offset).line;
}

/** Parses YAML text to a plain object without looking at its keys. */
export function parseYaml(
	text: string,
	where: string,
):
	| { ok: true; value: unknown; line: (path: readonly (string | number)[]) => number | null }
	| { ok: false; complaints: LocatedComplaint[] } {
	const lines = new LineCounter();
	const documents = parseAllDocuments(text.replace(/^\ufeff/u, ''), {
		lineCounter: lines,
		uniqueKeys: true,
		intAsBigInt: true,
		version: '1.2',
		merge: false,
	});
	const first = Array.isArray(documents) ? documents[0] : undefined;
	if (!Array.isArray(documents) || first === undefined || first.contents === null) {
		return {
			ok: false,
			complaints: [
				{
					path: [],
					line: null,
					where,
					what: 'the configuration is empty',
					expected: 'a map such as {task: story, num_turns: 1}',
				},
			],
		};
	}
	if (documents.length > 1) {
		return {
			ok: false,
			complaints: [
				{
					path: [],
					line: null,
					where,
					what: 'several YAML documents in one file',
					expected: 'one document',
					given: `${documents.length} documents separated by ---`,
				},
			],
		};
	}
	const complaints = complaintsOfText(text, first, where, lines);
	if (complaints.length > 0) return { ok: false, complaints };
	try {
		const value = narrowIntegers(first.toJS({ maxAliasCount: 100 }));
		return { ok: true, value, line: (path) => lineOf(first, path, lines) };
	} catch (error) {
		return {
			ok: false,
			complaints: [
				{
					path: [],
					line: null,
					where,
					what: error instanceof Error ? error.message : 'cannot be read',
					expected: 'plain YAML without excessive aliases',
				},
			],
		};
	}
}

/** Checks configuration text; `where` names it in messages (a file, or "configuration"). */
export function checkConfigText(text: string, where: string): ConfigTextResult {
	const parsed = parseYaml(text, where);
	if (!parsed.ok) return parsed;
	const result = parseConfig(parsed.value);
	if (result.ok) return { ...result, raw: parsed.value as Record<string, unknown> };
	const complaints = result.complaints.map((complaint) => {
		const line = parsed.line(complaint.path);
		const place = line === null ? where : `${where}, line ${line}`;
		return {
			...complaint,
			line,
			where: complaint.where === undefined ? place : `${place}: ${complaint.where}`,
		};
	});
	return { ok: false, complaints };
}

export interface ConfigFile {
	path: string;
	/** Relative paths in the configuration start here. */
	folder: string;
	text: string;
	config: RunConfig;
	raw: Record<string, unknown>;
	given: readonly string[];
	warnings: Extract<ConfigResult, { ok: true }>['warnings'];
}

/** Reads and checks a configuration file. Throws GroveError 'bad-input' with every complaint at once. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
	const absolute = resolve(path);
	let bytes: Uint8Array;
	try {
		const facts = await stat(absolute);
		if (facts.isDirectory())
			throw new GroveError('bad-input', {
				where: absolute,
				what: 'is a folder',
				expected: 'a YAML or JSON file',
			});
		if (facts.size > maxBytes)
			throw new GroveError('bad-input', {
				where: absolute,
				what: 'too large for a configuration',
				expected: 'at most 16 MiB',
				given: `${facts.size} bytes`,
			});
		bytes = await readFile(absolute);
	} catch (error) {
		if (error instanceof GroveError) throw error;
		throw new GroveError(
			'bad-input',
			{
				where: absolute,
				what: 'the configuration file cannot be read',
				expected: 'an existing YAML or JSON file',
				given: error instanceof Error ? error.message : undefined,
			},
			{ cause: error },
		);
	}
	const text = decodeUtf8(bytes, absolute);
	const result = checkConfigText(text, path);
	if (!result.ok) throw new GroveError('bad-input', result.complaints);
	return {
		path: absolute,
		folder: dirname(absolute),
		text,
		config: result.config,
		raw: result.raw,
		given: result.given,
		warnings: result.warnings,
	};
}

/** YAML of a configuration in the schema's order; keys that hold their default are left out unless `all`. */
export function configToYaml(config: Readonly<Record<string, unknown>>, all = false): string {
	const kept: Record<string, unknown> = {};
	for (const key of configKeys) {
		if (!Object.hasOwn(config, key)) continue;
		const value = config[key];
		if (all || JSON.stringify(value) !== JSON.stringify(configFields[key].default))
			kept[key] = value;
	}
	return Object.keys(kept).length === 0 ? '{}\n' : stringify(kept, { lineWidth: 100 });
}
