/** Views, filters and layouts that people saved under a name. */
import type { RequestParams, RequestResults } from '../contract/requests.ts';
import type { Connection } from './connection.ts';

/** Within a read. */
export function listSaved(
	connection: Connection,
	kind: string,
): RequestResults['saved.list']['entries'] {
	return connection
		.prepare<[string], RequestResults['saved.list']['entries'][number]>(
			'SELECT name, value, saved_ms AS savedAtMs FROM saved_entries WHERE kind = ? ORDER BY name',
		)
		.all(kind);
}

/** Replaces an entry of the same name. Within a write. */
export function putSaved(
	connection: Connection,
	{ kind, name, value }: RequestParams<'saved.put'>,
	nowMs: number,
): void {
	connection
		.prepare<[string, string, string, number], never>(
			'INSERT OR REPLACE INTO saved_entries (kind, name, value, saved_ms) VALUES (?, ?, ?, ?)',
		)
		.run(kind, name, value, nowMs);
}

/** Within a write. */
export function removeSaved(
	connection: Connection,
	{ kind, name }: RequestParams<'saved.remove'>,
): boolean {
	const { changes } = connection
		.prepare<[string, string], never>('DELETE FROM saved_entries WHERE kind = ? AND name = ?')
		.run(kind, name);
	return changes > 0;
}
