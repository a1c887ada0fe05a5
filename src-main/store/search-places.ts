/** From a text to the places where it is used, with what a hit and its filters need. */
import type { RequestParams, SearchHit } from '../contract/requests.ts';
import type { Connection } from './connection.ts';
import { unpackContent } from './node-content.ts';
import { unpackList } from './number-list.ts';
import { placeOf } from './text-places.ts';
import { agentsOf } from './tree-queries.ts';

export type SearchParams = RequestParams<'rollouts.search'>;

export interface PlaceRow {
	text: number;
	node: number;
	slot: number;
	turn: number;
	rewards: string;
	first_node: number;
	joint_mode: 'aligned' | 'cross';
	step: number;
	item_index: number;
	purpose: 'train' | 'eval';
	run: number;
	run_id: string;
	run_name: string;
}

/** A hit before its text is read. */
export interface Candidate {
	hit: Omit<SearchHit, 'excerpt' | 'marks'>;
	text: number;
	nodeId: number;
}

export const placeColumns = `p.text, p.node, p.slot, n.turn, n.rewards, t.first_node, t.joint_mode, t.step, t.item_index,
	t.purpose, r.run, r.run_id, r.name AS run_name`;

/** CROSS JOIN fixes the order: from the text to its places, one look-up each. */
export const placeJoins = `CROSS JOIN nodes n ON n.id = p.node
	CROSS JOIN trees t ON t.tree = n.tree
	CROSS JOIN runs r ON r.run = t.run`;

/** Conditions for the filters that SQL can decide. Runs in the trash are left out unless asked for by id. */
export function placeFilter({ runIds, turn }: SearchParams): { sql: string; values: string[] } {
	const byTurn = turn === undefined ? '' : ` AND n.turn = ${turn}`;
	if (runIds === undefined) return { sql: `r.deleted_ms IS NULL${byTurn}`, values: [] };
	return {
		sql: `r.run_id IN (SELECT value FROM json_each(?))${byTurn}`,
		values: [JSON.stringify(runIds)],
	};
}

/** Turns places into candidates; those that a filter refuses become null. */
export class Candidates {
	readonly #connection: Connection;
	readonly #params: SearchParams;
	readonly #agents = new Map<number, string[]>();

	constructor(connection: Connection, params: SearchParams) {
		this.#connection = connection;
		this.#params = params;
	}

	of(row: PlaceRow): Candidate | null {
		const place = placeOf(row.slot);
		if (place.kind !== 'prompt' && place.kind !== 'completion') return null;
		const { agent, minReward, maxReward } = this.#params;
		if (agent !== undefined && place.agent !== agent) return null;
		const scored =
			place.kind === 'prompt'
				? { joint: null, reward: null }
				: this.#jointOf(row, place.agent, place.completion);
		const asksForReward = minReward !== undefined || maxReward !== undefined;
		if (asksForReward && !this.#isInRange(scored.reward)) return null;
		return {
			hit: {
				runId: row.run_id,
				runName: row.run_name,
				step: row.step,
				itemIndex: row.item_index,
				purpose: row.purpose,
				node: row.node - row.first_node,
				turn: row.turn,
				agent: place.agent,
				agentName: this.agentNames(row.run)[place.agent] ?? `agent_${place.agent + 1}`,
				...scored,
			},
			text: row.text,
			nodeId: row.node,
		};
	}

	#isInRange(reward: number | null): boolean {
		const { minReward = -Infinity, maxReward = Infinity } = this.#params;
		return reward !== null && reward >= minReward && reward <= maxReward;
	}

	/** The joint completion that a completion is part of; of several (cross) the one with the highest reward within the filter. */
	#jointOf(
		row: PlaceRow,
		agent: number,
		completion: number,
	): { joint: number | null; reward: number | null } {
		const rewards = unpackList(row.rewards);
		if (row.joint_mode === 'aligned') {
			return { joint: completion, reward: rewards[completion] ?? null };
		}
		let best: { joint: number | null; reward: number | null } = { joint: null, reward: null };
		for (const [joint, picks] of this.#picksOf(row.node).entries()) {
			if (picks[agent] !== completion) continue;
			const reward = rewards[joint] ?? null;
			const isBetter =
				best.joint === null ||
				(this.#isInRange(reward) &&
					(!this.#isInRange(best.reward) || (reward ?? -Infinity) > (best.reward ?? -Infinity)));
			if (isBetter) best = { joint, reward };
		}
		return best;
	}

	#picksOf(node: number): (readonly number[])[] {
		const row = this.#connection
			.prepare<[number], { content: Buffer }>('SELECT content FROM nodes WHERE id = ?')
			.get(node);
		if (row === undefined) return [];
		return unpackContent(row.content, () => '').joints.map((joint) => joint.picks);
	}

	agentNames(run: number): string[] {
		let names = this.#agents.get(run);
		if (names === undefined) {
			names = agentsOf(this.#connection, run).map((agent) => agent.name);
			this.#agents.set(run, names);
		}
		return names;
	}
}
