/** All points and trees of a run, piece by piece, for exports. Each piece is one short read. */
import type { RolloutTree } from '../contract/tree.ts';
import type { Connection } from './connection.ts';
import type { Moment } from './moments.ts';
import { blockAfter, readBlock, readTail } from './read-moments.ts';
import type { Texts } from './texts.ts';
import { readTree, type TreeRow } from './tree-queries.ts';

/** Every stored moment in the order of arrival, also of a run that goes on meanwhile. */
export function* momentsOfRun(connection: Connection, run: number): Generator<Moment[]> {
	let last = 0;
	for (;;) {
		const piece = connection.read(() => {
			const block = blockAfter(connection, run, last);
			// The tail in the same read as the look for blocks: it turns into one when it is long.
			if (block === undefined) return { block, moments: readTail(connection, run) };
			return { block, moments: readBlock(connection, run, block) };
		});
		yield piece.moments;
		if (piece.block === undefined) return;
		last = piece.block;
	}
}

const placeOf = (moment: Moment): string => `${moment.step}/${moment.envStep}`;

/** As momentsOfRun without the values that a newer one of the same metric, step and env step replaced. */
export function* validMomentsOfRun(connection: Connection, run: number): Generator<Moment[]> {
	const newest = newestOfRepeated(connection, run);
	if (newest.size === 0) {
		yield* momentsOfRun(connection, run);
		return;
	}
	let index = 0;
	for (const moments of momentsOfRun(connection, run)) {
		const valid: Moment[] = [];
		for (const moment of moments) {
			const own = index++;
			const winners = newest.get(placeOf(moment));
			if (winners === undefined) {
				valid.push(moment);
				continue;
			}
			const kept = [...moment.keys.keys()].filter(
				(position) => (winners.get(moment.keys[position] ?? 0) ?? own) <= own,
			);
			valid.push({
				...moment,
				keys: kept.map((position) => moment.keys[position] ?? 0),
				values: kept.map((position) => moment.values[position] ?? NaN),
			});
		}
		yield valid;
	}
}

/** For places that occur more than once: the index of the newest moment of each key there. */
function newestOfRepeated(connection: Connection, run: number): Map<string, Map<number, number>> {
	const seen = new Set<string>();
	const repeated = new Map<string, Map<number, number>>();
	for (const moments of momentsOfRun(connection, run)) {
		for (const moment of moments) {
			const place = placeOf(moment);
			if (seen.has(place)) repeated.set(place, new Map());
			seen.add(place);
		}
	}
	if (repeated.size === 0) return repeated;
	let index = 0;
	for (const moments of momentsOfRun(connection, run)) {
		for (const moment of moments) {
			const newest = repeated.get(placeOf(moment));
			for (const key of moment.keys) newest?.set(key, index);
			index++;
		}
	}
	return repeated;
}

/** Every tree with its texts, oldest step first. */
export function* treesOfRun(
	connection: Connection,
	texts: Texts,
	run: number,
): Generator<RolloutTree> {
	const ids = connection.read(() =>
		connection
			.prepareRows<[number], [number]>('SELECT tree FROM trees WHERE run = ? ORDER BY step, tree')
			.all(run),
	);
	for (const [id] of ids) {
		const tree = connection.read(() => {
			const row = connection
				.prepare<[number], TreeRow>('SELECT * FROM trees WHERE tree = ?')
				.get(id);
			return row === undefined ? null : readTree(connection, texts, row);
		});
		// Removed or replaced meanwhile.
		if (tree !== null) yield tree;
	}
}
