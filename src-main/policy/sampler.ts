/**
 * Choosing a token as transformers' samplers do: repetition penalty, then temperature, top-k, top-p and min-p,
 * each on what the one before it left. Works on one row of logits at a time, on the CPU for every backend.
 */
import { GroveError } from '../contract/errors.ts';
import type { Random } from '../contract/random.ts';

export interface TokenChoice {
	/** 0 is greedy. */
	temperature: number;
	topP: number;
	/** null or 0: off. */
	topK: number | null;
	minP: number;
	repetitionPenalty: number;
}

/** A candidate token with its probability relative to the most likely one. */
interface Candidate {
	id: number;
	logit: number;
	weight: number;
}

/**
 * Draws one token id. `present` are the ids of prompt and completion so far (read only with a penalty).
 * Throws GroveError 'diverged' if the logits are not finite.
 */
export function chooseToken(
	logits: Float32Array,
	settings: TokenChoice,
	present: ReadonlySet<number> | null,
	random: Random,
): number {
	const row = penalised(logits, settings.repetitionPenalty, present);
	const best = argmax(row);
	if (settings.temperature === 0) return best;
	const candidates = keptTokens(row, settings, best);
	let total = 0;
	for (const { weight } of candidates) total += weight;
	let left = random.uniform() * total;
	for (const { id, weight } of candidates) {
		left -= weight;
		if (left < 0) return id;
	}
	return best;
}

/**
 * Ids that may be drawn, most likely first, with their probabilities (which sum to 1).
 * What `chooseToken` draws from; on its own for tests and for showing.
 */
export function tokenDistribution(
	logits: Float32Array,
	settings: TokenChoice,
	present: ReadonlySet<number> | null = null,
): { id: number; probability: number }[] {
	const row = penalised(logits, settings.repetitionPenalty, present);
	const best = argmax(row);
	if (settings.temperature === 0) return [{ id: best, probability: 1 }];
	const kept = keptTokens(row, settings, best);
	const total = kept.reduce((sum, { weight }) => sum + weight, 0);
	return kept
		.map(({ id, weight }) => ({ id, probability: weight / total }))
		.sort((a, b) => b.probability - a.probability);
}

/** The first of the largest; transformers' argmax does the same. */
function argmax(row: Float32Array): number {
	let best = 0;
	let top = row[0] ?? NaN;
	for (let id = 0; id < row.length; id++) {
		const logit = row[id] as number;
		if (logit > top) {
			top = logit;
			best = id;
		}
		// A NaN fails every comparison, so it has to be looked for.
		if (logit !== logit) top = NaN;
	}
	if (!Number.isFinite(top)) {
		throw new GroveError('diverged', {
			what: "the model's logits are not finite numbers, so no token can be drawn",
			given: String(top),
			fix: 'go back to an earlier checkpoint and train with a lower learning rate',
		});
	}
	return best;
}

function penalised(
	logits: Float32Array,
	penalty: number,
	present: ReadonlySet<number> | null,
): Float32Array {
	if (present === null || penalty === 1) return logits;
	const row = logits.slice();
	for (const id of present) {
		const logit = row[id];
		if (logit !== undefined) row[id] = logit < 0 ? logit * penalty : logit / penalty;
	}
	return row;
}

function keptTokens(row: Float32Array, settings: TokenChoice, best: number): Candidate[] {
	const top = row[best] ?? 0;
	// Small temperatures would overflow a division of the logits themselves; their distance to the top cannot.
	const weightOf = (logit: number): number => Math.exp((logit - top) / settings.temperature);
	const topK = settings.topK ?? 0;
	let kept: Candidate[] = [];
	const floor = topK > 0 && topK < row.length ? kthLargest(row, topK) : -Infinity;
	for (let id = 0; id < row.length; id++) {
		const logit = row[id] as number;
		// Ties with the k-th stay, as in transformers.
		if (logit >= floor) kept.push({ id, logit, weight: weightOf(logit) });
	}
	if (settings.topP < 1) kept = nucleus(kept, settings.topP);
	if (settings.minP > 0) kept = kept.filter(({ weight }) => weight >= settings.minP);
	return kept;
}

/** The most likely tokens up to and including the one with which their sum reaches `topP`; at least one. */
function nucleus(candidates: Candidate[], topP: number): Candidate[] {
	let total = 0;
	for (const { weight } of candidates) total += weight;
	// Nearly always the nucleus lies well above this floor, and the long tail need not be sorted.
	for (const floor of [1e-3, 0]) {
		const likely = candidates.filter(({ weight }) => weight >= floor);
		likely.sort((a, b) => b.weight - a.weight || a.id - b.id);
		let above = 0;
		const end = likely.findIndex(({ weight }) => {
			const out = above >= topP * total;
			above += weight;
			return out;
		});
		if (end > 0) return likely.slice(0, end);
		if (floor === 0) return likely;
	}
	return candidates;
}

/** The k-th largest value, by a min-heap of k entries. */
function kthLargest(row: Float32Array, k: number): number {
	const heap = row.slice(0, k).sort();
	// A sorted array is a heap already.
	for (let id = k; id < row.length; id++) {
		const logit = row[id] as number;
		if (logit <= (heap[0] as number)) continue;
		let at = 0;
		for (;;) {
			let child = 2 * at + 1;
			if (child >= k) break;
			if (child + 1 < k && (heap[child + 1] as number) < (heap[child] as number)) child++;
			if ((heap[child] as number) >= logit) break;
			heap[at] = heap[child] as number;
			at = child;
		}
		heap[at] = logit;
	}
	return heap[0] ?? -Infinity;
}
