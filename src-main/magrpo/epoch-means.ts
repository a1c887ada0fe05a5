/** Means over all nodes of a finished epoch, kept as running sums so that a resumed run gives the same. */
import type { MetricValue } from '../contract/events.ts';
import type { RolloutTree } from '../contract/tree.ts';

interface TurnSums {
	nodes: number;
	reward: number;
	return: number;
}

export interface EpochSums {
	/** Examples rolled out in this epoch. */
	rolledOut: number;
	/** Entry t belongs to turn t + 1. */
	turns: readonly TurnSums[];
}

export const noEpochSums: EpochSums = { rolledOut: 0, turns: [] };

export function addToEpoch(sums: EpochSums, trees: readonly RolloutTree[]): EpochSums {
	const turns = sums.turns.map((turn) => ({ ...turn }));
	for (const node of trees.flatMap((tree) => tree.nodes)) {
		if (node.rewardMean === null || node.returnMean === null) continue;
		while (turns.length < node.turn) turns.push({ nodes: 0, reward: 0, return: 0 });
		const turn = turns[node.turn - 1];
		if (turn === undefined) continue;
		turn.nodes++;
		turn.reward += node.rewardMean;
		turn.return += node.returnMean;
	}
	return { rolledOut: sums.rolledOut + trees.length, turns };
}

export function epochMetrics(sums: EpochSums): MetricValue[] {
	return sums.turns.flatMap((turn, index) =>
		turn.nodes === 0
			? []
			: [
					{ key: `turn_${index + 1}/epoch_reward_mean`, value: turn.reward / turn.nodes },
					{ key: `turn_${index + 1}/epoch_avg_return`, value: turn.return / turn.nodes },
				],
	);
}
