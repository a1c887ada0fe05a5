/** What a configuration will cost, said before anything starts. */
import type { RunConfig } from '../contract/config.ts';
import type { Estimate } from '../contract/requests.ts';
import { fullTreeSize } from '../contract/tree.ts';

export interface EstimateFacts {
	trainItems: number;
	/** Parameters of each agent's model; null where unknown before a download. */
	parameters: readonly (number | null)[];
	/** A measured speed of this machine for a comparable earlier run. */
	tokensPerSecond?: { value: number; basis: string };
}

/** Steps, full-tree counts (no early end), peak memory (weights × 4 per trained agent in fp32, plus a reference) and time. */
export function estimateRun(config: RunConfig, facts: EstimateFacts): Estimate {
	const tree = fullTreeSize(
		config.num_agents,
		config.num_generations,
		config.num_turns,
		config.joint_mode,
	);
	const perEpoch = Math.ceil(facts.trainItems / config.prompts_per_step);
	const steps = Math.min(perEpoch * config.num_train_epochs, config.max_steps ?? Infinity);
	const trees = Math.min(
		facts.trainItems * config.num_train_epochs,
		steps * config.prompts_per_step,
	);
	const completions = trees * tree.completionsPerAgent * config.num_agents;
	const maxTokens = completions * config.max_new_tokens;
	const known = facts.parameters.filter((count) => count !== null);
	const copies = config.reference_kl_enabled ? 5 : 4;
	const memoryBytes =
		known.length < facts.parameters.length
			? null
			: known.reduce((sum, count) => sum + count * 4 * copies, 0);
	const speed = facts.tokensPerSecond;
	const tokensPerStep = steps === 0 ? 0 : maxTokens / steps;
	return {
		steps,
		trees,
		nodesPerTree: tree.nodes,
		jointsPerTree: tree.joints,
		completions,
		maxTokens,
		memoryBytes,
		secondsPerStep: speed === undefined ? null : tokensPerStep / speed.value,
		basis: speed?.basis ?? '',
	};
}
