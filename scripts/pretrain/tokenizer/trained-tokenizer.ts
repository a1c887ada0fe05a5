/** The bundled models' tokenizer, trained anew from the corpus (a few seconds, always the same). */
import { example } from '../corpus/example.ts';
import { bpeEncoder, type Encode } from './encode.ts';
import { vocabularyOf } from './tokenizer-files.ts';
import { trainMerges, type Merge } from './train-bpe.ts';

const trainingExamples = 30_000;
const ownTokens = 257;

function* texts(): Generator<string> {
	for (let index = 0; index < trainingExamples; index++) {
		const { prompt, answer } = example('tokenizer', index);
		yield prompt + answer;
	}
}

export function trainTokenizer(vocabularySize: number): { merges: Merge[]; encode: Encode } {
	const merges = trainMerges(texts(), vocabularySize - ownTokens);
	return { merges, encode: bpeEncoder(vocabularyOf(merges), merges) };
}
