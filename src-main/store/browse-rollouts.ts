/** Search without words: joint completions by reward or age, with the same filters. */
import { Random } from '../contract/random.ts';
import type { Connection } from './connection.ts';
import { unpackContent } from './node-content.ts';
import { unpackList } from './number-list.ts';
import { type Candidate, Candidates, placeFilter, type SearchParams } from './search-places.ts';
import type { Gathered } from './search.ts';

interface TreePlace {
	tree: number;
	first_node: number;
	nodes: number;
	best_reward: number | null;
	worst_reward: number | null;
	joint_mode: 'aligned' | 'cross';
	step: number;
	item_index: number;
	purpose: 'train' | 'eval';
	run: number;
	run_id: string;
	run_name: string;
}

const orders = {
	relevance: 't.tree DESC',
	newest: 't.tree DESC',
	random: 't.tree DESC',
	best: 't.best_reward DESC NULLS LAST, t.tree DESC',
	worst: 't.worst_reward ASC NULLS LAST, t.tree DESC',
} as const;

/** One candidate per joint completion, shown by the text of the agent asked for (else the first). Within a read. */
export function browse(connection: Connection, params: SearchParams, deadline: number): Gathered {
	const filter = placeFilter({ ...params, turn: undefined });
	let trees = connection
		.prepare<string[], TreePlace>(
			`SELECT t.tree, t.first_node, t.nodes, t.best_reward, t.worst_reward, t.joint_mode, t.step, t.item_index, t.purpose, r.run, r.run_id, r.name AS run_name
			FROM trees t CROSS JOIN runs r ON r.run = t.run WHERE ${filter.sql} ORDER BY ${orders[params.order]}`,
		)
		.all(...filter.values);
	if (params.order === 'random') trees = Random.from('browse').shuffled(trees);
	const candidates = new Candidates(connection, params);
	const found: Candidate[] = [];
	const enough = params.offset + params.limit;
	for (const [index, tree] of trees.entries()) {
		found.push(...jointsOf(connection, candidates, params, tree));
		const isEnough = found.length >= enough && isSettled(found, enough, params, trees[index + 1]);
		if (isEnough || performance.now() > deadline) {
			return { found, isComplete: index === trees.length - 1 };
		}
	}
	return { found, isComplete: true };
}

/** Whether no later tree can change the first `enough`. */
function isSettled(
	found: Candidate[],
	enough: number,
	{ order }: SearchParams,
	next: TreePlace | undefined,
): boolean {
	if (next === undefined) return true;
	if (order === 'best') {
		found.sort((a, b) => (b.hit.reward ?? -Infinity) - (a.hit.reward ?? -Infinity));
		return (found[enough - 1]?.hit.reward ?? -Infinity) >= (next.best_reward ?? -Infinity);
	}
	if (order === 'worst') {
		found.sort((a, b) => (a.hit.reward ?? Infinity) - (b.hit.reward ?? Infinity));
		return (found[enough - 1]?.hit.reward ?? Infinity) <= (next.worst_reward ?? Infinity);
	}
	return true;
}

function jointsOf(
	connection: Connection,
	candidates: Candidates,
	{ turn, agent = 0, minReward = -Infinity, maxReward = Infinity }: SearchParams,
	tree: TreePlace,
): Candidate[] {
	const nodes = connection
		.prepare<[number, number], { id: number; turn: number; rewards: string; content: Buffer }>(
			'SELECT id, turn, rewards, content FROM nodes WHERE id >= ? AND id < ?',
		)
		.all(tree.first_node, tree.first_node + tree.nodes);
	const found: Candidate[] = [];
	for (const node of nodes) {
		if (turn !== undefined && node.turn !== turn) continue;
		const rewards = unpackList(node.rewards);
		const hasAny = rewards.some(
			(reward) => reward !== null && reward >= minReward && reward <= maxReward,
		);
		if (!hasAny && (minReward !== -Infinity || maxReward !== Infinity)) continue;
		const numbers = textNumbers(node.content);
		for (const [joint, picks] of numbers.picks.entries()) {
			const reward = rewards[joint] ?? null;
			const isIn =
				reward === null
					? minReward === -Infinity && maxReward === Infinity
					: reward >= minReward && reward <= maxReward;
			const text = numbers.completions[agent]?.[picks[agent] ?? -1];
			if (!isIn || text === undefined) continue;
			found.push({
				hit: {
					runId: tree.run_id,
					runName: tree.run_name,
					step: tree.step,
					itemIndex: tree.item_index,
					purpose: tree.purpose,
					node: node.id - tree.first_node,
					turn: node.turn,
					joint,
					agent,
					agentName: candidates.agentNames(tree.run)[agent] ?? `agent_${agent + 1}`,
					reward,
				},
				text,
				nodeId: node.id,
			});
		}
	}
	return found;
}

/** Numbers of the completions' texts by agent, and the picks of each joint completion. */
function textNumbers(content: Buffer): {
	completions: number[][];
	picks: (readonly number[])[];
} {
	const { agents, joints } = unpackContent(content, String);
	return {
		completions: agents.map((agent) =>
			agent.completions.map((completion) => Number(completion.text)),
		),
		picks: joints.map((joint) => joint.picks),
	};
}
