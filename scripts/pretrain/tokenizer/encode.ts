/** Applies trained merges to text; the plain counterpart of what tokenizer.json describes. */
import { toSymbols } from './bytes.ts';
import { preTokenize } from './pre-tokenize.ts';
import { mergePair, type Merge } from './train-bpe.ts';

export type Encode = (text: string) => number[];

/** An encoder that remembers the pieces it has met. */
export function bpeEncoder(
	vocabulary: ReadonlyMap<string, number>,
	merges: readonly Merge[],
): Encode {
	const ranks = new Map(merges.map((merge, rank) => [merge.join(' '), rank]));
	const known = new Map<string, number[]>();
	const encodePiece = (piece: string): number[] => {
		let symbols = toSymbols(piece);
		for (;;) {
			let best = Infinity;
			let pair: readonly [string, string] = ['', ''];
			for (let at = 1; at < symbols.length; at++) {
				const left = symbols[at - 1] ?? '';
				const right = symbols[at] ?? '';
				const rank = ranks.get(`${left} ${right}`) ?? Infinity;
				if (rank < best) [best, pair] = [rank, [left, right]];
			}
			if (best === Infinity) break;
			symbols = mergePair(symbols, pair[0], pair[1], pair[0] + pair[1]);
		}
		return symbols.map((symbol) => {
			const id = vocabulary.get(symbol);
			if (id === undefined) throw new Error(`the symbol ${symbol} is not in the vocabulary`);
			return id;
		});
	};
	return (text) =>
		preTokenize(text).flatMap((piece) => {
			let ids = known.get(piece);
			if (ids === undefined) {
				ids = encodePiece(piece);
				known.set(piece, ids);
			}
			return ids;
		});
}
