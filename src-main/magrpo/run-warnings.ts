/** Conditions under which a run goes on but hardly learns; each is said once, in words that name the knob. */
import type { RunConfig } from '../contract/config.ts';
import type { RolloutTree } from '../contract/tree.ts';

interface Window {
	steps: number;
	completions: number;
	cut: number;
	groups: number;
	equal: number;
	trees: number;
	endedAtOnce: number;
}

type WarningName = 'cut' | 'equal' | 'ended-at-once';

export interface WarningState {
	given: readonly WarningName[];
	/** Counts since the last judgement. */
	window: Window | null;
}

/** Steps that are judged together; a shorter run is judged at its end. */
const windowSteps = 3;
const most = 0.5;

const emptyWindow: Window = {
	steps: 0,
	completions: 0,
	cut: 0,
	groups: 0,
	equal: 0,
	trees: 0,
	endedAtOnce: 0,
};

export function watchStep(
	state: WarningState,
	trees: readonly RolloutTree[],
	config: RunConfig,
	isLast: boolean,
): { texts: string[]; state: WarningState } {
	const window = added(state.window ?? emptyWindow, trees);
	if (window.steps < windowSteps && !isLast) return { texts: [], state: { ...state, window } };
	const found = judged(window, config).filter(({ name }) => !state.given.includes(name));
	return {
		texts: found.map(({ text }) => text),
		state: { given: [...state.given, ...found.map(({ name }) => name)], window: null },
	};
}

function added(window: Window, trees: readonly RolloutTree[]): Window {
	const nodes = trees.flatMap((tree) => tree.nodes);
	const completions = nodes.flatMap(({ agents }) => agents.flatMap((turn) => turn.completions));
	return {
		steps: window.steps + 1,
		completions: window.completions + completions.length,
		cut: window.cut + completions.filter(({ finishReason }) => finishReason === 'length').length,
		groups: window.groups + nodes.length,
		equal: window.equal + nodes.filter(({ zeroVariance }) => zeroVariance).length,
		trees: window.trees + trees.length,
		endedAtOnce:
			window.endedAtOnce + trees.filter(({ nodes: [root] }) => root?.ended === 'threshold').length,
	};
}

function judged(window: Window, config: RunConfig): { name: WarningName; text: string }[] {
	const found: { name: WarningName; text: string }[] = [];
	const percent = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`;
	if (window.cut > most * window.completions) {
		found.push({
			name: 'cut',
			text: `Most completions (${percent(window.cut, window.completions)}) hit the limit of max_new_tokens and were cut. Raise it, unless the task wants cut answers.`,
		});
	}
	if (window.equal > most * window.groups) {
		found.push({
			name: 'equal',
			text: `Most groups (${percent(window.equal, window.groups)}) have no variance: all their returns are equal, so they teach nothing. Look at the rewards, raise temperature or num_generations.`,
		});
	}
	if (config.num_turns > 1 && window.trees > 0 && window.endedAtOnce === window.trees) {
		found.push({
			name: 'ended-at-once',
			text: `Every tree ended at turn one, because its mean reward exceeded early_termination_threshold (${config.early_termination_threshold}). Set it to a reward that counts as solved, or to null.`,
		});
	}
	return found;
}
