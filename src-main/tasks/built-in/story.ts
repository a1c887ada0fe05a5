import { defineTask } from '../define-task.ts';
import { lengthRatio, ratioReward } from './length-ratio-reward.ts';

/** The quick start: a short and a long story from the same opening, with a reward from 0 to 100. */
export const story = defineTask({
	name: 'story',
	summary:
		'Two agents tell a story from the same opening, the second 2 to 3 times as long as the first; reward 0 to 100.',
	agents: 2,
	turns: 1,
	options: { scale: 100 },
	dataset: [
		'Tell a story about a lighthouse that moves at night:',
		'Tell a story about two rivers that trade places:',
		'Tell a story about a clockmaker who is always late:',
		'Tell a story about a garden under the ice:',
		'Tell a story about the last letter in a post office:',
		'Tell a story about a fox who learns to whistle:',
		'Tell a story about a town where nobody sleeps:',
		'Tell a story about a map that shows tomorrow:',
		'Tell a story about a baker and a thunderstorm:',
		'Tell a story about a train that stops at the moon:',
	],
	reward: ({ texts: [first = '', second = ''], options }) =>
		first === '' ? 0 : Number(options.scale) * ratioReward(lengthRatio(first, second), 2, 3),
	metrics: ({ texts: [first = '', second = ''] }) => ({
		length_ratio: lengthRatio(first, second),
	}),
});
