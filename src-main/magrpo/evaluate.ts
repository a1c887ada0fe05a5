/**
 * Evaluation (magrpo.md 4): one path per example, one completion per agent and turn, nothing learnt.
 * By default branches end early as in training; compat goes through all turns.
 */
import type { RunConfig } from '../contract/config.ts';
import type { MetricValue, TrainingEvent } from '../contract/events.ts';
import { Random } from '../contract/random.ts';
import type { RolloutTree } from '../contract/tree.ts';
import type { TaskItem, TurnContext } from '../tasks/task.ts';
import { type GrowSettings } from './grow-settings.ts';
import { growTrees } from './grow-trees.ts';
import type { Profile } from './profile.ts';
import { withReturns } from './returns.ts';
import { isKnown, mean } from './statistics.ts';

export interface Evaluation {
	trees: RolloutTree[];
	metrics: MetricValue[];
}

/** The examples of every evaluation of a run: always the same ones. */
export function evaluationItems(
	items: readonly TaskItem[],
	config: RunConfig,
	choice: Profile['evaluation']['examples'],
): TaskItem[] {
	// The reference evaluates one example where none is asked for.
	if (choice === 'first') return items.slice(0, Math.max(1, config.eval_num_samples));
	if (items.length <= config.eval_num_samples) return [...items];
	const chosen = Random.from(config.seed, 'evaluation items').shuffled(items);
	return chosen.slice(0, config.eval_num_samples).sort((a, b) => a.index - b.index);
}

/** Null if the signal was given. `envStep` does not advance: evaluation is not training. */
export async function* evaluate(
	items: readonly TaskItem[],
	envStep: number,
	training: GrowSettings,
	config: RunConfig,
	profile: Profile,
): AsyncGenerator<TrainingEvent, Evaluation | null> {
	const settings: GrowSettings = {
		...training,
		purpose: 'eval',
		samples: 1,
		jointMode: 'aligned',
		threshold: profile.evaluation.stopsEarly ? config.early_termination_threshold : null,
		sampling: training.sampling.map((own) =>
			config.eval_greedy ? { ...own, temperature: 0 } : own,
		),
	};
	const grown = yield* growTrees(items, envStep, settings);
	if (grown === null) return null;
	const trees = grown.trees.map((tree) => atEnvStep(withReturns(tree, 1, 'mean'), envStep));
	const byTask =
		trees.length === 0 ? {} : await training.task.evaluate(endsOf(trees, items, settings));
	const metrics = [
		...pathMetrics(trees, config.num_turns),
		...Object.entries(byTask).map(([name, value]) => ({ key: `eval/${name}`, value })),
	];
	return { trees, metrics };
}

function atEnvStep(tree: RolloutTree, envStep: number): RolloutTree {
	return { ...tree, nodes: tree.nodes.map((node) => ({ ...node, envStep })) };
}

/** Rewards of a path are those of its nodes; its return at a turn is the undiscounted sum from there on. */
function pathMetrics(trees: readonly RolloutTree[], numTurns: number): MetricValue[] {
	const values: MetricValue[] = [];
	for (let turn = 1; turn <= numTurns; turn++) {
		const add = (name: string, numbers: readonly (number | null)[]) => {
			const known = numbers.filter(isKnown);
			if (known.length > 0) values.push({ key: `eval/turn_${turn}/${name}`, value: mean(known) });
		};
		const nodes = trees.flatMap((tree) => tree.nodes.filter((node) => node.turn === turn));
		add(
			'reward_mean',
			nodes.map((node) => node.rewardMean),
		);
		add(
			'expected_return',
			nodes.map((node) => node.returnMean),
		);
		const reached = trees.map((tree) => tree.nodes.findLast((node) => node.turn <= turn));
		add(
			'reward_leaf_mean',
			reached.map((node) => node?.rewardMean ?? null),
		);
	}
	return values;
}

/** What the task's own evaluation sees: the last node of every path, with the whole history. */
function endsOf(
	trees: readonly RolloutTree[],
	items: readonly TaskItem[],
	settings: GrowSettings,
): TurnContext[] {
	return trees.flatMap((tree) => {
		const item = items.find(({ index }) => index === tree.itemIndex);
		const last = tree.nodes.at(-1);
		if (item === undefined || last === undefined) return [];
		const history = (text: (agent: number, node: RolloutTree['nodes'][number]) => string) =>
			last.agents.map((_, agent) => tree.nodes.map((node) => text(agent, node)));
		return [
			{
				item,
				turn: last.turn,
				numTurns: settings.numTurns,
				completions: last.agents.flatMap(({ completions }) =>
					completions.map(({ text, tokenIds, finishReason }) => ({
						text,
						tokenCount: tokenIds.length,
						finishReason,
					})),
				),
				promptHistory: history((agent, node) => node.agents[agent]?.prompt ?? ''),
				responseHistory: history((agent, node) => node.agents[agent]?.completions[0]?.text ?? ''),
				joint: 0,
				step: settings.step,
				purpose: 'eval',
			},
		];
	});
}
