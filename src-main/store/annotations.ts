/** What people noted on nodes and joint completions. */
import { randomBytes } from 'node:crypto';
import type { Annotation, RequestParams } from '../contract/requests.ts';
import type { Connection } from './connection.ts';
import { needRunNumber } from './run-rows.ts';

type AnnotationRow = Omit<Annotation, 'bookmark'> & { bookmark: number };

/** All, or those of one run; newest first. Within a read. */
export function listAnnotations(connection: Connection, runId: string | undefined): Annotation[] {
	return connection
		.prepare<[Record<string, string | null>], AnnotationRow>(
			`SELECT a.id, r.run_id AS runId, a.step, a.item_index AS itemIndex, a.purpose, a.node, a.joint,
				a.bookmark, a.score, a.text, a.created_ms AS createdAtMs
			FROM annotations a JOIN runs r ON r.run = a.run
			WHERE @runId IS NULL OR r.run_id = @runId ORDER BY a.created_ms DESC, a.id`,
		)
		.all({ runId: runId ?? null })
		.map((row) => ({ ...row, bookmark: row.bookmark === 1 }));
}

/** Stores a new annotation, or the one of this id anew. Throws 'not-found' for a run that is gone. Within a write. */
export function putAnnotation(
	connection: Connection,
	annotation: RequestParams<'annotations.put'>['annotation'],
	nowMs: number,
): string {
	const id = annotation.id ?? randomBytes(9).toString('base64url');
	connection
		.prepare<[Record<string, string | number | null>], never>(
			`INSERT INTO annotations (id, run, step, item_index, purpose, node, joint, bookmark, score, text, created_ms)
			VALUES (@id, @run, @step, @item, @purpose, @node, @joint, @bookmark, @score, @text, @now)
			ON CONFLICT (id) DO UPDATE SET step = @step, item_index = @item, purpose = @purpose, node = @node,
				joint = @joint, bookmark = @bookmark, score = @score, text = @text`,
		)
		.run({
			id,
			run: needRunNumber(connection, annotation.runId),
			step: annotation.step,
			item: annotation.itemIndex,
			purpose: annotation.purpose,
			node: annotation.node,
			joint: annotation.joint,
			bookmark: annotation.bookmark ? 1 : 0,
			score: annotation.score,
			text: annotation.text,
			now: nowMs,
		});
	return id;
}

/** Within a write. */
export function removeAnnotation(connection: Connection, id: string): boolean {
	const { changes } = connection
		.prepare<[string], never>('DELETE FROM annotations WHERE id = ?')
		.run(id);
	return changes > 0;
}
