/** Removing rollout trees, or only their texts. Always within a write. */
import type { Connection } from './connection.ts';
import { unpackContent } from './node-content.ts';
import { removeTexts } from './remove-texts.ts';

interface TreePlace {
	tree: number;
	first_node: number;
	nodes: number;
	title: number;
}

/** The numbers of all texts that a node names. */
function textsIn(content: Buffer): Set<number> {
	const numbers = new Set<number>();
	unpackContent(content, (number) => {
		numbers.add(number);
		return '';
	});
	return numbers;
}

/** Forgets that the trees use their texts; removes those that nothing else uses. */
function dropTextsOf(connection: Connection, trees: readonly TreePlace[]): void {
	const unused = new Set<number>();
	const contents = connection.prepareRows<[number, number], [number, Buffer]>(
		'SELECT id, content FROM nodes WHERE id >= ? AND id < ?',
	);
	const forget = connection.prepare<[number, number], never>(
		'DELETE FROM text_places WHERE text = ? AND node = ?',
	);
	for (const { first_node, nodes, title } of trees) {
		forget.run(title, first_node);
		unused.add(title);
		for (const [node, content] of contents.all(first_node, first_node + nodes)) {
			for (const text of textsIn(content)) {
				forget.run(text, node);
				unused.add(text);
			}
		}
	}
	const isUsed = connection.prepare<[number], unknown>(
		'SELECT 1 FROM text_places WHERE text = ? LIMIT 1',
	);
	for (const text of unused) if (isUsed.get(text) !== undefined) unused.delete(text);
	removeTexts(connection, unused);
}

/** One tree with its nodes. Annotations stay: they name the place, not the row. */
export function removeTree(connection: Connection, tree: number): void {
	const place = connection
		.prepare<[number], TreePlace>('SELECT tree, first_node, nodes, title FROM trees WHERE tree = ?')
		.get(tree);
	if (place !== undefined) removeAll(connection, [place]);
}

/** All trees of a run, or those of steps after `afterStep`. */
export function removeTreesOfRun(connection: Connection, run: number, afterStep = -1): void {
	removeAll(
		connection,
		connection
			.prepare<[number, number], TreePlace>(
				'SELECT tree, first_node, nodes, title FROM trees WHERE run = ? AND step > ?',
			)
			.all(run, afterStep),
	);
}

function removeAll(connection: Connection, trees: readonly TreePlace[]): void {
	dropTextsOf(connection, trees);
	for (const { tree, first_node, nodes } of trees) {
		connection
			.prepare<[number, number], never>('DELETE FROM nodes WHERE id >= ? AND id < ?')
			.run(first_node, first_node + nodes);
		connection.prepare<[number], never>('DELETE FROM trees WHERE tree = ?').run(tree);
	}
}

/** Removes prompts and completions of a run; shapes, rewards, tokens and metrics stay. */
export function dropTextsOfRun(connection: Connection, run: number): void {
	dropTextsOf(
		connection,
		connection
			.prepare<[number], TreePlace>(
				'SELECT tree, first_node, nodes, title FROM trees WHERE run = ?',
			)
			.all(run),
	);
}
