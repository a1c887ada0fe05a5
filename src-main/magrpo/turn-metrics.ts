/** Metrics per turn over the trees of a step; every key is explained in `contract/metrics.ts`. */
import type { MetricValue } from '../contract/events.ts';
import type { JointCompletion, RolloutNode, RolloutTree } from '../contract/tree.ts';
import { isKnown, mean, meanOfKnown, populationStd, quantile } from './statistics.ts';

export function turnMetrics(trees: readonly RolloutTree[], numTurns: number): MetricValue[] {
	const nodes = trees.flatMap((tree) => tree.nodes);
	const values: MetricValue[] = [];
	for (let turn = 1; turn <= numTurns; turn++) {
		const own = nodes.filter((node) => node.turn === turn);
		if (own.length === 0) continue;
		const add = (name: string, value: number) =>
			values.push({ key: `turn_${turn}/${name}`, value });
		addRewards(own, add);
		const leafMean = rewardLeafMean(nodes, turn);
		if (leafMean !== null) add('reward_leaf_mean', leafMean);
		add('nodes', own.length);
		add(
			'zero_variance',
			shareOf(own, (node) => node.zeroVariance),
		);
		if (turn < numTurns)
			add(
				'ended_early',
				shareOf(own, (node) => node.ended !== null),
			);
		addNamed(own, 'reward_part', (joint) => joint.rewardParts, add);
		addNamed(own, 'task', (joint) => joint.taskMetrics, add);
	}
	return values;
}

type Add = (name: string, value: number) => void;

function addRewards(nodes: readonly RolloutNode[], add: Add): void {
	const joints = nodes.flatMap((node) => node.joints);
	add('reward_errors', joints.filter((joint) => joint.rewardError !== null).length);
	const rewardMeans = nodes.map((node) => node.rewardMean).filter(isKnown);
	const returnMeans = nodes.map((node) => node.returnMean).filter(isKnown);
	if (rewardMeans.length > 0) add('reward_mean', mean(rewardMeans));
	if (returnMeans.length > 0) add('expected_return', mean(returnMeans));
	const rewards = joints.map((joint) => joint.reward).filter(isKnown);
	if (rewards.length === 0) return;
	const ascending = rewards.toSorted((a, b) => a - b);
	add('reward_std', populationStd(rewards));
	add('reward_min', quantile(ascending, 0));
	add('reward_q25', quantile(ascending, 0.25));
	add('reward_median', quantile(ascending, 0.5));
	add('reward_q75', quantile(ascending, 0.75));
	add('reward_max', quantile(ascending, 1));
}

/**
 * Mean reward at a turn as if every branch had gone on to it: a joint completion after which nothing came
 * (early end) at turn t stands for the J^(turn − t) that would have followed, with its own reward. Without this, easy examples
 * leave the later turns and pull their mean down.
 */
function rewardLeafMean(nodes: readonly RolloutNode[], turn: number): number | null {
	let sum = 0;
	let weight = 0;
	for (const node of nodes) {
		if (node.turn > turn) continue;
		const standsFor = node.joints.length ** (turn - node.turn);
		for (const joint of node.joints) {
			const counts =
				node.turn === turn || (joint.child === null && joint.feedbackError === undefined);
			if (!counts || joint.reward === null) continue;
			sum += standsFor * joint.reward;
			weight += standsFor;
		}
	}
	return weight === 0 ? null : sum / weight;
}

function addNamed(
	nodes: readonly RolloutNode[],
	prefix: string,
	of: (joint: JointCompletion) => Readonly<Record<string, number>>,
	add: Add,
): void {
	const byName = new Map<string, number[]>();
	for (const joint of nodes.flatMap((node) => node.joints)) {
		for (const [name, value] of Object.entries(of(joint))) {
			const values = byName.get(name);
			if (values === undefined) byName.set(name, [value]);
			else values.push(value);
		}
	}
	for (const [name, values] of byName) add(`${prefix}/${name}`, mean(values));
}

function shareOf<T>(items: readonly T[], holds: (item: T) => boolean): number {
	return items.filter(holds).length / items.length;
}

/** What the last turn gained over the first; nothing for single-turn runs or where every tree ended at once. */
export function rewardGain(values: readonly MetricValue[], numTurns: number): MetricValue[] {
	const at = (turn: number) => values.find(({ key }) => key === `turn_${turn}/reward_mean`)?.value;
	const [first, last] = [at(1), at(numTurns)];
	if (numTurns === 1 || first === undefined || last === undefined) return [];
	return [{ key: 'reward_gain', value: last - first }];
}

/** Reference KL per turn, and what it costs the returns. */
export function turnKlMetrics(trees: readonly RolloutTree[], coefficient: number): MetricValue[] {
	const nodes = trees.flatMap((tree) => tree.nodes);
	const byTurn = Map.groupBy(nodes, ({ turn }) => turn);
	return [...byTurn].flatMap(([turn, own]) => {
		const turns = own.flatMap(({ agents }) => agents);
		const completions = turns.flatMap((of) => of.completions);
		const kl = meanOfKnown(completions.map(({ referenceKl }) => referenceKl));
		if (kl === null) return [];
		return [
			{ key: `turn_${turn}/reference_kl_mean`, value: kl },
			{ key: `turn_${turn}/reference_kl_penalty_mean`, value: coefficient * kl },
		];
	});
}
