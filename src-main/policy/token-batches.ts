/**
 * Sequences as batches for the engine: equal prompts are computed once and shared by their completions, and
 * no batch exceeds the token budget (but for a single sequence that alone is longer).
 */
import type { TokenBatch } from './engine.ts';

export interface ScoredSequence {
	promptTokenIds: readonly number[];
	/** All of them are scored. */
	completionTokenIds: readonly number[];
}

export interface SequenceBatch extends TokenBatch {
	/** Per scored position, which sequence it belongs to; positions of one are in order. */
	owners: Int32Array;
	/** Tokens without padding. */
	tokens: number;
}

/** Rows that share a prefix. A row holds the tokens that predict: all but its last, which is only a target. */
interface Group {
	prefix: readonly number[];
	rows: {
		sequence: number;
		ids: readonly number[];
		firstScored: number;
		targets: readonly number[];
	}[];
	rowLength: number;
}

/** Completions must not be empty and prompts hold at least one token; the caller sees to that. */
export function makeBatches(
	sequences: readonly ScoredSequence[],
	tokenBudget: number,
): SequenceBatch[] {
	const groups = shareGroups(sequences, tokenBudget);
	groups.sort(
		(a, b) =>
			a.rows.length - b.rows.length ||
			a.prefix.length - b.prefix.length ||
			a.rowLength - b.rowLength,
	);
	const batches: SequenceBatch[] = [];
	let pending: Group[] = [];
	for (const group of groups) {
		if (pending.length > 0 && !fits([...pending, group], tokenBudget)) {
			batches.push(toBatch(pending));
			pending = [];
		}
		pending.push(group);
	}
	if (pending.length > 0) batches.push(toBatch(pending));
	return batches;
}

function fits(groups: readonly Group[], tokenBudget: number): boolean {
	const first = groups[0];
	const last = groups.at(-1);
	if (first === undefined || last === undefined) return true;
	if (first.rows.length !== last.rows.length) return false;
	// A batch has prefixes for all of its groups or for none.
	if ((first.prefix.length === 0) !== (last.prefix.length === 0)) return false;
	return paddedTokens(groups) <= tokenBudget;
}

function paddedTokens(groups: readonly Group[]): number {
	const prefix = Math.max(...groups.map((group) => group.prefix.length));
	const length = Math.max(...groups.map((group) => group.rowLength));
	return groups.length * (prefix + (groups[0]?.rows.length ?? 0) * length);
}

/** Groups of sequences with equal prompts, cut where a group alone exceeds the budget. */
function shareGroups(sequences: readonly ScoredSequence[], tokenBudget: number): Group[] {
	const byPrompt = new Map<string, number[]>();
	sequences.forEach((sequence, index) => {
		const key = sequence.promptTokenIds.join();
		const known = byPrompt.get(key);
		if (known === undefined) byPrompt.set(key, [index]);
		else known.push(index);
	});
	const groups: Group[] = [];
	for (const members of byPrompt.values()) {
		const prompt = sequences[members[0] ?? 0]?.promptTokenIds ?? [];
		const completion = (index: number): readonly number[] =>
			sequences[index]?.completionTokenIds ?? [];
		const shared = members.length > 1 && prompt.length > 1;
		const prefix = shared ? prompt.slice(0, -1) : [];
		const lead = shared ? prompt.slice(-1) : prompt;
		// Like lengths together: the rows of a group are padded to the longest.
		const ordered = [...members].sort(
			(a, b) => completion(a).length - completion(b).length || a - b,
		);
		let group: Group = { prefix, rows: [], rowLength: 0 };
		for (const sequence of ordered) {
			const targets = completion(sequence);
			const ids = [...lead, ...targets.slice(0, -1)];
			const needed =
				prefix.length + (group.rows.length + 1) * Math.max(group.rowLength, ids.length);
			// Rows without a prefix need not stay together.
			if (group.rows.length > 0 && (!shared || needed > tokenBudget)) {
				groups.push(group);
				group = { prefix, rows: [], rowLength: 0 };
			}
			group.rows.push({ sequence, ids, firstScored: lead.length - 1, targets });
			group.rowLength = Math.max(group.rowLength, ids.length);
		}
		groups.push(group);
	}
	return groups;
}

function toBatch(groups: readonly Group[]): SequenceBatch {
	const rowsPerGroup = groups[0]?.rows.length ?? 0;
	const length = Math.max(...groups.map((group) => group.rowLength));
	const prefixLength = Math.max(...groups.map((group) => group.prefix.length));
	const ids = new Int32Array(groups.length * rowsPerGroup * length);
	const scored: number[] = [];
	const targets: number[] = [];
	const owners: number[] = [];
	let tokens = 0;
	groups.forEach((group, g) => {
		tokens += group.prefix.length;
		group.rows.forEach((row, r) => {
			const start = (g * rowsPerGroup + r) * length;
			ids.set(row.ids, start);
			tokens += row.ids.length;
			row.targets.forEach((target, i) => {
				scored.push(start + row.firstScored + i);
				targets.push(target);
				owners.push(row.sequence);
			});
		});
	});
	const prefixIds = new Int32Array(groups.length * prefixLength);
	groups.forEach((group, g) => prefixIds.set(group.prefix, g * prefixLength));
	return {
		groups: groups.length,
		rowsPerGroup,
		length,
		ids,
		prefix:
			prefixLength === 0
				? null
				: {
						length: prefixLength,
						ids: prefixIds,
						lengths: Int32Array.from(groups, (group) => group.prefix.length),
					},
		scored: Int32Array.from(scored),
		targets: Int32Array.from(targets),
		owners: Int32Array.from(owners),
		tokens,
	};
}
