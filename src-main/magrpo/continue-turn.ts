/** Which branches go on after a turn, and with which prompts: early ends and feedback. */
import { GroveError } from '../contract/errors.ts';
import type { FeedbackOutcome } from '../tasks/task.ts';
import { type Branch, type GrowingJoint, turnContext } from './branch.ts';
import { element } from './element.ts';
import { type GrowSettings, placeOf } from './grow-settings.ts';

interface Candidate {
	branch: Branch;
	joint: GrowingJoint;
	index: number;
}

/**
 * Asks for feedback on every joint completion that goes on, in one call, and attaches the children.
 * Returns them, and the messages of failed feedback (its joint completion then has no known return).
 */
export async function continueTurn(
	branches: readonly Branch[],
	settings: GrowSettings,
): Promise<{ children: Branch[]; problems: string[] }> {
	const candidates = branches.flatMap((branch) => {
		if (branch.turn === settings.numTurns) branch.ended = 'last-turn';
		else if (exceeds(branch.rewardMean, settings.threshold)) branch.ended = 'threshold';
		else return openJoints(branch);
		return [];
	});
	const outcomes = candidates.length === 0 ? [] : await feedbackFor(candidates, settings);
	const children: Branch[] = [];
	const problems: string[] = [];
	for (const [at, candidate] of candidates.entries()) {
		const outcome = element(outcomes, at);
		const { branch, joint, index } = candidate;
		const failure = failureOf(outcome, settings);
		if (failure !== null) {
			joint.feedbackError = failure;
			problems.push(problemOf(failure, placeOf(settings, branch, index), settings));
		} else if (outcome.kind === 'prompts') {
			joint.child = childOf(candidate, outcome, settings);
			children.push(joint.child);
		} else {
			joint.done = true;
		}
	}
	for (const branch of branches) endIfChildless(branch);
	return { children, problems };
}

/** A node without children says why: its task called all of it done, or something failed. */
export function endIfChildless(branch: Branch): void {
	if (branch.ended !== null || branch.joints.some(({ child }) => child !== null)) return;
	branch.ended = branch.joints.some(({ done }) => done) ? 'done' : 'error';
}

/** Strictly: a mean equal to the threshold goes on. A node in which nothing was scored has no mean. */
function exceeds(rewardMean: number | null, threshold: number | null): boolean {
	return threshold !== null && rewardMean !== null && rewardMean > threshold;
}

function openJoints(branch: Branch): Candidate[] {
	return branch.joints.flatMap((joint, index) =>
		joint.reward !== null && !joint.done ? [{ branch, joint, index }] : [],
	);
}

async function feedbackFor(
	candidates: readonly Candidate[],
	settings: GrowSettings,
): Promise<FeedbackOutcome[]> {
	const contexts = candidates.map(({ branch, joint, index }) =>
		turnContext(branch, index, joint.picks, settings),
	);
	const outcomes = await settings.task.feedback(contexts);
	if (outcomes.length === contexts.length) return outcomes;
	throw new GroveError('task', {
		where: `task ${settings.task.name}, step ${settings.step}`,
		what: 'the feedback is not one answer per joint completion',
		expected: String(contexts.length),
		given: String(outcomes.length),
	});
}

function failureOf(outcome: FeedbackOutcome, settings: GrowSettings): string | null {
	if (outcome.kind === 'error') return outcome.message;
	if (outcome.kind === 'done') return null;
	const agents = settings.policies.length;
	return outcome.prompts.length === agents && outcome.rawPrompts.length === agents
		? null
		: `feedback gave ${outcome.prompts.length} prompts, expected ${agents}, one per agent`;
}

function problemOf(message: string, where: string, settings: GrowSettings): string {
	if (settings.onPromptError === 'fail') {
		throw new GroveError('task', {
			where,
			what: message,
			fix: 'correct the feedback, or set on_prompt_error: skip to end such branches there',
		});
	}
	return `${where}: ${message}`;
}

function childOf(
	{ branch, joint, index }: Candidate,
	outcome: Extract<FeedbackOutcome, { kind: 'prompts' }>,
	settings: GrowSettings,
): Branch {
	const { promptHistory, responseHistory } = turnContext(branch, index, joint.picks, settings);
	return {
		item: branch.item,
		parent: { branch, joint },
		turn: branch.turn + 1,
		path: [...branch.path, index],
		prompts: settings.passthrough ? outcome.rawPrompts : outcome.prompts,
		rawPrompts: outcome.rawPrompts,
		promptHistory,
		responseHistory,
		agents: [],
		joints: [],
		rewardMean: null,
		ended: null,
	};
}
