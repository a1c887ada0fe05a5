/**
 * Against the reference library itself: `test/golden/make_comlrl.py` ran it and wrote down what it did.
 * Here a policy replays its completions through our trainer under `compat: comlrl`.
 */
import { describe, expect, it } from 'vitest';
import type { AgentTurn } from '../../src-main/contract/tree.ts';
import { advantagesOf } from '../../src-main/magrpo/advantages.ts';
import type { TrainSequence } from '../../src-main/policy/policy.ts';
import {
	feedbackKey,
	goldenConfig,
	GoldenPolicy,
	type GoldenSample,
	goldenTask,
	readGolden,
} from '../support/golden-run.ts';
import { runTraining, type TrainingRun } from '../support/run-training.ts';

describe.each(['aligned', 'cross-kl', 'single-agent', 'raw'])('the reference, %s', (name) => {
	const golden = readGolden(name);
	const config = goldenConfig(golden);
	const task = goldenTask(golden);
	const policies = Array.from(
		{ length: config.num_agents },
		(_, agent) => new GoldenPolicy(golden, agent),
	);
	const running = runTraining(config, task, { policies });

	it('ends at the same env step', async () => {
		const run = await running;
		expect(run.error).toBeNull();
		expect(run.steps.at(-1)?.envStep).toBe(golden.envStep);
	});

	it('has the same returns, reference KL and advantages at every node', async () => {
		const run = await running;
		for (const sample of golden.samples) {
			const { completions } = turnOf(run, sample);
			expectClose(
				completions.map((completion) => completion.return),
				sample.returns,
			);
			if (config.reference_kl_enabled) {
				expectClose(
					completions.map(({ referenceKl }) => referenceKl),
					sample.referenceKls,
				);
			}
			const plain = { mode: config.advantage_mode, normalize: false, stdFloor: 1e-6 };
			expectClose(advantagesOf(sample.effectiveReturns, plain), sample.baselined);
			if (config.advantage_normalization) continue;
			expectClose(
				completions.map(({ advantage }) => advantage),
				sample.baselined,
			);
		}
	});

	it('trains on the same tokens in the same batches, with the same losses', async () => {
		await running;
		for (const [agent, policy] of policies.entries()) {
			const expected = golden.samples.filter((sample) => sample.agent === agent);
			let next = 0;
			for (const update of policy.updates) {
				const groups = groupsOf(update);
				const batch = expected.slice(next, (next += groups.size));
				for (const sample of batch) {
					const group = groups.get(String(sample.promptTokenIds)) ?? [];
					expect(group.map(({ completionTokenIds }) => completionTokenIds)).toEqual(sample.columns);
					// A loss is a sum of terms up to fifty, in single precision over there.
					expectClose([lossOf(group, sample) * batch.length], [sample.loss], 2e-5);
				}
			}
			expect(next).toBe(expected.length);
		}
	});

	it('logs the same values at the same env steps', async () => {
		const run = await running;
		// Several agents write the same key at the same env step; the last write stays.
		const theirs = new Map<string, number>(
			golden.logs.flatMap(({ envStep, values }) =>
				Object.entries(values).map(([key, value]) => [`${envStep} ${key}`, value]),
			),
		);
		const ours = new Map<string, number>([
			...run.evaluations.flatMap(({ envStep, metrics }) =>
				metrics.map(({ key, value }) => [`${envStep} ${key}`, value] as const),
			),
			...run.steps.flatMap(({ metrics }) =>
				metrics.flatMap(({ key, value, envStep }) =>
					envStep === undefined ? [] : [[`${envStep} ${key}`, value] as const],
				),
			),
		]);
		const added = [...ours.keys()].filter((key) => !theirs.has(key));
		expect(added.filter((key) => !key.endsWith('reward_leaf_mean'))).toEqual([]);
		expect(theirs.size).toBeGreaterThan(0);
		for (const [key, value] of theirs) expectClose([ours.get(key) ?? null], [value]);
	});

	it('tells feedback the same histories', async () => {
		await running;
		for (const context of task.fedBack) {
			const { promptHistory, responseHistory } = context;
			const told = golden.feedback[feedbackKey(context)];
			expect({ promptHistory, responseHistory }).toEqual({
				promptHistory: told?.promptHistory,
				responseHistory: told?.responseHistory,
			});
		}
		expect(task.fedBack.length > 0).toBe(config.num_turns > 1);
	});
});

function expectClose(
	ours: readonly (number | null)[],
	theirs: readonly number[],
	tolerance = 1e-6,
): void {
	expect(ours.length).toBe(theirs.length);
	for (const [index, value] of theirs.entries()) {
		const difference = Math.abs((ours[index] ?? NaN) - value);
		expect(difference).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(value)));
	}
}

function turnOf(run: TrainingRun, sample: GoldenSample): AgentTurn {
	const nodes = run.steps.flatMap(({ trees }) => trees.flatMap((tree) => tree.nodes));
	const turn = nodes.find(({ envStep }) => envStep === sample.envStep)?.agents[sample.agent];
	if (turn === undefined) throw new Error(`no node at env step ${sample.envStep}`);
	return turn;
}

/** The sequences of an update by their prompt: one group per node sample. */
function groupsOf(update: readonly TrainSequence[]): Map<string, TrainSequence[]> {
	return Map.groupBy(update, ({ promptTokenIds }) => String(promptTokenIds));
}

/** Σ c·ℓ under the log-probabilities that the reference had at that moment. */
function lossOf(group: readonly TrainSequence[], sample: GoldenSample): number {
	return group.reduce((loss, { coefficient, scoredTokens }, k) => {
		const logProbs = sample.columnLogProbs[k] ?? [];
		return loss + coefficient * logProbs.slice(0, scoredTokens).reduce((a, b) => a + b, 0);
	}, 0);
}
