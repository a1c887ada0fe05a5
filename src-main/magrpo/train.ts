/**
 * MAGRPO, multi-agent group relative policy optimization, from top to bottom.
 *
 * The trainer is an async generator: it yields events, and whoever consumes them stores, shows or tests them.
 * It holds policies and a task behind their interfaces, is given its clock, and draws from named random
 * streams only. Between two steps it hands out its state (`control.betweenSteps`); from that state, the
 * policies' own training state and the same configuration, a resumed run repeats what would have come.
 *
 * What is said here once for all agents is meant for each: every agent has its own policy, its own
 * completions, and, in cross mode, its own returns.
 */
import type { ResolvedAgent, RunConfig } from '../contract/config.ts';
import type { StepRecord, TrainingEvent } from '../contract/events.ts';
import { Random } from '../contract/random.ts';
import type { Policy } from '../policy/policy.ts';
import type { Task } from '../tasks/task.ts';
import { applyUpdates } from './apply-updates.ts';
import { batchesOf, fillBuffer, groupDrain } from './buffer.ts';
import { batchAt, epochsDone, totalSteps } from './data-order.ts';
import { addToEpoch, noEpochSums } from './epoch-means.ts';
import { evaluate, evaluationItems } from './evaluate.ts';
import { growTrees } from './grow-trees.ts';
import { nodeSamples } from './node-samples.ts';
import { profileOf } from './profile.ts';
import { withReferenceKl } from './reference-kl.ts';
import { withReturns } from './returns.ts';
import { divergence, nothingRolledOut, requireExamples } from './run-failures.ts';
import { growSettings, orderRule } from './run-settings.ts';
import { watchStep } from './run-warnings.ts';
import { stepMetrics } from './step-metrics.ts';
import { withAdvantages } from './tree-advantages.ts';
import { initialState, resumedState, type TrainerState } from './trainer-state.ts';

export interface TrainControl {
	/**
	 * Called with the state before the first step, after every step once its event was consumed, and a last time
	 * (`state.finished`) after the final evaluation. No policy is in use meanwhile, so this is where
	 * the caller saves a checkpoint, waits while the run is paused, or answers 'stop'.
	 */
	betweenSteps(state: TrainerState): Promise<'continue' | 'stop'>;
	/**
	 * When aborted, a step that has not begun to update is dropped, and the run stops at the state last
	 * handed out; a step that has begun to update is finished first.
	 */
	signal: AbortSignal;
}

export interface TrainOptions {
	/** One per agent. */
	policies: readonly Policy[];
	task: Task;
	config: RunConfig;
	/** One per agent. */
	agents: readonly ResolvedAgent[];
	/** Milliseconds since 1970, may be fractional. */
	clock: () => number;
	control: TrainControl;
	/** The state of a checkpoint; the policies have been given theirs already. */
	resume?: TrainerState;
}

/**
 * Yields phase, log, step and evaluation events, at the end 'finished' or 'stopped'. Throws GroveError:
 * 'bad-input' without examples, 'conflict' for a state that does not fit, 'task' where the task fails and
 * the run's policy is to fail, 'diverged' (after the event of the step) when updates stay non-finite.
 */
export async function* train(options: TrainOptions): AsyncGenerator<TrainingEvent> {
	yield yield* trainToTheEnd(options);
}

