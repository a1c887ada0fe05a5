/**
 * Training of byte-level byte-pair encoding: the most frequent pair of neighbours becomes a new
 * symbol, again and again. Ties go to the pair whose symbols were made earlier, so the result depends
 * on nothing but the texts. Only words that hold the merged pair are visited again.
 */
import { byteSymbols, toSymbols } from './bytes.ts';
import { preTokenize } from './pre-tokenize.ts';

export type Merge = readonly [string, string];

interface Word {
	/** Ids into the growing list of symbols. */
	symbols: number[];
	count: number;
}

interface Pair {
	left: number;
	right: number;
	count: number;
	/** Words that hold it, or held it once. */
	words: Set<Word>;
}

const idLimit = 1 << 20;
const pairKey = (left: number, right: number): number => left * idLimit + right;

function countWords(texts: Iterable<string>): Map<string, number> {
	const counts = new Map<string, number>();
	for (const text of texts) {
		for (const piece of preTokenize(text)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
	}
	return counts;
}

class PairTable {
	readonly #pairs = new Map<number, Pair>();

	/** Counts a word's neighbours in (sign 1) or out (sign −1). */
	count(word: Word, sign: 1 | -1): void {
		for (let at = 1; at < word.symbols.length; at++) {
			const left = word.symbols[at - 1] ?? 0;
			const right = word.symbols[at] ?? 0;
			const key = pairKey(left, right);
			let pair = this.#pairs.get(key);
			if (pair === undefined) {
				pair = { left, right, count: 0, words: new Set() };
				this.#pairs.set(key, pair);
			}
			pair.count += sign * word.count;
			pair.words.add(word);
		}
	}

	/** The most frequent pair; undefined where none occurs twice. */
	best(): Pair | undefined {
		let best: Pair | undefined;
		for (const pair of this.#pairs.values()) {
			if (pair.count < 2) continue;
			if (
				best === undefined ||
				pair.count > best.count ||
				(pair.count === best.count && older(pair, best))
			) {
				best = pair;
			}
		}
		return best;
	}

	remove(pair: Pair): void {
		this.#pairs.delete(pairKey(pair.left, pair.right));
	}
}

function older(one: Pair, other: Pair): boolean {
	return one.left < other.left || (one.left === other.left && one.right < other.right);
}

/** `symbols` with every occurrence of the pair, from the left, as one symbol. */
export function mergePair<T>(symbols: readonly T[], left: T, right: T, merged: T): T[] {
	const result: T[] = [];
	for (let at = 0; at < symbols.length; at++) {
		const symbol = symbols[at] as T;
		if (symbol === left && symbols[at + 1] === right) {
			result.push(merged);
			at++;
		} else result.push(symbol);
	}
	return result;
}

/** Merges in the order of training, at most `mergeCount`. */
export function trainMerges(texts: Iterable<string>, mergeCount: number): Merge[] {
	const names = [...byteSymbols];
	const idOf = new Map(names.map((name, id) => [name, id]));
	const table = new PairTable();
	for (const [piece, count] of countWords(texts)) {
		table.count({ symbols: toSymbols(piece).map((symbol) => idOf.get(symbol) ?? 0), count }, 1);
	}
	const merges: Merge[] = [];
	while (merges.length < mergeCount) {
		const pair = table.best();
		if (pair === undefined) break;
		const merge: Merge = [names[pair.left] ?? '', names[pair.right] ?? ''];
		merges.push(merge);
		// Two ways to one text are one symbol, as the vocabulary maps texts to ids.
		const name = merge[0] + merge[1];
		let merged = idOf.get(name);
		if (merged === undefined) {
			merged = names.push(name) - 1;
			idOf.set(name, merged);
		}
		for (const word of pair.words) {
			table.count(word, -1);
			word.symbols = mergePair(word.symbols, pair.left, pair.right, merged);
			table.count(word, 1);
		}
		table.remove(pair);
	}
	return merges;
}
