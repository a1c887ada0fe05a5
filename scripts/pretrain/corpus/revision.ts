/**
 * Prompts that give feedback on an earlier answer, in the manner of a length task: how long the last
 * answer was, what the ratio is, what is wanted. The answers follow the wish more often than not, but not always.
 */
import type { Random } from '../../../src-main/contract/random.ts';
import { answer, type AnswerLength, type Subject } from './kind.ts';
import { pick } from './template.ts';

type Wish = 'shorter' | 'longer' | 'keep';

const lengthsFor: Record<Wish, readonly AnswerLength[]> = {
	shorter: ['short', 'short', 'medium', 'long'],
	longer: ['long', 'long', 'medium', 'short'],
	keep: ['medium', 'medium', 'short', 'long'],
};

const reports = [
	'Your last answer had {length} characters.',
	'Your answer was {length} characters long.',
	'Your last response was {length} characters.',
	'Your previous response had {length} characters.',
];
const ratios = [
	'The ratio is {ratio}.',
	'The length ratio was {ratio}.',
	'Ratio: {ratio}.',
	'The second answer was {ratio} times as long as the first.',
];
const goals = [
	'The goal is a ratio between 2 and 3.',
	'The second answer should be 2 to 3 times as long as the first.',
	'Goal: 2 to 3 times as long.',
];
const wishes: Record<Wish, readonly string[]> = {
	shorter: ['Write a shorter answer.', 'Make it shorter.', 'Be shorter this time.'],
	longer: ['Write a longer answer.', 'Make it longer.', 'Say more this time.'],
	keep: ['Keep the length.', 'This was a good length.', 'Write a new one of the same length.'],
};

function feedback(random: Random): { text: string; wish: Wish } {
	const first = 40 + random.integer(200);
	const second = 40 + random.integer(200);
	const ratio = second / first;
	const isFirst = random.uniform() < 0.5;
	const tooShort: Wish = isFirst ? 'shorter' : 'longer';
	const tooLong: Wish = isFirst ? 'longer' : 'shorter';
	const wish = ratio < 2 ? tooShort : ratio > 3 ? tooLong : 'keep';
	const lines = [
		pick(random, reports).replace('{length}', String(isFirst ? first : second)),
		pick(random, ratios).replace('{ratio}', ratio.toFixed(1)),
		pick(random, goals),
		...(random.uniform() < 0.6 ? [pick(random, wishes[wish])] : []),
	];
	return { text: lines.join(' '), wish };
}

/** `asked` is the first request with its end mark. */
export function revision(
	subject: Subject,
	asked: string,
	random: Random,
): { prompt: string; answer: string } {
	const { text, wish } = feedback(random);
	const gap = pick(random, ['\n', '\n\n', ' ']);
	const prompt = random.uniform() < 0.5 ? `${asked}${gap}${text}` : `${text}${gap}${asked}`;
	return { prompt, answer: ` ${answer(subject, pick(random, lengthsFor[wish]), random)}` };
}
