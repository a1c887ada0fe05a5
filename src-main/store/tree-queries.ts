/** Reading rollout trees: lists, shapes without texts, single nodes. All within a read. */
import { GroveError } from '../contract/errors.ts';
import type {
	RequestParams,
	RequestResults,
	TreeOutline,
	TreeSummary,
} from '../contract/requests.ts';
import type { EndReason, RolloutNode, RolloutTree } from '../contract/tree.ts';
import type { Connection } from './connection.ts';
import { unpackContent } from './node-content.ts';
import { type NumberList, unpackList } from './number-list.ts';
import { needRun, type RunConfigs } from './run-rows.ts';
import type { Texts } from './texts.ts';

export interface TreeRow {
	tree: number;
	purpose: 'train' | 'eval';
	step: number;
	item_index: number;
	item_id: string;
	title: number;
	epoch: number;
	env_step: number;
	joint_mode: 'aligned' | 'cross';
	first_node: number;
	nodes: number;
	joints: number;
	reward_by_turn: string;
	best_reward: number | null;
	zero_variance_share: number;
}

interface NodeRow {
	turn: number;
	parent_node: number | null;
	parent_joint: number | null;
	env_step: number;
	reward_mean: number | null;
	return_mean: number | null;
	ended: EndReason | null;
	zero_variance: number;
	rewards: string;
	returns: string;
	advantages: string;
	children: string;
}

function summaryOf(texts: Texts, runId: string, row: TreeRow): TreeSummary {
	return {
		runId,
		step: row.step,
		epoch: row.epoch,
		envStep: row.env_step,
		itemIndex: row.item_index,
		itemId: row.item_id,
		title: texts.get(row.title),
		purpose: row.purpose,
		nodes: row.nodes,
		joints: row.joints,
		rewardByTurn: unpackList(row.reward_by_turn),
		bestReward: row.best_reward,
		zeroVarianceShare: row.zero_variance_share,
	};
}

/** Newest first. */
export function listTrees(
	connection: Connection,
	texts: Texts,
	params: RequestParams<'trees.list'>,
): TreeSummary[] {
	const { run } = needRun(connection, params.runId);
	const rows = connection
		.prepare<[Record<string, number | string | null>], TreeRow>(
			`SELECT * FROM trees WHERE run = @run
			AND (@purpose IS NULL OR purpose = @purpose)
			AND (@item IS NULL OR item_index = @item)
			AND step >= @from AND step <= @to
			ORDER BY step DESC, purpose DESC, item_index LIMIT @limit`,
		)
		.all({
			run,
			purpose: params.purpose ?? null,
			item: params.itemIndex ?? null,
			from: params.fromStep ?? 0,
			to: params.toStep ?? Number.MAX_SAFE_INTEGER,
			limit: params.limit,
		});
	return rows.map((row) => summaryOf(texts, params.runId, row));
}

type TreePlace = Omit<RequestParams<'trees.outline'>, 'runId'>;

export function needTree(connection: Connection, runId: string, place: TreePlace): TreeRow {
	const { run } = needRun(connection, runId);
	const row = connection
		.prepare<[number, string, number, number], TreeRow>(
			'SELECT * FROM trees WHERE run = ? AND purpose = ? AND step = ? AND item_index = ?',
		)
		.get(run, place.purpose, place.step, place.itemIndex);
	if (row !== undefined) return row;
	throw new GroveError('not-found', {
		what: 'there is no such tree',
		where: `run ${runId}`,
		given: `${place.purpose} step ${place.step}, example ${place.itemIndex}`,
		fix: 'list the trees of the run',
	});
}

export interface AgentNames {
	name: string;
	model: string;
}

export function agentsOf(connection: Connection, run: number): AgentNames[] {
	const row = connection
		.prepare<[number], { agents: string }>('SELECT agents FROM run_details WHERE run = ?')
		.get(run);
	return row === undefined ? [] : (JSON.parse(row.agents) as AgentNames[]);
}

export function treeOutline(
	connection: Connection,
	texts: Texts,
	{ runId, ...place }: RequestParams<'trees.outline'>,
): TreeOutline {
	const { run } = needRun(connection, runId);
	const names = agentsOf(connection, run).map((agent) => agent.name);
	return outlineOf(connection, texts, runId, names, needTree(connection, runId, place));
}

