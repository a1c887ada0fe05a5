/** Requests that name the wanted length. */
import type { Random } from '../../../src-main/contract/random.ts';
import type { AnswerLength } from './kind.ts';
import { pick } from './template.ts';

const wrappers: Record<AnswerLength, readonly string[]> = {
	short: [
		'In one short sentence: {ask}',
		'{ask} in one short sentence:',
		'{ask} in a few words:',
		'Briefly: {ask}',
		'Write a short answer. {ask}:',
		'{ask}. Keep it short.',
		'Be brief. {ask}:',
	],
	medium: [
		'In two sentences: {ask}',
		'{ask} in two sentences:',
		'Write a medium answer. {ask}:',
		'{ask}. Two sentences are enough.',
	],
	long: [
		'{ask} in detail:',
		'{ask} at length:',
		'Write a long answer. {ask}:',
		'Write a longer answer. {ask}:',
		'{ask}. Use several sentences.',
		'{ask}. Take your time.',
		'In detail: {ask}',
	],
};

/** `ask` is a request without its end mark. */
export function lengthRequest(ask: string, length: AnswerLength, random: Random): string {
	return pick(random, wrappers[length]).replace('{ask}', ask);
}
