import type { Connection } from './connection.ts';
import { hashText, packBlock, type PackedBlock, unpackBlock } from './text-blocks.ts';

interface StoredText {
	text: number;
	start: number;
	size: number;
}

/**
 * Removes texts that nothing uses any more. Blocks that hold others too are written anew without them,
 * under a new number. Within a write.
 */
export function removeTexts(connection: Connection, texts: ReadonlySet<number>): void {
	const blockOf = connection.prepare<[number], { block: number }>(
		'SELECT block FROM texts WHERE text = ?',
	);
	const blocks = new Set<number>();
	for (const text of texts) {
		const row = blockOf.get(text);
		if (row !== undefined) blocks.add(row.block);
	}
	for (const block of blocks) thinBlock(connection, block, texts);
}

function thinBlock(connection: Connection, block: number, gone: ReadonlySet<number>): void {
	const packed = connection
		.prepare<[number], PackedBlock>('SELECT codec, bytes, data FROM text_blocks WHERE block = ?')
		.get(block);
	if (packed === undefined) return;
	const content = unpackBlock(packed);
	const rows = connection
		.prepare<[number], StoredText>(
			'SELECT text, start, size FROM texts WHERE block = ? ORDER BY start',
		)
		.all(block);
	const kept: (StoredText & { bytes: Buffer })[] = [];
	for (const row of rows) {
		const bytes = content.subarray(row.start, row.start + Math.floor(row.size / 2));
		if (gone.has(row.text)) forget(connection, row.text, hashText(bytes, row.size % 2 === 1));
		else kept.push({ ...row, bytes });
	}
	if (kept.length > 0) {
		const { codec, bytes, data } = packBlock(Buffer.concat(kept.map((row) => row.bytes)));
		const { lastInsertRowid } = connection
			.prepare<[number, number, Buffer], never>(
				'INSERT INTO text_blocks (codec, bytes, data) VALUES (?, ?, ?)',
			)
			.run(codec, bytes, data);
		const move = connection.prepare<[number, number, number], never>(
			'UPDATE texts SET block = ?, start = ? WHERE text = ?',
		);
		let start = 0;
		for (const row of kept) {
			move.run(Number(lastInsertRowid), start, row.text);
			start += row.bytes.length;
		}
	}
	connection.prepare<[number], never>('DELETE FROM text_blocks WHERE block = ?').run(block);
}

function forget(connection: Connection, text: number, hash: Buffer): void {
	connection.prepare<[number], never>('DELETE FROM texts WHERE text = ?').run(text);
	connection.prepare<[Buffer], never>('DELETE FROM text_hashes WHERE hash = ?').run(hash);
	connection
		.prepare<[number], never>(
			'DELETE FROM text_search WHERE rowid = ? AND rowid <= (SELECT searchable_to FROM workspace)',
		)
		.run(text);
}
