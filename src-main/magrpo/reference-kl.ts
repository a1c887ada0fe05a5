/**
 * KL to the frozen starting model (magrpo.md 2.8): per token the k3 estimate exp(d) − d − 1 with
 * d = log p_reference − log p_policy, summed over the completion; policy log-probabilities are those of
 * sampling (temperature 1, full softmax).
 */
import type { AgentCompletion, RolloutNode, RolloutTree } from '../contract/tree.ts';
import type { Policy, TrainSequence } from '../policy/policy.ts';
import { element } from './element.ts';
import type { Profile } from './profile.ts';
import { tokensToFirstEnd } from './train-sequences.ts';

/** Beyond this log ratio exp would swamp every other token; clipped tokens are counted. */
const largestLogRatio = 20;

export interface KlTotals {
	sum: number;
	tokens: number;
	clipped: number;
}

export function tokenKl(logPolicy: number, logReference: number): { kl: number; clipped: boolean } {
	const ratio = logReference - logPolicy;
	const used = Math.min(Math.max(ratio, -largestLogRatio), largestLogRatio);
	return { kl: Math.exp(used) - used - 1, clipped: used !== ratio };
}

/** The trees with `referenceKl` filled in, and the sums per agent. One batch per agent. */
export async function withReferenceKl(
	trees: readonly RolloutTree[],
	policies: readonly Policy[],
	scoring: Profile['scoring'],
): Promise<{ trees: RolloutTree[]; totals: KlTotals[] }> {
	const totals = policies.map((): KlTotals => ({ sum: 0, tokens: 0, clipped: 0 }));
	const references = await Promise.all(
		policies.map((policy, agent) => policy.referenceLogProbs(sequencesOf(trees, agent))),
	);
	const next = policies.map(() => 0);
	const filled = trees.map((tree) => ({
		...tree,
		nodes: tree.nodes.map((node): RolloutNode => ({
			...node,
			agents: node.agents.map((turn, agent) => {
				const info = element(policies, agent).info;
				return {
					...turn,
					completions: turn.completions.map((completion) => {
						const at = element(next, agent);
						next[agent] = at + 1;
						const reference = element(element(references, agent), at);
						const tokens = countedTokens(completion, scoring, info);
						const kl = sequenceKl(completion, reference, tokens, element(totals, agent));
						return { ...completion, referenceKl: kl };
					}),
				};
			}),
		})),
	}));
	return { trees: filled, totals };
}

function sequencesOf(trees: readonly RolloutTree[], agent: number): TrainSequence[] {
	return trees.flatMap((tree) =>
		tree.nodes.flatMap((node) => {
			const turn = element(node.agents, agent);
			return turn.completions.map(({ tokenIds }) => ({
				promptTokenIds: turn.promptTokenIds,
				completionTokenIds: tokenIds,
				scoredTokens: tokenIds.length,
				coefficient: 0,
			}));
		}),
	);
}

/** The reference counts the tokens before the first padding token; we count the end token too. */
function countedTokens(
	{ tokenIds }: AgentCompletion,
	scoring: Profile['scoring'],
	info: Policy['info'],
): number {
	if (scoring === 'to-eos') return tokensToFirstEnd(tokenIds, info.eosTokenIds);
	const pad = tokenIds.indexOf(info.padTokenId);
	return pad === -1 ? tokenIds.length : pad;
}

function sequenceKl(
	{ logProbs }: AgentCompletion,
	reference: readonly number[],
	tokens: number,
	totals: KlTotals,
): number {
	let sum = 0;
	for (let t = 0; t < tokens; t++) {
		const { kl, clipped } = tokenKl(element(logProbs, t), element(reference, t));
		sum += kl;
		if (clipped) totals.clipped++;
	}
	totals.sum += sum;
	totals.tokens += tokens;
	return sum;
}
