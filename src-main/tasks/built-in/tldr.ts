import { defineTask } from '../define-task.ts';
import { resourceFile } from './resource-file.ts';
import { type WritingLevels, writingReward } from './writing-levels.ts';

const levels: WritingLevels = {
	words: [8, 256],
	length: { points: 1, from: 1.1, start: 1.6, end: 3.2, to: 5 },
	vocabulary: { points: 0.5, from: 1.3, start: 2, end: Infinity, to: Infinity },
	transitionsIn: 'second',
	overlap: 0.03,
};

/** Summaries of forum posts, one short and one longer, that should fit together. */
export const tldr = defineTask({
	name: 'tldr',
	summary:
		'Two agents summarise the same post: the first in short, the second at more length with richer words and joined thoughts.',
	agents: ['short', 'detailed'],
	turns: 1,
	dataset: () => resourceFile('tldr.jsonl'),
	formatters: [
		({ prompt }) =>
			`Summarise this post in one or two sentences. Keep only what matters most.\n\n${prompt}\n\nSummary:`,
		({ prompt }) =>
			`Summarise this post in detail for someone who will not read it. Use varied words, and join your sentences with words such as "however" or "therefore".\n\n${prompt}\n\nDetailed summary:`,
	],
	reward: ({ texts: [first = '', second = ''] }) => writingReward(first, second, levels),
});
