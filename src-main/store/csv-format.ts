/**
 * Comma-separated values (RFC 4180: CRLF, quotes doubled), numbers in full precision, and text cells that
 * no spreadsheet runs as a formula.
 *
 * The rule for text cells, both ways: a text that begins with = + - @ (also the wide ones of East Asian
 * keyboards), a tab, a line break or an apostrophe gets an apostrophe before it; reading takes one leading
 * apostrophe away. Numbers are never touched.
 */

export function csvText(text: string): string {
	const safe = /^[=+\-@＝＋－＠\t\r\n']/u.test(text) ? `'${text}` : text;
	// Half a surrogate pair cannot be written as UTF-8.
	return quoted(safe.toWellFormed());
}

/** The text that a cell written by `csvText` stands for. */
export function textOfCell(cell: string): string {
	return cell.startsWith("'") ? cell.slice(1) : cell;
}

function quoted(text: string): string {
	return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Shortest digits that give the same number again; NaN, Infinity, -Infinity and -0 by name. Null: an empty cell. */
export function csvNumber(value: number | null): string {
	if (value === null) return '';
	return Object.is(value, -0) ? '-0' : String(value);
}

/** `cells` as `csvText` and `csvNumber` made them. */
export function csvLine(cells: readonly string[]): string {
	return `${cells.join(',')}\r\n`;
}
