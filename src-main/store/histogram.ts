/** How the rewards, returns or lengths of a run were spread, step by step. */
import type { RequestParams, RequestResults } from '../contract/requests.ts';
import type { Connection } from './connection.ts';
import { unpackContent } from './node-content.ts';
import { unpackList } from './number-list.ts';
import { needRunNumber } from './run-rows.ts';

type Params = RequestParams<'metrics.histogram'>;

/** Reading the lengths of this many nodes takes about a second; of more, evenly spaced trees are read. */
const mostNodes = { reward: 200_000, return: 200_000, length: 20_000 };

interface TreeRow {
	step: number;
	first: number;
	nodes: number;
}

function treesOf(connection: Connection, run: number, purpose: 'train' | 'eval'): TreeRow[] {
	return connection
		.prepare<[number, string], TreeRow>(
			'SELECT step, first_node AS first, nodes FROM trees WHERE run = ? AND purpose = ? ORDER BY step, item_index',
		)
		.all(run, purpose);
}

/** Evenly spaced trees with at most about `most` nodes together. */
function spread(trees: readonly TreeRow[], most: number): TreeRow[] {
	const nodes = trees.reduce((sum, tree) => sum + tree.nodes, 0);
	const stride = Math.max(1, Math.ceil(nodes / most));
	return trees.filter((_, index) => index % stride === 0);
}

type ValuesOf = (tree: TreeRow) => (number | null)[];

function listReader(connection: Connection, column: 'rewards' | 'returns', turn: number): ValuesOf {
	const statement = connection.prepare<[number, number, number], { list: string }>(
		`SELECT ${column} AS list FROM nodes WHERE id >= ? AND id < ? AND turn = ?`,
	);
	return ({ first, nodes }) =>
		statement.all(first, first + nodes, turn).flatMap(({ list }) => unpackList(list));
}

/** Lengths in tokens. */
function lengthReader(connection: Connection, turn: number, agent: number): ValuesOf {
	const statement = connection.prepare<[number, number, number], { content: Buffer }>(
		'SELECT content FROM nodes WHERE id >= ? AND id < ? AND turn = ?',
	);
	return ({ first, nodes }) =>
		statement
			.all(first, first + nodes, turn)
			.flatMap(({ content }) =>
				(unpackContent(content, () => '').agents[agent]?.completions ?? []).map(
					({ tokenIds }) => tokenIds.length,
				),
			);
}

function readerOf(connection: Connection, { of, turn, agent }: Params): ValuesOf {
	if (of === 'length') return lengthReader(connection, turn, agent);
	return listReader(connection, of === 'reward' ? 'rewards' : 'returns', turn);
}

/**
 * Counts per column of steps and bin of values. Columns are equally many steps wide and cover all steps
 * of the run's trees; bins cover the finite values, the highest one belonging to the last bin. Throws
 * 'not-found' for a run that is not there. Within a read.
 */
export function histogram(
	connection: Connection,
	params: Params,
): RequestResults['metrics.histogram'] {
	const trees = treesOf(connection, needRunNumber(connection, params.runId), params.purpose);
	const read = spread(trees, mostNodes[params.of]);
	const firstStep = trees[0]?.step ?? 0;
	const steps = trees.length === 0 ? 0 : (trees.at(-1)?.step ?? 0) - firstStep + 1;
	const width = Math.max(1, Math.ceil(steps / params.columns));
	const columns = Math.ceil(steps / width);

	const valuesOf = readerOf(connection, params);
	const places: number[] = [];
	const values: number[] = [];
	let low = Infinity;
	let high = -Infinity;
	let outside = 0;
	for (const tree of read) {
		const column = Math.floor((tree.step - firstStep) / width);
		for (const value of valuesOf(tree)) {
			if (value === null || !Number.isFinite(value)) {
				outside++;
				continue;
			}
			places.push(column);
			values.push(value);
			low = Math.min(low, value);
			high = Math.max(high, value);
		}
	}

	const counts = new Int32Array(columns * params.bins);
	values.forEach((value, index) => {
		const share = high > low ? (value - low) / (high - low) : 0;
		const bin = Math.min(params.bins - 1, Math.floor(share * params.bins));
		const at = (places[index] ?? 0) * params.bins + bin;
		counts[at] = (counts[at] ?? 0) + 1;
	});
	return {
		firstStep,
		stepsPerColumn: width,
		columns,
		bins: params.bins,
		low: values.length === 0 ? null : low,
		high: values.length === 0 ? null : high,
		counts,
		outside,
		trees: trees.length,
		treesRead: read.length,
	};
}
