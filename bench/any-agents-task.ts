/** The two-turn demo's task for any number of agents: each should write 2 to 3 times as much as the one before. */
import { lengthRatioFeedback } from '../src-main/tasks/built-in/length-ratio-feedback.ts';
import { lengthRatio, ratioReward } from '../src-main/tasks/built-in/length-ratio-reward.ts';
import { defineTask } from '../src-main/tasks/define-task.ts';

export default defineTask({
	name: 'any-agents',
	dataset: lengthRatioFeedback.dataset ?? [],
	reward: ({ texts }) => {
		// One agent alone writes after the prompt's own length, so to say.
		const lengths = texts.length === 1 ? ['x'.repeat(60), ...texts] : texts;
		let sum = 0;
		for (let i = 1; i < lengths.length; i++)
			sum += ratioReward(lengthRatio(lengths[i - 1] ?? '', lengths[i] ?? ''), 2, 3);
		return sum / (lengths.length - 1);
	},
	feedback: ({ item, texts }) =>
		texts.map(
			(text) =>
				`${item.prompt}\nYour last response had ${text.length} characters. Each answer should be 2 to 3 times as long as the one before.`,
		),
});
