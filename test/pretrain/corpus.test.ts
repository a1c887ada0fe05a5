import { expect, test } from 'vitest';
import { example, kinds } from '../../scripts/pretrain/corpus/example.ts';
import {
	answer,
	answerLengths,
	longestAnswer,
	request,
} from '../../scripts/pretrain/corpus/kind.ts';
import { Random } from '../../src-main/contract/random.ts';

const examples = Array.from({ length: 6_000 }, (_, index) => example('test', index));

test('the same number gives the same example, another seed another one', () => {
	expect(example('test', 17)).toEqual(examples[17]);
	expect(example('other', 17)).not.toEqual(examples[17]);
});

test('nearly all examples are distinct, so that hundreds of thousands are', () => {
	const texts = new Set(examples.map(({ prompt, answer }) => prompt + answer));
	expect(texts.size).toBeGreaterThan(0.98 * examples.length);
});

test('answers are sentences: a space before, a capital first, an end mark last, no open slot', () => {
	for (const { prompt, answer } of examples) {
		expect(answer).toMatch(/^ \p{Lu}[^{}]*[.]$/u);
		expect(answer).not.toMatch(/ {2}|undefined|\.\.| a [aeio]/u);
		expect(prompt).not.toMatch(/[{}]|undefined| {2}/u);
		expect(answer.length).toBeLessThanOrEqual(longestAnswer + 1);
	}
});

test('no answer says the same sentence twice', () => {
	for (const { answer } of examples) {
		const sentences = answer.trim().split(/(?<=\.) /u);
		expect(new Set(sentences).size).toBe(sentences.length);
	}
});

test('every kind gives longer answers for longer lengths, and each length varies', () => {
	for (const kind of kinds) {
		const means = answerLengths.map((length) => {
			const lengths = Array.from({ length: 200 }, (_, index) => {
				const random = Random.from(kind.name, length, index);
				return answer(kind.draw(random), length, random).length;
			});
			expect(new Set(lengths).size, `${kind.name} ${length}`).toBeGreaterThan(10);
			return lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
		});
		expect(means[1], kind.name).toBeGreaterThan(1.2 * (means[0] ?? 0));
		expect(means[2], kind.name).toBeGreaterThan(1.2 * (means[1] ?? 0));
	}
});

test('a subject answers for what was asked', () => {
	for (let index = 0; index < 200; index++) {
		const random = Random.from('subject', index);
		const kind = kinds.find(({ name }) => name === 'design-place');
		const subject = kind?.draw(random);
		if (subject === undefined) throw new Error('the kind design-place is gone');
		expect(request(subject, random)).toContain(subject.bag['where']);
	}
});

test("the demo's four prompts are among the kinds", () => {
	const prompts = new Set<string>();
	for (const name of ['describe-place', 'invent-holiday', 'bedtime-story', 'design-place']) {
		const kind = kinds.find((one) => one.name === name);
		for (let index = 0; index < 12_000; index++) {
			const random = Random.from('demo', index);
			if (kind !== undefined) prompts.add(`${request(kind.draw(random), random)}:`);
		}
	}
	for (const prompt of [
		'Describe a city in the clouds:',
		'Invent a new holiday and explain it:',
		'Write a bedtime story for a dragon:',
		'Design a playground on Mars:',
	]) {
		expect(prompts).toContain(prompt);
	}
});
