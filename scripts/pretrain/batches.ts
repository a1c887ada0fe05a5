/**
 * The examples of each update as token sequences. A batch depends on its number alone, so resuming
 * needs no state; examples of a pool are sorted by length first, so that batches need little padding.
 */
import { Random } from '../../src-main/contract/random.ts';
import type { TrainSequence } from '../../src-main/policy/index.ts';
import { example, type Example } from './corpus/example.ts';
import type { Encode } from './tokenizer/encode.ts';

const batchesPerPool = 16;
export const endTokenId = 0;

interface Encoded {
	promptTokenIds: number[];
	completionTokenIds: number[];
}

function encodeExample({ prompt, answer }: Example, encode: Encode): Encoded {
	return {
		promptTokenIds: encode(prompt),
		completionTokenIds: [...encode(answer), endTokenId],
	};
}

/** Sequences whose summed loss is the cross entropy per answer token; prompts are read, not learnt. */
export function crossEntropy(items: readonly Encoded[]): TrainSequence[] {
	const tokens = items.reduce((sum, { completionTokenIds }) => sum + completionTokenIds.length, 0);
	return items.map((item) => ({
		...item,
		scoredTokens: item.completionTokenIds.length,
		coefficient: -1 / tokens,
	}));
}

/** The batch of update `step`, from 0: `size` examples that no other update sees. */
export function batchMaker(
	seed: string,
	size: number,
	encode: Encode,
): (step: number) => TrainSequence[] {
	let poolNumber = -1;
	let pool: Encoded[][] = [];
	const makePool = (number: number): Encoded[][] => {
		const items = Array.from({ length: batchesPerPool * size }, (_, at) =>
			encodeExample(example(seed, number * batchesPerPool * size + at), encode),
		);
		const length = (item: Encoded): number =>
			item.promptTokenIds.length + item.completionTokenIds.length;
		items.sort((one, other) => length(one) - length(other));
		const batches = Array.from({ length: batchesPerPool }, (_, at) =>
			items.slice(at * size, (at + 1) * size),
		);
		return Random.from(seed, 'order', number).shuffled(batches);
	};
	return (step) => {
		const number = Math.floor(step / batchesPerPool);
		if (number !== poolNumber) {
			poolNumber = number;
			pool = makePool(number);
		}
		return crossEntropy(pool[step % batchesPerPool] ?? []);
	};
}

/**
 * Held-out examples: of another seed, and none of those that the first `trained` examples of `trainSeed` hold.
 */
export function heldOut(
	seed: string,
	count: number,
	encode: Encode,
	trainSeed: string,
	trained: number,
): TrainSequence[] {
	const candidates: Example[] = [];
	for (let index = 0; candidates.length < 2 * count; index++) candidates.push(example(seed, index));
	const textOf = ({ prompt, answer }: Example): string => prompt + answer;
	const wanted = new Set(candidates.map(textOf));
	for (let index = 0; index < trained; index++) wanted.delete(textOf(example(trainSeed, index)));
	const fresh = candidates.filter((one) => wanted.has(textOf(one))).slice(0, count);
	return crossEntropy(fresh.map((one) => encodeExample(one, encode)));
}
