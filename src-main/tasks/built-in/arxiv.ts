import { defineTask } from '../define-task.ts';
import { resourceFile } from './resource-file.ts';
import { type WritingLevels, writingReward } from './writing-levels.ts';

const levels: WritingLevels = {
	words: [128, 256],
	length: { points: 1, from: 0.8, start: 1.3, end: 1.6, to: 2 },
	vocabulary: { points: 0.5, from: 0.5, start: 0.7, end: 1.3, to: 1.7 },
	transitionsIn: 'both',
	overlap: 0.23,
};

/** An introduction in two parts, written from an abstract. */
export const arxiv = defineTask({
	name: 'arxiv',
	summary:
		'Two agents turn an abstract into an introduction: the first writes background and motivation, the second method and implications.',
	agents: ['background', 'method'],
	turns: 1,
	requires: ['abstract'],
	dataset: () => resourceFile('arxiv.jsonl'),
	formatters: [
		({ fields }) =>
			`Read this abstract and write the first part of an introduction: the background and the motivation, 150 to 200 words. Another author writes the method.\n\n${String(fields.abstract)}\n\nBackground and motivation:`,
		({ fields }) =>
			`Read this abstract and write the second part of an introduction: the method and what follows from it, 180 to 250 words. Another author writes the background.\n\n${String(fields.abstract)}\n\nMethod and implications:`,
	],
	reward: ({ texts: [first = '', second = ''] }) => writingReward(first, second, levels),
});
