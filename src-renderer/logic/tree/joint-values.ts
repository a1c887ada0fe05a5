/** What the joint completions of a tree can be coloured by. */
import type { TreeOutline } from '../../../src-main/contract/requests.ts';
import { valueScale, type ValueScale } from './value-scale.ts';

export const colourings = ['reward', 'return', 'advantage'] as const;
export type ColourBy = (typeof colourings)[number];

/** One per joint completion; NaN where it is not known. */
export function jointValues(outline: TreeOutline, by: ColourBy): Float64Array {
	if (by === 'advantage') return outline.jointAdvantage;
	return by === 'reward' ? outline.jointReward : outline.jointReturn;
}

/** Advantages lie around 0; rewards and returns rise. */
export function jointScale(outline: TreeOutline, by: ColourBy): ValueScale {
	return valueScale(jointValues(outline, by), by === 'advantage' ? 'diverging' : 'sequential');
}
