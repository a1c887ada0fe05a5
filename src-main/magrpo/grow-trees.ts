/**
 * Grows the rollout trees of several examples breadth first: all open branches of all trees are sampled,
 * rewarded and continued together, turn by turn. Since every sample has a random stream of its own, the
 * trees are those that growing branch after branch would give.
 */
import { GroveError } from '../contract/errors.ts';
import type { TrainingEvent } from '../contract/events.ts';
import type { RolloutTree } from '../contract/tree.ts';
import type { TaskItem } from '../tasks/task.ts';
import { type Branch, rootOf } from './branch.ts';
import { continueTurn, endIfChildless } from './continue-turn.ts';
import { type GrowSettings, placeOf } from './grow-settings.ts';
import { numberNodes } from './number-nodes.ts';
import { rewardTurn } from './reward-turn.ts';
import { sampleTurn, type Unanswered } from './sample-turn.ts';
import { stopwatch } from './stopwatch.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface Growth {
	/** One per example that could be rolled out, in the order of the examples. */
	trees: RolloutTree[];
	/** Env step after the last tree. */
	envStep: number;
	/** Examples that could not be rolled out. */
	skipped: number;
	generateSeconds: number;
	rewardSeconds: number;
}

/** Null if the signal was given; nothing has then happened to any model. */
export async function* growTrees(
	items: readonly TaskItem[],
	envStep: number,
	settings: GrowSettings,
): AsyncGenerator<TrainingEvent, Growth | null> {
	const generating = stopwatch(settings.clock);
	const rewarding = stopwatch(settings.clock);
	const isAborted = () => settings.signal.aborted;

	const planted = await rewarding.time(() => plant(items, settings));
	yield* problemEvents(planted.problems, settings.step);

	let open = planted.roots;
	for (let turn = 1; open.length > 0; turn++) {
		if (isAborted()) return null;
		yield phaseEvent('generating', turn, settings);
		const asked = open;
		const unanswered = await generating.time(() => sampleTurn(asked, settings));
		yield* problemEvents(unanswered.map(cutOff(settings)), settings.step);
		const answered = open.filter(({ agents }) => agents.length > 0);

		if (isAborted()) return null;
		yield phaseEvent('rewarding', turn, settings);
		// Task code may take long, and what comes of it is dropped then.
		const problems = await unlessAborted(
			settings.signal,
			rewarding.time(() => rewardTurn(answered, settings)),
		);
		if (problems === null) return null;
		yield* problemEvents(problems, settings.step);
		const next = await unlessAborted(
			settings.signal,
			rewarding.time(() => continueTurn(answered, settings)),
		);
		if (next === null) return null;
		yield* problemEvents(next.problems, settings.step);
		open = next.children;
	}

	const trees: RolloutTree[] = [];
	let scored = envStep;
	for (const root of planted.roots) {
		if (root.agents.length === 0) continue;
		const tree = numberNodes(root, scored, settings);
		scored = tree.nodes.at(-1)?.envStep ?? scored;
		trees.push(tree);
	}
	return {
		trees,
		envStep: scored,
		skipped: items.length - trees.length,
		generateSeconds: generating.seconds(),
		rewardSeconds: rewarding.seconds(),
	};
}

/** First-turn prompts of every example; those that have none are told apart. */
async function plant(
	items: readonly TaskItem[],
	settings: GrowSettings,
): Promise<{ roots: Branch[]; problems: string[] }> {
	const roots: Branch[] = [];
	const problems: string[] = [];
	for (const item of items) {
		try {
			const { prompts, rawPrompts } = await settings.task.prompts(item);
			if (prompts.length !== settings.policies.length || rawPrompts.length !== prompts.length) {
				throw new GroveError('task', {
					what: 'the first prompts are not one per agent',
					expected: String(settings.policies.length),
					given: String(prompts.length),
				});
			}
			roots.push(rootOf(item, prompts, rawPrompts));
		} catch (error) {
			if (!(error instanceof GroveError) || error.kind !== 'task') throw error;
			const where = placeOf(settings, rootOf(item, [], []));
			if (settings.onPromptError === 'fail') {
				throw new GroveError(
					'task',
					error.complaints.map((complaint) => ({
						fix: 'correct the task, or set on_prompt_error: skip to leave such examples out',
						...complaint,
						where: [where, complaint.where].filter((part) => part !== undefined).join(', '),
					})),
					{ cause: error },
				);
			}
			problems.push(`${where}: ${error.message}`);
		}
	}
	return { roots, problems };
}

/** A branch that a model could not answer: its example is left out, or the joint completion before it has no known return. */
function cutOff(settings: GrowSettings): (unanswered: Unanswered) => string {
	return ({ branch, message }) => {
		if (branch.parent !== null) {
			branch.parent.joint.child = null;
			branch.parent.joint.feedbackError = message;
			endIfChildless(branch.parent.branch);
		}
		return `${placeOf(settings, branch)}: ${message}`;
	};
}

function phaseEvent(
	phase: 'generating' | 'rewarding',
	turn: number,
	{ step, numTurns, purpose }: GrowSettings,
): TrainingEvent {
	const detail = `turn ${turn} of ${numTurns}`;
	return {
		kind: 'phase',
		phase: purpose === 'eval' ? 'evaluating' : phase,
		step,
		detail: purpose === 'eval' ? `${detail}, ${phase}` : detail,
		done: turn - 1 + (phase === 'rewarding' ? 0.5 : 0),
		total: numTurns,
	};
}

const shownProblems = 5;

/** One line each, the first few; more than that would bury everything else. */
function* problemEvents(texts: readonly string[], step: number): Generator<TrainingEvent> {
	const shown = texts.slice(0, shownProblems);
	if (texts.length > shown.length)
		shown.push(`… and ${texts.length - shown.length} more like these`);
	for (const text of shown) yield { kind: 'log', level: 'warning', source: 'task', text, step };
}
