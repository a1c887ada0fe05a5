/** Reads comma-separated values as RFC 4180 has it: rows by the names of the head line. */
export function readCsv(text: string): Record<string, string>[] {
	const [head = [], ...rows] = cellsOf(text);
	return rows.map((row) => {
		if (row.length !== head.length)
			throw new Error(`a row of ${row.length} cells: ${row.join('|')}`);
		return Object.fromEntries(head.map((name, index) => [name, row[index] ?? '']));
	});
}

function cellsOf(text: string): string[][] {
	const rows: string[][] = [];
	let row: string[] = [];
	for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gu)) {
		row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
		if (match[3] === ',') continue;
		rows.push(row);
		row = [];
	}
	return rows;
}
