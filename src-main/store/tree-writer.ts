import type { RolloutNode, RolloutTree } from '../contract/tree.ts';
import type { Connection } from './connection.ts';
import { insertMany, type SqlValue } from './insert-many.ts';
import { packContent, textsOf } from './node-content.ts';
import { packList } from './number-list.ts';
import { removeTree } from './remove-trees.ts';
import { completionSlot, promptSlot, rawPromptSlot, titleSlot } from './text-places.ts';
import type { Texts } from './texts.ts';

const nodeColumns = [
	'id',
	'tree',
	'turn',
	'parent_node',
	'parent_joint',
	'env_step',
	'reward_mean',
	'return_mean',
	'ended',
	'zero_variance',
	'rewards',
	'returns',
	'advantages',
	'children',
	'content',
] as const;

/** Stores the trees of a step. A tree of the same run, purpose, step and example is replaced: the newest wins. Returns the bytes of their rows. Within a write. */
export function writeTrees(
	connection: Connection,
	texts: Texts,
	run: number,
	trees: readonly RolloutTree[],
): number {
	if (trees.length === 0) return 0;
	const newest = newestOfEachPlace(trees);
	// Before the texts are put: those that only the old trees have go with them.
	for (const tree of newest) removeOld(connection, run, tree);
	const all = new Set<string>();
	for (const tree of newest) {
		all.add(tree.title);
		for (const node of tree.nodes) for (const text of textsOf(node.agents)) all.add(text);
	}
	const numbers = texts.put(all);
	const numberOf = (text: string): number => {
		const number = numbers.get(text);
		if (number === undefined) throw new Error('a text was not stored before its node');
		return number;
	};
	return newest.reduce((sum, tree) => sum + writeTree(connection, run, tree, numberOf), 0);
}

function newestOfEachPlace(trees: readonly RolloutTree[]): RolloutTree[] {
	const places = trees.map(
		(tree) => [`${tree.purpose}/${tree.step}/${tree.itemIndex}`, tree] as const,
	);
	return [...new Map(places).values()];
}

function removeOld(connection: Connection, run: number, tree: RolloutTree): void {
	const old = connection
		.prepare<[number, string, number, number], { tree: number }>(
			'SELECT tree FROM trees WHERE run = ? AND purpose = ? AND step = ? AND item_index = ?',
		)
		.get(run, tree.purpose, tree.step, tree.itemIndex);
	if (old !== undefined) removeTree(connection, old.tree);
}

function writeTree(
	connection: Connection,
	run: number,
	tree: RolloutTree,
	numberOf: (text: string) => number,
): number {
	const firstNode =
		(connection.prepare<[], { id: number | null }>('SELECT max(id) AS id FROM nodes').get()?.id ??
			0) + 1;
	const title = numberOf(tree.title);
	const number = insertTree(connection, run, tree, firstNode, title);
	const rows: SqlValue[] = [];
	const places: SqlValue[] = [title, firstNode, titleSlot];
	for (const [index, node] of tree.nodes.entries()) {
		const id = firstNode + index;
		rows.push(id, number, ...nodeRow(node, numberOf));
		for (const [agent, turn] of node.agents.entries()) {
			places.push(numberOf(turn.prompt), id, promptSlot(agent));
			if (turn.rawPrompt !== turn.prompt) {
				places.push(numberOf(turn.rawPrompt), id, rawPromptSlot(agent));
			}
			for (const [k, completion] of turn.completions.entries()) {
				places.push(numberOf(completion.text), id, completionSlot(agent, k));
			}
		}
	}
	insertMany(connection, 'nodes', nodeColumns, rows);
	insertMany(connection, 'text_places', ['text', 'node', 'slot'], places);
	return rows.reduce<number>(
		(sum, value) => sum + (typeof value === 'number' || value === null ? 4 : value.length),
		0,
	);
}

function nodeRow(node: RolloutNode, numberOf: (text: string) => number): SqlValue[] {
	const { joints } = node;
	return [
		node.turn,
		node.parent?.node ?? null,
		node.parent?.joint ?? null,
		node.envStep,
		node.rewardMean,
		node.returnMean,
		node.ended,
		node.zeroVariance ? 1 : 0,
		packList(joints.map((joint) => joint.reward)),
		packList(joints.map((joint) => joint.return)),
		packList(joints.map((joint) => jointAdvantage(node, joint.picks))),
		packList(joints.map((joint) => joint.child)),
		packContent(node.agents, joints, numberOf),
	];
}

/** Mean over the agents' completions of a joint completion; null if one was not trained on. */
function jointAdvantage(node: RolloutNode, picks: readonly number[]): number | null {
	let sum = 0;
	for (const [agent, pick] of picks.entries()) {
		const advantage = node.agents[agent]?.completions[pick]?.advantage ?? null;
		if (advantage === null) return null;
		sum += advantage;
	}
	return picks.length === 0 ? null : sum / picks.length;
}

function insertTree(
	connection: Connection,
	run: number,
	tree: RolloutTree,
	firstNode: number,
	title: number,
): number {
	const { nodes } = tree;
	const rewards = nodes.flatMap((node) => node.joints.map((joint) => joint.reward));
	const known = rewards.filter((reward) => reward !== null);
	const share = nodes.filter((node) => node.zeroVariance).length / Math.max(1, nodes.length);
	const row: SqlValue[] = [
		run,
		tree.purpose,
		tree.step,
		tree.itemIndex,
		tree.itemId,
		title,
		tree.epoch,
		nodes.reduce((most, node) => Math.max(most, node.envStep), 0),
		tree.jointMode,
		firstNode,
		nodes.length,
		rewards.length,
		packList(rewardByTurn(nodes)),
		extreme(known, Math.max),
		extreme(known, Math.min),
		share,
	];
	const { lastInsertRowid } = connection
		.prepare<SqlValue[], never>(
			'INSERT INTO trees (run, purpose, step, item_index, item_id, title, epoch, env_step, joint_mode, first_node, nodes, joints, reward_by_turn, best_reward, worst_reward, zero_variance_share) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
		)
		.run(...row);
	return Number(lastInsertRowid);
}

/** Null for none. Pair by pair: a tree may have more joint completions than a call has arguments. */
function extreme(values: readonly number[], pick: (a: number, b: number) => number): number | null {
	let found: number | null = null;
	for (const value of values) found = found === null ? value : pick(found, value);
	return found;
}

/** By turn from 1: mean over the nodes of their mean reward; null where none was scored. */
function rewardByTurn(nodes: readonly RolloutNode[]): (number | null)[] {
	const turns = nodes.reduce((most, node) => Math.max(most, node.turn), 0);
	return Array.from({ length: turns }, (_, index) => {
		const own = nodes
			.filter((node) => node.turn === index + 1)
			.map((node) => node.rewardMean)
			.filter((mean) => mean !== null);
		return own.length === 0 ? null : own.reduce((sum, mean) => sum + mean, 0) / own.length;
	});
}
