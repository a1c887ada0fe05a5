/** What growing trees needs to know, for training and for evaluation alike. */
import type { RewardProcessor } from '../contract/config.ts';
import type { Policy, SamplingSettings } from '../policy/policy.ts';
import type { Task } from '../tasks/task.ts';
import type { Branch } from './branch.ts';

export interface GrowSettings {
	/** One per agent. */
	policies: readonly Policy[];
	task: Task;
	/** 1-based training step; for an evaluation, the steps done before it. */
	step: number;
	epoch: number;
	purpose: 'train' | 'eval';
	numTurns: number;
	/** Completions per agent at every node (G). */
	samples: number;
	jointMode: 'aligned' | 'cross';
	/** A node whose mean reward exceeds this is not continued; null: never ended this way. */
	threshold: number | null;
	/** One per agent. */
	sampling: readonly SamplingSettings[];
	seed: number;
	rewardProcessor: RewardProcessor;
	onRewardError: 'fail' | 'skip' | 'zero';
	onPromptError: 'fail' | 'skip';
	/** Feedback becomes the next prompt as it is, unformatted. */
	passthrough: boolean;
	promptHistory: 'seen' | 'reference';
	/** Milliseconds; only differences are used. */
	clock: () => number;
	/** Once given, nothing more is sampled or rewarded, and what is open is dropped. */
	signal: AbortSignal;
}

/** Where something failed, in the words of a person who looks at the run. */
export function placeOf(settings: GrowSettings, branch: Branch, joint?: number): string {
	const parts = [
		`task ${settings.task.name}`,
		`example ${branch.item.id} (${shortened(branch.item.prompt)})`,
		`turn ${branch.turn}`,
		...(branch.path.length > 0 ? [`branch ${branch.path.join('.')}`] : []),
		...(joint === undefined ? [] : [`joint completion ${joint}`]),
		`${settings.purpose === 'eval' ? 'evaluation after step' : 'step'} ${settings.step}`,
	];
	return parts.join(', ');
}

function shortened(text: string): string {
	const characters = [...text];
	return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : text);
}
