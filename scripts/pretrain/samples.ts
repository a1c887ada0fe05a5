/** A page of what a model writes: fixed prompts, seeded samples. */
import { Random } from '../../src-main/contract/random.ts';
import type { Policy, SampledPrompt } from '../../src-main/policy/index.ts';

export const samplePrompts = [
	'Describe a city in the clouds:',
	'Invent a new holiday and explain it:',
	'Write a bedtime story for a dragon:',
	'Design a playground on Mars:',
	'Explain why the sky is blue:',
	'List three things for a picnic in the park:',
	'Tell a story about a shy robot who wanted to fly:',
	'Invent an umbrella for lonely cats:',
	'Name a brave mouse:',
	'Write a poem about the sea:',
	'Describe a library under the sea in one short sentence:',
	'Describe a library under the sea in detail:',
] as const;

const settings = {
	maxNewTokens: 64,
	temperature: 0.8,
	topP: 0.95,
	topK: null,
	minP: 0,
	repetitionPenalty: 1,
	stop: [],
};

/** Three answers to each prompt. */
export async function sampleAnswers(policy: Policy): Promise<SampledPrompt[]> {
	return policy.sample(
		samplePrompts.map((prompt) => ({
			prompt,
			samples: 3,
			random: (sample) => Random.from('samples', prompt, sample),
		})),
		settings,
	);
}

export function samplePage(name: string, samples: readonly SampledPrompt[]): string {
	const sections = samples.map(
		({ text, completions }) =>
			`**${text}**\n\n${completions.map((one) => `- ${one.text.trim()}`).join('\n')}`,
	);
	return [
		`# Samples of ${name}`,
		`Temperature ${settings.temperature}, top-p ${settings.topP}, at most ${settings.maxNewTokens} tokens, the first three seeds, nothing left out.`,
		...sections,
		'',
	].join('\n\n');
}
