/** All metrics of one training step, thinned out as `logging_steps` says. */
import type { RunConfig } from '../contract/config.ts';
import type { MetricValue } from '../contract/events.ts';
import type { RolloutTree } from '../contract/tree.ts';
import { completionMetrics, klMetrics, learningMetrics } from './agent-metrics.ts';
import type { Learning } from './apply-updates.ts';
import { drainEntry } from './drain-metrics.ts';
import { type EpochSums, epochMetrics } from './epoch-means.ts';
import type { Growth } from './grow-trees.ts';
import type { NodeSample } from './node-samples.ts';
import type { Profile } from './profile.ts';
import type { KlTotals } from './reference-kl.ts';
import { throttleByKey, throttleShared, type ThrottleState } from './throttle.ts';
import { rewardGain, turnKlMetrics, turnMetrics } from './turn-metrics.ts';

export interface StepFacts {
	config: RunConfig;
	profile: Profile;
	agentNames: readonly string[];
	/** Complete, with returns and advantages. */
	trees: readonly RolloutTree[];
	grown: Growth;
	/** Null where the run keeps no reference. */
	kl: readonly KlTotals[] | null;
	/** Groups of node samples that were trained on together. */
	groups: readonly (readonly NodeSample[])[];
	learning: Learning;
	promptsSkipped: number;
	/** Set when this step ended an epoch. */
	finishedEpoch: EpochSums | null;
	throttle: ThrottleState;
	seconds: number;
}

export function stepMetrics(facts: StepFacts): { metrics: MetricValue[]; throttle: ThrottleState } {
	const { config, profile, trees, agentNames, learning, kl } = facts;
	const turns = turnMetrics(trees, config.num_turns);
	const gain = rewardGain(turns, config.num_turns);
	const klOfTurns = kl === null ? [] : turnKlMetrics(trees, config.reference_kl_coef);
	const own = [
		...[...turns, ...klOfTurns].filter(({ key }) => !isDrainKey(key, profile)),
		...gain,
		...completionMetrics(trees, agentNames),
		...learningMetrics(agentNames, learning.counters, learning.lastUpdates),
		...(kl === null ? [] : klMetrics(agentNames, kl)),
		...speedMetrics(facts),
		{ key: 'prompts_skipped', value: facts.promptsSkipped },
	];
	const envStep = facts.grown.envStep;
	const thinned = throttleByKey(own, envStep, config.logging_steps, facts.throttle);
	const drained = throttleShared(drainEntries(facts), config.logging_steps, thinned.state);
	return {
		metrics: [
			...drained.kept,
			...thinned.kept,
			...(facts.finishedEpoch === null ? [] : epochMetrics(facts.finishedEpoch)),
		],
		throttle: drained.state,
	};
}

const drainKeys = /^turn_[0-9]+\/(reward_mean|expected_return|reference_kl_(penalty_)?mean)$/;

/** The keys that the reference logs per drained group. */
function isDrainKey(key: string, profile: Profile): boolean {
	return profile.turnMetrics === 'drain' && drainKeys.test(key);
}

function drainEntries({ profile, groups, config, agentNames }: StepFacts) {
	if (profile.turnMetrics !== 'drain') return [];
	const agent = config.logging_steps > 1 ? 0 : agentNames.length - 1;
	return groups.map((group) => drainEntry(group, agent, config.reference_kl_coef));
}

function speedMetrics({ trees, grown, learning, seconds }: StepFacts): MetricValue[] {
	const values = [
		{ key: 'time/generate', value: grown.generateSeconds },
		{ key: 'time/reward', value: grown.rewardSeconds },
		{ key: 'time/update', value: learning.seconds },
		{ key: 'time/step', value: seconds },
	];
	const sampled = trees
		.flatMap((tree) => tree.nodes.flatMap((node) => node.agents))
		.flatMap((turn) => turn.completions)
		.reduce((sum, { tokenIds }) => sum + tokenIds.length, 0);
	if (sampled > 0 && grown.generateSeconds > 0) {
		values.push({
			key: 'speed/generate_tokens_per_second',
			value: sampled / grown.generateSeconds,
		});
	}
	if (learning.tokens > 0 && learning.seconds > 0) {
		values.push({
			key: 'speed/train_tokens_per_second',
			value: learning.tokens / learning.seconds,
		});
	}
	return values;
}
