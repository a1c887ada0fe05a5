import { defineTask } from '../define-task.ts';
import { demoPrompts } from './length-ratio-feedback.ts';
import { lengthRatio, ratioReward } from './length-ratio-reward.ts';

/** The length ratio in a single turn; an empty first text earns nothing. */
export const lengthRatioTask = defineTask({
	name: 'length-ratio',
	summary: 'Two agents, one turn; the second should write 2 to 3 times as much as the first.',
	agents: 2,
	turns: 1,
	options: { low: 2, high: 3 },
	dataset: demoPrompts,
	reward: ({ texts: [first = '', second = ''], options }) =>
		first === ''
			? 0
			: ratioReward(lengthRatio(first, second), Number(options.low), Number(options.high)),
	metrics: ({ texts: [first = '', second = ''] }) => ({
		length_ratio: lengthRatio(first, second),
	}),
});