/** Returns the last event. */
async function* trainToTheEnd(options: TrainOptions): AsyncGenerator<TrainingEvent, TrainingEvent> {
	const { policies, task, config, agents, clock, control } = options;
	requireExamples(task);
	const profile = profileOf(config);
	const rule = orderRule(config, task);
	const evalItems = evaluationItems(task.eval, config, profile.evaluation.examples);
	const evaluates = config.eval_interval > 0 && evalItems.length > 0;
	let state =
		options.resume === undefined
			? initialState(policies.length)
			: resumedState(options.resume, policies.length, task.train.length);
	const total = totalSteps(rule, state.step, state.position);
	// A fork of a finished run may have more to do.
	if (state.step < total) state = { ...state, finished: false };
	const stopped = (): TrainingEvent => ({ kind: 'stopped', step: state.step });

	if ((await control.betweenSteps(state)) === 'stop') return stopped();

	while (state.step < total) {
		const step = state.step + 1;
		const batch = batchAt(rule, state.position);
		const isLast = step === total;

		// Evaluate before every so many batches of an epoch.
		if (evaluates && batch.index % config.eval_interval === 0) {
			if (!(yield* evaluation())) return stopped();
		}
		const startedMs = clock();

		// Grow a tree of rollouts from each example: G completions per agent at every node, joined, rewarded,
		// and each joint completion answered by feedback, which is the next turn's prompt.
		const items = batch.rows.flatMap((row) => task.train[row] ?? []);
		const grown = yield* growTrees(items, state.envStep, growSettings(options, step, batch.epoch));
		if (grown === null) return stopped();

		// Returns: own reward plus the discounted mean return of what followed.
		let trees = grown.trees.map((tree) => withReturns(tree, config.discount, profile.crossCredit));

		// Distance to the model each agent started from, to be subtracted from its returns.
		const kl = config.reference_kl_enabled
			? await withReferenceKl(trees, policies, profile.scoring)
			: null;
		trees = kl?.trees ?? trees;

		// Advantages: returns relative to the group of completions that answered the same prompt.
		trees = trees.map((tree) =>
			withAdvantages(tree, {
				mode: config.advantage_mode,
				normalize: config.advantage_normalization,
				stdFloor: profile.stdFloor,
				klCoefficient: kl === null ? 0 : config.reference_kl_coef,
				frozen: agents.map(({ frozen }) => frozen),
			}),
		);

		// Nodes wait in the buffer until there are enough for an update.
		const { drains, rest } = fillBuffer(
			state.buffer,
			trees.flatMap(nodeSamples),
			config.rollout_buffer_size,
			batch.endsEpoch || isLast,
		);
		const groups = drains.flatMap((drain) => groupDrain(drain, profile.grouping));
		const batches = groups.flatMap((group, index) =>
			batchesOf(group, config.train_batch_size, Random.from(config.seed, 'batches', step, index)),
		);

		// Policy gradient: raise the log-probability of completions by their advantage, one AdamW step per batch.
		const learning = yield* applyUpdates(batches, state.agents, {
			policies,
			agents,
			config,
			profile,
			step,
			progress: state.step / total,
			clock,
		});

		// Record the step, and what the next one needs to know.
		const epochSums = addToEpoch(state.epochSums, trees);
		const promptsSkipped = state.promptsSkipped + grown.skipped;
		const { metrics, throttle } = stepMetrics({
			config,
			profile,
			agentNames: agents.map(({ name }) => name),
			trees,
			grown,
			kl: kl?.totals ?? null,
			groups,
			learning,
			promptsSkipped,
			finishedEpoch: batch.endsEpoch ? epochSums : null,
			throttle: state.throttle,
			seconds: (clock() - startedMs) / 1000,
		});
		const warned = watchStep(state.warnings, trees, config, isLast);
		for (const text of warned.texts) {
			yield { kind: 'log', level: 'warning', source: 'grove', text, step };
		}
		const record: StepRecord = {
			step,
			epoch: batch.epoch,
			epochProgress: epochsDone(batch.next, rule),
			envStep: grown.envStep,
			wallTimeMs: clock(),
			trees,
			metrics,
		};
		yield { kind: 'step', record };
		if (learning.diverged !== null) throw divergence(agents, learning.diverged, step, config);
		if (batch.endsEpoch && epochSums.rolledOut === 0) throw nothingRolledOut(task, batch.epoch);
		state = {
			...state,
			step,
			envStep: grown.envStep,
			position: batch.next,
			buffer: rest,
			agents: learning.counters,
			promptsSkipped,
			epochSums: batch.endsEpoch ? noEpochSums : epochSums,
			throttle,
			warnings: warned.state,
		};
		if ((await control.betweenSteps(state)) === 'stop') return stopped();
	}

	// Evaluate what came out of it.
	if (!state.finished) {
		if (evaluates && profile.evaluation.afterLastUpdate) {
			if (!(yield* evaluation())) return stopped();
		}
		state = { ...state, finished: true };
		await control.betweenSteps(state);
	}
	return { kind: 'finished', step: state.step };

	/** Yields the evaluation at the present state; false if it was interrupted. */
	async function* evaluation(): AsyncGenerator<TrainingEvent, boolean> {
		const settings = growSettings(options, state.step, state.position.epoch);
		const result = yield* evaluate(evalItems, state.envStep, settings, config, profile);
		if (result === null) return false;
		const record: StepRecord = {
			step: state.step,
			epoch: state.position.epoch,
			epochProgress: epochsDone(state.position, rule),
			envStep: state.envStep,
			wallTimeMs: clock(),
			...result,
		};
		yield { kind: 'evaluation', record };
		return true;
	}
}
