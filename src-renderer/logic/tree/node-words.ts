/** What is said of a node of a rollout tree. */
import type { TreeOutline } from '../../../src-main/contract/requests.ts';
import type { EndReason } from '../../../src-main/contract/tree.ts';
import { formatNumber } from '../format-number.ts';

/** Why a branch ended, as a sentence. */
export const endSentences: Record<EndReason, string> = {
	threshold: 'ended: its mean reward is above the threshold',
	done: 'ended: the task said done',
	error: 'ended by an error',
	'last-turn': 'last turn',
};

/** The same as a mark beside the node. The last turn needs no words: it ends every full tree. */
export const endMarks: Record<EndReason, string> = {
	threshold: '✓ threshold',
	done: '■ done',
	error: '✕ error',
	'last-turn': '',
};

export const zeroVarianceSentence = 'all returns equal, nothing to learn here';

/** A node in one sentence, for the pointer and for screen readers. */
export function nodeSentence(outline: TreeOutline, node: number): string {
	const ended = outline.ended[node] ?? null;
	return [
		`Turn ${outline.turn[node] ?? 1}, mean reward ${formatNumber(outline.rewardMean[node] ?? NaN)}`,
		...(ended === null ? [] : [endSentences[ended]]),
		...(outline.zeroVariance[node] === 1 ? [zeroVarianceSentence] : []),
	].join('; ');
}
