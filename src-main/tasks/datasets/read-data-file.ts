/** Rows of a .jsonl, .json, .csv or .tsv file. */
import { extname } from 'node:path';
import { GroveError } from '../../contract/errors.ts';
import { readTextFile } from './decode-text.ts';
import { parseCsv } from './parse-csv.ts';
import type { RawRow } from './raw-row.ts';

/** Throws GroveError 'bad-input' with file and line. */
export async function readDataFile(path: string): Promise<RawRow[]> {
	const ending = extname(path).toLowerCase();
	switch (ending) {
		case '.jsonl':
		case '.ndjson':
			return parseJsonLines(await readTextFile(path), path);
		case '.json':
			return parseJsonList(await readTextFile(path), path);
		case '.csv':
		case '.tsv': {
			const result = parseCsv(await readTextFile(path), ending === '.csv' ? ',' : '\t');
			if (result.ok) return result.rows;
			throw new GroveError('bad-input', {
				where: `${path}, line ${result.line}`,
				what: result.what,
				expected: 'CSV as RFC 4180 has it, with the column names in the first row',
			});
		}
		default:
			throw new GroveError('bad-input', {
				where: path,
				what: 'this kind of data file is not known',
				expected: 'a name that ends in .jsonl, .json, .csv or .tsv',
				given: ending === '' ? 'a name without ending' : ending,
			});
	}
}

function parseJsonLines(text: string, path: string): RawRow[] {
	const rows: RawRow[] = [];
	for (const [index, line] of text
		.replace(/^\ufeff/u, '')
		.split('\n')
		.entries()) {
		if (line.trim() === '') continue;
		try {
			rows.push({ place: `line ${index + 1}`, value: JSON.parse(line) });
		} catch (error) {
			const isOneList = rows.length === 0 && line.trim().startsWith('[');
			throw new GroveError(
				'bad-input',
				{
					where: `${path}, line ${index + 1}`,
					what: 'not valid JSON',
					expected: 'one JSON object a line, such as {"prompt": "…"}',
					given: error instanceof Error ? error.message : undefined,
					fix: isOneList ? 'the file seems to hold one JSON list: name it .json' : undefined,
				},
				{ cause: error },
			);
		}
	}
	return rows;
}

function parseJsonList(text: string, path: string): RawRow[] {
	const plain = text.replace(/^\ufeff/u, '');
	let value: unknown;
	try {
		value = JSON.parse(plain);
	} catch (error) {
		const message = error instanceof Error ? error.message : '';
		const offset = /position (\d+)/u.exec(message)?.[1];
		const line =
			offset === undefined
				? plain.split('\n').length
				: plain.slice(0, Number(offset)).split('\n').length;
		throw new GroveError(
			'bad-input',
			{
				where: `${path}, line ${line}`,
				what: 'not valid JSON',
				expected: 'a list of objects, such as [{"prompt": "…"}]',
				given: message,
			},
			{ cause: error },
		);
	}
	if (!Array.isArray(value)) {
		throw new GroveError('bad-input', {
			where: path,
			what: 'the file holds no list',
			expected: 'a list of objects, such as [{"prompt": "…"}]',
			given: value === null ? 'null' : typeof value,
		});
	}
	const lines = elementLines(plain);
	return value.map((row: unknown, index) => ({
		place: `row ${index + 1} (line ${lines[index] ?? 1})`,
		value: row,
	}));
}

/** The line on which each element of the outermost list begins. */
function elementLines(text: string): number[] {
	const lines: number[] = [];
	let line = 1;
	let depth = 0;
	let expectsElement = false;
	let inText = false;
	for (let at = 0; at < text.length; at++) {
		const char = text[at] ?? '';
		if (char === '\n') line++;
		if (inText) {
			if (char === '\\') at++;
			else if (char === '"') inText = false;
			continue;
		}
		if (char.trim() === '') continue;
		if (depth === 1 && expectsElement && char !== ']') {
			lines.push(line);
			expectsElement = false;
		}
		if (char === '"') inText = true;
		else if (char === '[' || char === '{') {
			depth++;
			if (depth === 1) expectsElement = true;
		} else if (char === ']' || char === '}') depth--;
		else if (char === ',' && depth === 1) expectsElement = true;
	}
	return lines;
}
