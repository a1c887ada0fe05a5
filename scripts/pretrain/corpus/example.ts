/** One prompt with its answer, drawn by its number alone: the corpus needs no file. */
import { Random } from '../../../src-main/contract/random.ts';
import { answer, answerLengths, request, type AnswerLength, type Kind } from './kind.ts';
import { creatureKinds } from './kinds-creatures.ts';
import { placeKinds } from './kinds-places.ts';
import { thingKinds } from './kinds-things.ts';
import { wordKinds } from './kinds-words.ts';
import { lengthRequest } from './length-request.ts';
import { revision } from './revision.ts';
import { pick } from './template.ts';

export interface Example {
	kind: string;
	prompt: string;
	/** Starts with a space, so that prompt and answer join into one text. */
	answer: string;
}

export const kinds: readonly Kind[] = [
	...placeKinds,
	...creatureKinds,
	...thingKinds,
	...wordKinds,
];
const totalWeight = kinds.reduce((sum, kind) => sum + kind.weight, 0);

function drawKind(random: Random): Kind {
	let left = random.uniform() * totalWeight;
	for (const kind of kinds) {
		left -= kind.weight;
		if (left < 0) return kind;
	}
	return pick(random, kinds);
}

const endMarks = [':', ':', ':', ':', '.', ''] as const;

function ended(request: string, random: Random): string {
	if (/^(?:what|how|can|why)\b/iu.test(request)) return `${request}?`;
	return request + pick(random, endMarks);
}

function drawLength(random: Random): AnswerLength {
	return pick(random, answerLengths);
}

const kindOfText = { plain: 0.62, length: 0.16 };

/** Example number `index` of the corpus named by `seed` ("train", "held-out", ...). */
export function example(seed: string, index: number): Example {
	const random = Random.from(seed, index);
	const kind = drawKind(random);
	const subject = kind.draw(random);
	const asked = request(subject, random);
	const share = random.uniform();
	if (share < kindOfText.plain) {
		const text = answer(subject, drawLength(random), random);
		return { kind: kind.name, prompt: ended(asked, random), answer: ` ${text}` };
	}
	if (share < kindOfText.plain + kindOfText.length) {
		const length = drawLength(random);
		const prompt = lengthRequest(asked, length, random);
		return { kind: `${kind.name}, length`, prompt, answer: ` ${answer(subject, length, random)}` };
	}
	const revised = revision(subject, ended(asked, random), random);
	return { kind: `${kind.name}, revision`, ...revised };
}
