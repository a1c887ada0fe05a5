import type { Connection } from './connection.ts';

/** Rows in one statement: a call costs more than a row. */
const rowsAtOnce = 32;

export type SqlValue = number | string | Buffer | null;

/** Inserts many rows, given as one flat list of `columns` values each. Table and column names are our own. */
export function insertMany(
	connection: Connection,
	table: string,
	columns: readonly string[],
	values: readonly SqlValue[],
	orIgnore: '' | 'OR IGNORE' = '',
): void {
	const width = columns.length;
	const one = `(${columns.map(() => '?').join(',')})`;
	const head = `INSERT ${orIgnore} INTO ${table} (${columns.join(',')}) VALUES `;
	let at = 0;
	while (at < values.length) {
		const rows = (values.length - at) / width;
		const count = rows >= rowsAtOnce ? rowsAtOnce : rows >= 4 ? 4 : 1;
		const statement = connection.prepare<SqlValue[], never>(
			head + Array<string>(count).fill(one).join(','),
		);
		statement.run(...values.slice(at, at + count * width));
		at += count * width;
	}
}
