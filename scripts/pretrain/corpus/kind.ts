/**
 * A kind of open prompt, and how an answer of a wanted length is put together: one short sentence, or
 * an opening, some sentences of the body in order, and perhaps a close.
 */
import type { Random } from '../../../src-main/contract/random.ts';
import { Filler, pick, type Bag } from './template.ts';

export type AnswerLength = 'short' | 'medium' | 'long';
export const answerLengths: readonly AnswerLength[] = ['short', 'medium', 'long'];

/** One subject of a kind: its words, the ways to ask for it, and the sentences that can answer. */
export interface Subject {
	bag: Bag;
	/** Requests without an end mark, e.g. "Describe {thing}". */
	ask: readonly string[];
	/** Each answers alone. */
	short: readonly string[];
	opening: readonly string[];
	/** Groups in the order of telling; an answer takes at most one sentence of each. */
	body: readonly (readonly string[])[];
	close: readonly string[];
}

export interface Kind {
	name: string;
	/** Share among the kinds, relative. */
	weight: number;
	draw: (random: Random) => Subject;
}

/** A random choice of `count` groups, kept in order. */
function someGroups<T>(random: Random, groups: readonly T[], count: number): T[] {
	const chosen = new Set(random.shuffled(groups.map((_, at) => at)).slice(0, count));
	return groups.filter((_, at) => chosen.has(at));
}

/** Groups of sentence templates of one answer; each gives one sentence. */
function outline(subject: Subject, length: AnswerLength, random: Random): (readonly string[])[] {
	if (length === 'short') return [subject.short];
	if (length === 'medium') {
		const second = random.uniform() < 0.75 ? someGroups(random, subject.body, 1) : [subject.close];
		return [subject.opening, ...second];
	}
	const count = 2 + random.integer(2);
	const closing = count === 2 || random.uniform() < 0.5 ? [subject.close] : [];
	return [subject.opening, ...someGroups(random, subject.body, count), ...closing];
}

/** Longest answer in characters, some 60 tokens. */
export const longestAnswer = 235;

/** The answer's text; the same subject and length give many. */
export function answer(subject: Subject, length: AnswerLength, random: Random): string {
	const filler = new Filler(subject.bag, random);
	let text = '';
	for (const group of outline(subject, length, random)) {
		const fitting = group.filter((template) => filler.fits(template));
		if (fitting.length === 0) continue;
		const sentence = filler.sentence(pick(random, fitting));
		if (text.length + sentence.length < longestAnswer)
			text += text === '' ? sentence : ` ${sentence}`;
	}
	return text;
}

/** One of the ways to ask. */
export function request(subject: Subject, random: Random): string {
	return new Filler(subject.bag, random).sentence(pick(random, subject.ask));
}
