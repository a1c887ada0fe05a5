import type { Connection } from './connection.ts';
import { searchableTo, unindexText } from './text-index.ts';
import { type HashedText, removeHashes } from './text-hashes.ts';
import { hashText, packBlock, type PackedBlock, unpackBlock } from './text-blocks.ts';

type Block = PackedBlock & { first_text: number; texts: number };

/** Removes texts that nothing uses any more. Blocks that hold others too are written anew without them. Within a write. */
export function removeTexts(connection: Connection, texts: ReadonlySet<number>): void {
	if (texts.size === 0) return;
	connection.prepare<[], never>('UPDATE workspace SET texts_removed = texts_removed + 1').run();
	const blockOf = connection.prepare<[number], { first_text: number }>(
		'SELECT first_text FROM text_blocks WHERE first_text <= ? ORDER BY first_text DESC LIMIT 1',
	);
	const blocks = new Set<number>();
	for (const text of texts) {
		const row = blockOf.get(text);
		if (row !== undefined) blocks.add(row.first_text);
	}
	for (const firstText of blocks) thinBlock(connection, firstText, texts);
}

function thinBlock(connection: Connection, firstText: number, gone: ReadonlySet<number>): void {
	const block = connection
		.prepare<[number], Block>('SELECT * FROM text_blocks WHERE first_text = ?')
		.get(firstText);
	if (block === undefined) return;
	const hashes: HashedText[] = [];
	const indexedTo = searchableTo(connection);
	const kept = unpackBlock(block, block.texts).map((text, index) => {
		const number = firstText + index;
		if (text === null || !gone.has(number)) return text;
		hashes.push({ hash: Buffer.from(hashText(text), 'latin1'), text: number });
		if (number <= indexedTo) unindexText(connection, number, text);
		return null;
	});
	removeHashes(connection, hashes);
	if (kept.every((text) => text === null)) {
		connection
			.prepare<[number], never>('DELETE FROM text_blocks WHERE first_text = ?')
			.run(firstText);
		return;
	}
	const { codec, bytes, data } = packBlock(kept);
	connection
		.prepare<[number, number, Buffer, number], never>(
			'UPDATE text_blocks SET codec = ?, bytes = ?, data = ? WHERE first_text = ?',
		)
		.run(codec, bytes, data, firstText);
}
