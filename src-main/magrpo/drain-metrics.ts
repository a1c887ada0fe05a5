/** Turn metrics as the reference logs them: one entry per drained turn group, at the group's own env step. */
import { element } from './element.ts';
import type { NodeSample } from './node-samples.ts';
import { extremes, mean } from './statistics.ts';
import type { LogEntry } from './throttle.ts';

/**
 * The reference writes each entry once per agent at the same env step; all values but the KL are equal.
 * Without a throttle the last write stays, else the first, which `agent` picks.
 */
export function drainEntry(
	group: readonly NodeSample[],
	agent: number,
	klCoefficient: number,
): LogEntry {
	const prefix = `turn_${element(group, 0).turn}`;
	const values = [
		{ key: `${prefix}/reward_mean`, value: mean(group.map(({ rewardMean }) => rewardMean)) },
		{ key: `${prefix}/expected_return`, value: mean(group.map(({ returnMean }) => returnMean)) },
	];
	const kls = group.flatMap((sample) => element(sample.agents, agent).referenceKls);
	if (kls.length > 0) {
		values.push(
			{ key: `${prefix}/reference_kl_mean`, value: mean(kls) },
			{ key: `${prefix}/reference_kl_penalty_mean`, value: klCoefficient * mean(kls) },
		);
	}
	return { envStep: extremes(group.map(({ envStep }) => envStep)).high, values };
}
