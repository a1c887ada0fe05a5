/** Metrics per agent over the trees of a step: what was written, and what was learnt from it. */
import type { MetricValue } from '../contract/events.ts';
import type { FinishReason, RolloutTree } from '../contract/tree.ts';
import { element } from './element.ts';
import type { KlTotals } from './reference-kl.ts';
import { extremes, isKnown, mean, populationStd } from './statistics.ts';
import type { AgentCounters } from './trainer-state.ts';

/** Lengths are those of the sampled ids, end token included, whatever the loss later masks. */
export function completionMetrics(
	trees: readonly RolloutTree[],
	agentNames: readonly string[],
): MetricValue[] {
	return agentNames.flatMap((name, agent) => {
		const turns = trees.flatMap((tree) => tree.nodes.map((node) => element(node.agents, agent)));
		const completions = turns.flatMap((turn) => turn.completions);
		if (completions.length === 0) return [];
		const lengths = completions.map(({ tokenIds }) => tokenIds.length);
		const finished = (reason: FinishReason) =>
			completions.filter(({ finishReason }) => finishReason === reason).length / completions.length;
		const logProbs = completions.flatMap((completion) => completion.logProbs);
		const advantages = completions.map(({ advantage }) => advantage).filter(isKnown);
		return named(name, {
			completion_length_mean: mean(lengths),
			completion_length_min: extremes(lengths).low,
			completion_length_max: extremes(lengths).high,
			finish_eos: finished('eos'),
			finish_length: finished('length'),
			finish_stop: finished('stop'),
			prompts_cut: turns.filter(({ promptTokensCut }) => promptTokensCut > 0).length / turns.length,
			entropy: logProbs.length === 0 ? null : -mean(logProbs),
			advantage_std: advantages.length === 0 ? null : populationStd(advantages),
		});
	});
}

/** What an agent's last update of the step reported. */
export interface LastUpdate {
	loss: number;
	gradNorm: number;
	learningRate: number;
}

export function learningMetrics(
	agentNames: readonly string[],
	counters: readonly AgentCounters[],
	lastUpdates: readonly (LastUpdate | null)[],
): MetricValue[] {
	return agentNames.flatMap((name, agent) => {
		const last = lastUpdates[agent] ?? null;
		const { updates, skipped } = element(counters, agent);
		return named(name, {
			loss: last?.loss ?? null,
			grad_norm: last?.gradNorm ?? null,
			learning_rate: last?.learningRate ?? null,
			updates,
			updates_skipped: skipped,
		});
	});
}

export function klMetrics(
	agentNames: readonly string[],
	totals: readonly KlTotals[],
): MetricValue[] {
	return agentNames.flatMap((name, agent) => {
		const { sum, tokens, clipped } = element(totals, agent);
		if (tokens === 0) return [];
		return named(name, { kl_to_start: sum / tokens, kl_clipped: clipped / tokens });
	});
}

function named(name: string, values: Record<string, number | null>): MetricValue[] {
	return Object.entries(values).flatMap(([key, value]) =>
		value === null ? [] : [{ key: `${name}/${key}`, value }],
	);
}
