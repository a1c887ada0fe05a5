/** The optimizer steps of one training step: agents side by side, each agent's batches in order. */
import type { ResolvedAgent, RunConfig } from '../contract/config.ts';
import type { TrainingEvent } from '../contract/events.ts';
import type { Policy, TrainSequence } from '../policy/policy.ts';
import type { LastUpdate } from './agent-metrics.ts';
import { element } from './element.ts';
import { learningRateAt } from './learning-rate.ts';
import type { NodeSample } from './node-samples.ts';
import type { Profile } from './profile.ts';
import { stopwatch } from './stopwatch.ts';
import { trainSequences } from './train-sequences.ts';
import type { AgentCounters } from './trainer-state.ts';

export interface UpdateFacts {
	policies: readonly Policy[];
	agents: readonly ResolvedAgent[];
	config: RunConfig;
	profile: Profile;
	step: number;
	/** Share of the run's steps done before this one. */
	progress: number;
	clock: () => number;
}

export interface Learning {
	counters: AgentCounters[];
	/** Null where an agent was not updated in this step. */
	lastUpdates: (LastUpdate | null)[];
	tokens: number;
	seconds: number;
	/** Index of an agent whose updates stayed non-finite for too long. */
	diverged: number | null;
}

export async function* applyUpdates(
	batches: readonly (readonly NodeSample[])[],
	before: readonly AgentCounters[],
	facts: UpdateFacts,
): AsyncGenerator<TrainingEvent, Learning> {
	const { step, config } = facts;
	const watch = stopwatch(facts.clock);
	const counters = [...before];
	const lastUpdates: (LastUpdate | null)[] = counters.map(() => null);
	let tokens = 0;
	for (const [done, batch] of batches.entries()) {
		yield {
			kind: 'phase',
			phase: 'updating',
			step,
			detail: `update ${done + 1} of ${batches.length}`,
			done,
			total: batches.length,
		};
		const outcomes = await watch.time(() =>
			Promise.all(counters.map((own, agent) => updateAgent(agent, batch, own, facts))),
		);
		for (const [agent, outcome] of outcomes.entries()) {
			if (outcome.counters.badInRow > element(counters, agent).badInRow) {
				yield badUpdate(element(facts.agents, agent).name, outcome, step);
			}
			counters[agent] = outcome.counters;
			lastUpdates[agent] = outcome.last ?? lastUpdates[agent] ?? null;
			tokens += outcome.tokens;
		}
		const diverged = counters.findIndex(({ badInRow }) => badInRow >= config.max_bad_updates);
		if (diverged !== -1) {
			return { counters, lastUpdates, tokens, seconds: watch.seconds(), diverged };
		}
	}
	return { counters, lastUpdates, tokens, seconds: watch.seconds(), diverged: null };
}

interface Outcome {
	counters: AgentCounters;
	last: LastUpdate | null;
	tokens: number;
}

async function updateAgent(
	agent: number,
	batch: readonly NodeSample[],
	counters: AgentCounters,
	{ policies, agents, config, profile, progress }: UpdateFacts,
): Promise<Outcome> {
	const { frozen, learningRate: base } = element(agents, agent);
	if (frozen) return { counters, last: null, tokens: 0 };
	const policy = element(policies, agent);
	const sequences = sequencesToLearn(batch, agent, policy, profile);
	if (sequences.length === 0) {
		return { counters: { ...counters, skipped: counters.skipped + 1 }, last: null, tokens: 0 };
	}
	const schedule = { schedule: config.lr_schedule, warmupSteps: config.warmup_steps };
	const learningRate = learningRateAt(base, schedule, counters.updates, progress);
	const result = await policy.update(sequences, {
		learningRate,
		weightDecay: config.weight_decay,
		beta1: config.adam_beta1,
		beta2: config.adam_beta2,
		epsilon: config.adam_epsilon,
		maxGradNorm: config.max_grad_norm,
		microBatchTokens: config.micro_batch_tokens,
	});
	const { updates, skipped, badInRow } = counters;
	return {
		counters: result.applied
			? { updates: updates + 1, skipped, badInRow: 0 }
			: { updates, skipped: skipped + 1, badInRow: badInRow + 1 },
		last: { loss: result.loss, gradNorm: result.gradNorm, learningRate },
		tokens: result.tokens,
	};
}

/** Completions without advantage change nothing and are left out, except where the reference steps anyway. */
function sequencesToLearn(
	batch: readonly NodeSample[],
	agent: number,
	policy: Policy,
	profile: Profile,
): TrainSequence[] {
	const sequences = trainSequences(batch, agent, {
		scoring: profile.scoring,
		padTokenId: policy.info.padTokenId,
		eosTokenIds: policy.info.eosTokenIds,
	});
	if (profile.stepsWithoutSignal) return sequences;
	return sequences.filter(({ coefficient }) => coefficient !== 0);
}

function badUpdate(agent: string, { last, counters }: Outcome, step: number): TrainingEvent {
	const text = `${agent}: update skipped, its loss is ${last?.loss} and its gradient norm ${last?.gradNorm} (${counters.badInRow} in a row)`;
	return { kind: 'log', level: 'warning', source: 'model', text, step };
}
