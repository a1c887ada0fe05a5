import { defineTask } from '../define-task.ts';
import { characters, lengthRatio, ratioReward } from './length-ratio-reward.ts';
import { oneDecimal } from './one-decimal.ts';

const low = 2;
const high = 3;

/** The prompts of the documented example. */
export const demoPrompts = [
	'Describe a city in the clouds:',
	'Invent a new holiday and explain it:',
	'Write a bedtime story for a dragon:',
	'Design a playground on Mars:',
];

const goal = `The second answer should be ${low} to ${high} times as long as the first.`;

/** The documented two-turn example: after the first turn each agent is told how long its answer was. */
export const lengthRatioFeedback = defineTask({
	name: 'length-ratio-feedback',
	summary:
		'Two agents; the second should write 2 to 3 times as much as the first. Both are told the ratio and try again.',
	agents: 2,
	turns: 2,
	dataset: demoPrompts,
	reward: ({ texts: [first = '', second = ''] }) =>
		ratioReward(lengthRatio(first, second), low, high),
	metrics: ({ texts: [first = '', second = ''] }) => ({
		length_ratio: lengthRatio(first, second),
	}),
	feedback: ({ item, texts }) => {
		const [first = '', second = ''] = texts;
		const ratio = oneDecimal(lengthRatio(first, second));
		return texts.map(
			(text) =>
				`${item.prompt}\nYour last response had ${characters(text)} characters. The length ratio was ${ratio}. ${goal}`,
		);
	},
});
