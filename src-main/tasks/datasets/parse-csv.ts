/** CSV as RFC 4180 has it: quoted cells may hold separators, quotes (doubled) and line breaks. */
import type { RawRow } from './raw-row.ts';

export type CsvResult = { ok: true; rows: RawRow[] } | { ok: false; line: number; what: string };

interface Record {
	line: number;
	cells: string[];
}

/** All cells are texts. The first row names the columns; every other has as many cells. */
export function parseCsv(text: string, separator: ',' | '\t'): CsvResult {
	const split = splitRecords(text.replace(/^\ufeff/u, ''), separator);
	if (!split.ok) return split;
	const [header, ...records] = split.records;
	if (header === undefined) return { ok: true, rows: [] };
	const names = header.cells.map((name) => name.trim());
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice !== undefined) {
		return {
			ok: false,
			line: header.line,
			what: `the column ${JSON.stringify(twice)} is there twice`,
		};
	}
	const rows: RawRow[] = [];
	for (const { line, cells } of records) {
		if (cells.length !== names.length) {
			return {
				ok: false,
				line,
				what: `the row has ${cells.length} cells, the header names ${names.length} columns`,
			};
		}
		rows.push({
			place: `line ${line}`,
			value: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])),
		});
	}
	return { ok: true, rows };
}

function splitRecords(
	text: string,
	separator: string,
): { ok: true; records: Record[] } | { ok: false; line: number; what: string } {
	const records: Record[] = [];
	let cells: string[] = [];
	let isQuoted = false;
	let line = 1;
	let startLine = 1;
	let at = 0;
	const endRecord = (): void => {
		// A blank line is no row, one with an empty cell in quotes is.
		if (isQuoted || cells.length > 1 || (cells[0] ?? '').trim() !== '')
			records.push({ line: startLine, cells });
		cells = [];
		isQuoted = false;
		startLine = line;
	};
	while (at < text.length) {
		let cell: string;
		if (text[at] === '"') {
			const openedAt = line;
			isQuoted = true;
			cell = '';
			for (let from = at + 1; ;) {
				const quote = text.indexOf('"', from);
				if (quote === -1) return { ok: false, line: openedAt, what: 'a quote that never closes' };
				const piece = text.slice(from, quote);
				line += piece.split('\n').length - 1;
				cell += piece;
				at = quote + 1;
				if (text[at] !== '"') break;
				cell += '"';
				from = at + 1;
			}
			const next = text[at];
			if (next !== undefined && next !== separator && next !== '\n' && next !== '\r') {
				return { ok: false, line, what: 'text after the closing quote of a cell' };
			}
		} else {
			const start = at;
			while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r')
				at++;
			cell = text.slice(start, at);
		}
		cells.push(cell);
		if (text[at] === separator) {
			at++;
			// A separator at the very end opens one more, empty cell.
			if (at === text.length || text[at] === '\n' || text[at] === '\r') cells.push('');
			else continue;
		}
		if (at === text.length) break;
		if (text[at] === '\r') at++;
		if (text[at] === '\n') at++;
		line++;
		endRecord();
	}
	if (cells.length > 0) endRecord();
	return { ok: true, records };
}
