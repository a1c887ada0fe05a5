import type { XAxis } from '../../../src-main/contract/requests.ts';
import type { TickKind } from './ticks.ts';

export const xAxisLabels: Record<XAxis, string> = {
	step: 'Step',
	envStep: 'Env step',
	epoch: 'Epoch',
	relative: 'Relative time',
	wall: 'Wall time',
};

export function xTickKind(x: XAxis): TickKind {
	if (x === 'relative') return 'seconds';
	if (x === 'wall') return 'date';
	return x === 'epoch' ? 'number' : 'count';
}