function outlineOf(
	connection: Connection,
	texts: Texts,
	runId: string,
	agentNames: string[],
	row: TreeRow,
): TreeOutline {
	const { nodes, joints } = row;
	const outline: TreeOutline = {
		...summaryOf(texts, runId, row),
		agentNames,
		jointMode: row.joint_mode,
		turn: new Int32Array(nodes),
		parentNode: new Int32Array(nodes),
		parentJoint: new Int32Array(nodes),
		envSteps: new Float64Array(nodes),
		rewardMean: new Float64Array(nodes),
		returnMean: new Float64Array(nodes),
		ended: [],
		zeroVariance: new Uint8Array(nodes),
		jointStart: new Int32Array(nodes + 1),
		jointReward: new Float64Array(joints),
		jointReturn: new Float64Array(joints),
		jointAdvantage: new Float64Array(joints),
		jointChild: new Int32Array(joints),
	};
	const rows = connection
		.prepare<[number, number], NodeRow>(
			'SELECT turn, parent_node, parent_joint, env_step, reward_mean, return_mean, ended, zero_variance, rewards, returns, advantages, children FROM nodes WHERE id >= ? AND id < ? ORDER BY id',
		)
		.all(row.first_node, row.first_node + nodes);
	let start = 0;
	for (const [index, node] of rows.entries()) {
		outline.turn[index] = node.turn;
		outline.parentNode[index] = node.parent_node ?? -1;
		outline.parentJoint[index] = node.parent_joint ?? -1;
		outline.envSteps[index] = node.env_step;
		outline.rewardMean[index] = node.reward_mean ?? NaN;
		outline.returnMean[index] = node.return_mean ?? NaN;
		outline.ended.push(node.ended);
		outline.zeroVariance[index] = node.zero_variance;
		outline.jointStart[index] = start;
		const rewards = unpackList(node.rewards);
		fill(outline.jointReward, start, rewards, NaN);
		fill(outline.jointReturn, start, unpackList(node.returns), NaN);
		fill(outline.jointAdvantage, start, unpackList(node.advantages), NaN);
		fill(outline.jointChild, start, unpackList(node.children), -1);
		start += rewards.length;
	}
	outline.jointStart[nodes] = start;
	return outline;
}

function fill(
	target: Float64Array | Int32Array,
	start: number,
	values: NumberList,
	none: number,
): void {
	for (const [index, value] of values.entries()) target[start + index] = value ?? none;
}

/** The same example's tree at every step it was visited, oldest first; where there are more than `limit`, evenly chosen. */
export function treeFilm(
	connection: Connection,
	texts: Texts,
	{ runId, itemIndex, purpose, limit }: RequestParams<'trees.film'>,
): TreeOutline[] {
	const { run } = needRun(connection, runId);
	const names = agentsOf(connection, run).map((agent) => agent.name);
	const rows = connection
		.prepare<[number, string, number], TreeRow>(
			'SELECT * FROM trees WHERE run = ? AND purpose = ? AND item_index = ? ORDER BY step',
		)
		.all(run, purpose, itemIndex);
	const chosen =
		rows.length <= limit
			? rows
			: rows.filter(
					(_, index) =>
						Math.floor((index * limit) / rows.length) !==
						Math.floor(((index - 1) * limit) / rows.length),
				);
	return chosen.map((row) => outlineOf(connection, texts, runId, names, row));
}

function readNode(connection: Connection, texts: Texts, tree: TreeRow, index: number): RolloutNode {
	const row = connection
		.prepare<[number], NodeRow & { content: Buffer }>('SELECT * FROM nodes WHERE id = ?')
		.get(tree.first_node + index);
	if (row === undefined) throw new Error(`node ${index} of a tree is missing`);
	const content = unpackContent(row.content, (number) => texts.get(number));
	const rewards = unpackList(row.rewards);
	const returns = unpackList(row.returns);
	const children = unpackList(row.children);
	return {
		index,
		turn: row.turn,
		parent:
			row.parent_node === null || row.parent_joint === null
				? null
				: { node: row.parent_node, joint: row.parent_joint },
		envStep: row.env_step,
		agents: content.agents,
		joints: content.joints.map((joint, position) => ({
			...joint,
			reward: rewards[position] ?? null,
			return: returns[position] ?? null,
			child: children[position] ?? null,
		})),
		rewardMean: row.reward_mean,
		returnMean: row.return_mean,
		ended: row.ended,
		zeroVariance: row.zero_variance === 1,
	};
}

export type TreeNodeView = Omit<RequestResults['trees.node'], 'tokenPieces'> & {
	/** What each agent runs, for whoever wants to show its tokens. */
	models: string[];
};

/** Throws 'not-found' for a tree or node that is not there. */
export function treeNode(
	connection: Connection,
	texts: Texts,
	configs: RunConfigs,
	{ runId, node, ...place }: RequestParams<'trees.node'>,
): TreeNodeView {
	const data = needRun(connection, runId);
	const tree = needTree(connection, runId, place);
	if (node >= tree.nodes) {
		throw new GroveError('not-found', {
			what: 'the tree has no such node',
			where: `run ${runId}, step ${place.step}, example ${place.itemIndex}`,
			expected: `0 to ${tree.nodes - 1}`,
			given: String(node),
		});
	}
	const agents = agentsOf(connection, data.run);
	const config = configs.of(data);
	const { discount, advantage_mode: mode, advantage_normalization: normalization } = config;
	return {
		node: readNode(connection, texts, tree, node),
		agentNames: agents.map((agent) => agent.name),
		models: agents.map((agent) => agent.model),
		// Imported runs may not say: then the definitions' own plain values.
		discount: typeof discount === 'number' ? discount : 1,
		advantageMode: typeof mode === 'string' ? mode : 'mean',
		normalization: normalization === true,
	};
}

/** A whole tree with its texts, as it was recorded. */
export function readTree(connection: Connection, texts: Texts, tree: TreeRow): RolloutTree {
	return {
		step: tree.step,
		epoch: tree.epoch,
		itemIndex: tree.item_index,
		itemId: tree.item_id,
		title: texts.get(tree.title),
		jointMode: tree.joint_mode,
		purpose: tree.purpose,
		nodes: Array.from({ length: tree.nodes }, (_, index) =>
			readNode(connection, texts, tree, index),
		),
	};
}
