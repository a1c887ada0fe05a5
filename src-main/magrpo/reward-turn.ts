/** Rewards of one turn: every joint completion of every open branch in one call of the task. */
import { showValue } from '../contract/config.ts';
import { GroveError } from '../contract/errors.ts';
import type { RewardOutcome } from '../tasks/task.ts';
import { type Branch, type GrowingJoint, turnContext } from './branch.ts';
import { element } from './element.ts';
import { type GrowSettings, placeOf } from './grow-settings.ts';
import { jointPicks } from './joint-completions.ts';
import { processReward } from './reward-processor.ts';
import { meanOfKnown } from './statistics.ts';

/** Larger rewards overflow single precision further on, so they count as unusable. */
const largestReward = 1e18;

/**
 * Fills `joints` and `rewardMean` of each branch. Returns the messages of the rewards that were not
 * usable. Throws GroveError 'task' for the first of them where the run's policy is to fail.
 */
export async function rewardTurn(
	branches: readonly Branch[],
	settings: GrowSettings,
): Promise<string[]> {
	const picks = jointPicks(settings.policies.length, settings.samples, settings.jointMode);
	const contexts = branches.flatMap((branch) =>
		picks.map((pick, joint) => turnContext(branch, joint, pick, settings)),
	);
	const outcomes = await settings.task.rewards(contexts);
	if (outcomes.length !== contexts.length) {
		throw new GroveError('task', {
			where: `task ${settings.task.name}, step ${settings.step}`,
			what: 'the rewards are not one per joint completion',
			expected: String(contexts.length),
			given: String(outcomes.length),
		});
	}
	const problems: string[] = [];
	for (const [index, branch] of branches.entries()) {
		branch.joints = picks.map((pick, joint) => {
			const outcome = element(outcomes, index * picks.length + joint);
			const scored = rewardedJoint(pick, outcome, settings);
			if (scored.rewardError !== null) {
				problems.push(problemOf(scored.rewardError, placeOf(settings, branch, joint), settings));
			}
			return scored;
		});
		branch.rewardMean = meanOfKnown(branch.joints.map(({ reward }) => reward));
	}
	return problems;
}

function rewardedJoint(
	picks: readonly number[],
	outcome: RewardOutcome,
	settings: GrowSettings,
): GrowingJoint {
	const rest = { picks, feedbackError: null, child: null };
	const failure = outcome.kind === 'error' ? outcome.message : unusable(outcome.total, settings);
	if (outcome.kind === 'error' || failure !== null) {
		return {
			...rest,
			// `zero` stands for a raw reward of 0: a shift applies to it as to every other.
			reward: settings.onRewardError === 'zero' ? processReward(0, settings.rewardProcessor) : null,
			rawReward: null,
			rewardParts: {},
			taskMetrics: {},
			rewardError: failure,
			done: false,
		};
	}
	return {
		...rest,
		reward: processReward(outcome.total, settings.rewardProcessor),
		rawReward: outcome.total,
		rewardParts: outcome.parts,
		taskMetrics: outcome.metrics,
		rewardError: null,
		done: outcome.done,
	};
}

function unusable(total: number, settings: GrowSettings): string | null {
	if (!Number.isFinite(total)) {
		return `the reward is ${showValue(total)}, expected a finite number`;
	}
	const processed = processReward(total, settings.rewardProcessor);
	if (Number.isFinite(processed) && Math.abs(processed) <= largestReward) return null;
	return `the reward is ${processed}, expected a number of at most ${largestReward} in magnitude`;
}

function problemOf(message: string, where: string, settings: GrowSettings): string {
	if (settings.onRewardError === 'fail') {
		throw new GroveError('task', {
			where,
			what: message,
			fix: 'correct the reward, or set on_reward_error to skip or zero',
		});
	}
	return `${where}: ${message}`;
}
