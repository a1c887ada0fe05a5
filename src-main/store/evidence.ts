/** What is behind one point of a reward chart: the nodes, their rewards, and the SQL that computes it again. */
import { GroveError } from '../contract/errors.ts';
import type { Evidence } from '../contract/requests.ts';
import type { Connection } from './connection.ts';
import type { MetricKeys } from './metric-keys.ts';
import { unpackList } from './number-list.ts';
import { readPoints } from './read-points.ts';
import { needRun } from './run-rows.ts';

interface Place {
	runId: string;
	purpose: 'train' | 'eval';
	step: number;
	turn: number;
}

function quote(text: string): string {
	return `'${text.replaceAll("'", "''")}'`;
}

function nodesOf({ runId, purpose, step }: Place): string {
	return `FROM runs r
  JOIN trees t ON t.run = r.run
  JOIN nodes n ON n.id >= t.first_node AND n.id < t.first_node + t.nodes
WHERE r.run_id = ${quote(runId)} AND t.purpose = '${purpose}' AND t.step = ${step}`;
}

/** Mean over nodes of the mean of a list; unknown entries and nodes without any known one do not count. */
function meanOfMeans(column: 'rewards' | 'returns', place: Place): string {
	return `SELECT avg(mean) FROM (
  SELECT (SELECT avg(value) FROM json_each(n.${column})) AS mean
  ${nodesOf(place)} AND n.turn = ${place.turn}
)`;
}

function overRewards(expression: string, place: Place): string {
	return `SELECT ${expression} FROM (
  SELECT j.value AS reward
  FROM runs r
  JOIN trees t ON t.run = r.run
  JOIN nodes n ON n.id >= t.first_node AND n.id < t.first_node + t.nodes, json_each(n.rewards) j
  WHERE r.run_id = ${quote(place.runId)} AND t.purpose = '${place.purpose}' AND t.step = ${place.step}
    AND n.turn = ${place.turn} AND j.value IS NOT NULL
)`;
}

/**
 * Each joint completion of the turn, and each earlier one after which nothing came, weighted by the joint
 * completions of this turn that it stands for. One whose feedback failed has no return and does not count.
 */
function leafWeightedMean(place: Place): string {
	return `SELECT sum(weight * reward) / sum(weight) FROM (
  SELECT j.value AS reward, power(json_array_length(n.rewards), ${place.turn} - n.turn) AS weight
  FROM runs r
  JOIN trees t ON t.run = r.run
  JOIN nodes n ON n.id >= t.first_node AND n.id < t.first_node + t.nodes, json_each(n.rewards) j
  WHERE r.run_id = ${quote(place.runId)} AND t.purpose = '${place.purpose}' AND t.step = ${place.step}
    AND n.turn <= ${place.turn} AND j.value IS NOT NULL
    AND (n.turn = ${place.turn} OR (
      json_extract(n.children, '$[' || j.key || ']') IS NULL
      AND json_extract(n.returns, '$[' || j.key || ']') IS NOT NULL))
)`;
}

const recipes = new Map<string, (place: Place) => string>([
	['reward_mean', (place) => meanOfMeans('rewards', place)],
	['expected_return', (place) => meanOfMeans('returns', place)],
	['reward_leaf_mean', leafWeightedMean],
	['reward_min', (place) => overRewards('min(reward)', place)],
	['reward_max', (place) => overRewards('max(reward)', place)],
	[
		'reward_std',
		(place) => overRewards('sqrt(max(0, avg(reward * reward) - avg(reward) * avg(reward)))', place),
	],
]);

function parseKey(key: string): { purpose: 'train' | 'eval'; turn: number; name: string } | null {
	const match = /^(eval\/)?turn_([1-9][0-9]*)\/([a-z_]+)$/u.exec(key);
	const [, evaluation, turn, name] = match ?? [];
	if (turn === undefined || name === undefined || !recipes.has(name)) return null;
	return { purpose: evaluation === undefined ? 'train' : 'eval', turn: Number(turn), name };
}

/** Throws 'not-found' for a metric that is not made of rewards alone, and where nothing was logged at the step. Within a read. */
export function evidence(
	connection: Connection,
	keys: MetricKeys,
	{ runId, key, step }: { runId: string; key: string; step: number },
): Evidence {
	const { run } = needRun(connection, runId);
	const parsed = parseKey(key);
	const recipe = parsed === null ? undefined : recipes.get(parsed.name);
	if (parsed === null || recipe === undefined) {
		throw new GroveError('not-found', {
			what: 'this metric is not computed from the rewards of nodes alone',
			given: key,
			expected: `turn_K/ or eval/turn_K/ followed by ${[...recipes.keys()].join(', ')}`,
		});
	}
	const number = keys.find(key);
	const points = number === undefined ? null : readPoints(connection, run, number);
	const at = points?.step.lastIndexOf(step) ?? -1;
	const value = points?.value[at];
	if (value === undefined) {
		throw new GroveError('not-found', {
			what: 'nothing was logged there',
			where: `run ${runId}, ${key}`,
			given: `step ${step}`,
		});
	}
	const place: Place = { runId, step, purpose: parsed.purpose, turn: parsed.turn };
	const nodes = behind(connection, run, place);
	const sql = recipe(place);
	const leafWeighted = connection.number(leafWeightedMean(place));
	return {
		runId,
		key,
		step,
		value,
		nodes: nodes.map(({ rewards: _, ...node }) => node),
		rewards: nodes.flatMap((node) => node.rewards),
		recomputed: connection.number(sql),
		leafWeighted: Number.isNaN(leafWeighted) ? null : leafWeighted,
		sql,
	};
}

type NodeBehind = Evidence['nodes'][number] & { rewards: number[] };

function behind(connection: Connection, run: number, place: Place): NodeBehind[] {
	return connection
		.prepare<
			[number, string, number, number],
			Omit<NodeBehind, 'rewards' | 'joints'> & { rewards: string }
		>(
			`SELECT t.item_index AS itemIndex, n.id - t.first_node AS node, n.turn,
				n.reward_mean AS rewardMean, n.return_mean AS returnMean, n.rewards
			FROM trees t JOIN nodes n ON n.id >= t.first_node AND n.id < t.first_node + t.nodes
			WHERE t.run = ? AND t.purpose = ? AND t.step = ? AND n.turn = ? ORDER BY t.item_index, n.id`,
		)
		.all(run, place.purpose, place.step, place.turn)
		.map((row) => {
			const rewards = unpackList(row.rewards);
			return {
				...row,
				joints: rewards.length,
				rewards: rewards.filter((reward) => reward !== null),
			};
		});
}
