/**
 * From node samples to what the policy is trained on (magrpo.md 2.10). The loss of a batch is
 * the mean over its samples of (1/n) Σ −A·ℓ, n being the completions of the group with any scored token,
 * so the coefficient of a completion is −A / (n × samples in the batch).
 */
import type { TrainSequence } from '../policy/policy.ts';
import { element } from './element.ts';
import type { AgentSample, NodeSample } from './node-samples.ts';
import type { Profile } from './profile.ts';

export interface TokenRule {
	scoring: Profile['scoring'];
	padTokenId: number;
	eosTokenIds: readonly number[];
}

/** The sequences of one agent in one batch. */
export function trainSequences(
	batch: readonly NodeSample[],
	agent: number,
	rule: TokenRule,
): TrainSequence[] {
	return batch.flatMap((sample) =>
		groupSequences(element(sample.agents, agent), batch.length, rule),
	);
}

function groupSequences(sample: AgentSample, batchSize: number, rule: TokenRule): TrainSequence[] {
	const longest = Math.max(0, ...sample.completions.map(({ tokenIds }) => tokenIds.length));
	const scored = sample.completions.flatMap(({ tokenIds, advantage }) => {
		if (advantage === null) return [];
		const columns =
			rule.scoring === 'padded'
				? { ids: padded(tokenIds, longest, rule.padTokenId), count: longest - 1 }
				: { ids: tokenIds, count: tokensToFirstEnd(tokenIds, rule.eosTokenIds) };
		return columns.count > 0 ? [{ ...columns, advantage }] : [];
	});
	return scored.map(({ ids, count, advantage }) => ({
		promptTokenIds: sample.promptTokenIds,
		completionTokenIds: ids,
		scoredTokens: count,
		coefficient: -advantage / (scored.length * batchSize),
	}));
}

function padded(tokenIds: readonly number[], length: number, padTokenId: number): number[] {
	return [...tokenIds, ...Array.from({ length: length - tokenIds.length }, () => padTokenId)];
}

/** Tokens up to the first end token, which counts; all if there is none. */
export function tokensToFirstEnd(
	tokenIds: readonly number[],
	eosTokenIds: readonly number[],
): number {
	const end = tokenIds.findIndex((id) => eosTokenIds.includes(id));
	return end === -1 ? tokenIds.length : end + 1;
}
