/** README.md of a bundled model. */
import { ropeTheta, vocabularySize, type ModelRecipe } from './model-shapes.ts';

export interface CardFacts {
	parameters: number;
	/** Cross entropy on held-out answers, nats per token. */
	heldOutLoss: number;
	heldOutExamples: number;
	/** Tokens that went through the model in all, prompts counted. */
	sampleLines: readonly string[];
}

export function modelCard(recipe: ModelRecipe, facts: CardFacts): string {
	const { shape } = recipe;
	const examples = (recipe.steps * recipe.batch).toLocaleString('en-US');
	const parameters = facts.parameters.toLocaleString('en-US');
	return `---
license: mit
language: en
library_name: transformers
pipeline_tag: text-generation
---

# ${recipe.name}

A very small language model that comes with Grove. It is for ${recipe.purpose}: it needs no network and
no GPU, and it leaves training something to improve.

## What it is

- A causal decoder in Qwen2 layout with ${parameters} parameters: ${shape.layers} layers of width ${shape.hiddenSize}
  (feed-forward ${shape.intermediateSize}), ${shape.heads} heads, ${shape.kvHeads} key-value heads, tied embeddings, rotary base
  ${ropeTheta.toLocaleString('en-US')}, context ${shape.maxPositions} tokens. Weights are F16.
- A byte-level BPE tokenizer with ${vocabularySize} entries; digits stand alone; \`<|endoftext|>\` ends an answer and pads.
- A base model without a chat template: the prompt is plain text, and the answer follows it directly, beginning with a space.

## What it can do

It answers short open requests in English: describe, invent, design, explain, list, plan, name, tell a story, write a
poem, a letter, a recipe. Answers have one to five sentences, some 10 to 60 tokens. It often, not always, follows a
request for a short or a long answer, and feedback on the length of an earlier answer.

## Limits

It knows a small world of words and sentence patterns and nothing else. It has no knowledge to rely on, cannot reason
or calculate, and answers unusual requests with something else. It is not for any use beyond trying out training.

## How it was made

By \`npm run pretrain -- ${recipe.name}\` in Grove's repository, with nothing from elsewhere: the texts come from a grammar and
lexicon written for it (\`scripts/pretrain/corpus\`), the tokenizer was trained on them, and the weights were trained from
random ones by Grove's own policy and AdamW on the CPU: ${recipe.steps.toLocaleString('en-US')} updates of ${recipe.batch} examples each (${examples} examples,
each seen once), peak learning rate ${recipe.learningRate}, cosine schedule with warm-up. Everything is seeded.

## Measured

Held-out answers (${facts.heldOutExamples} examples of another seed, none of which was trained on): cross entropy
${facts.heldOutLoss.toFixed(3)} nats per token, **perplexity ${Math.exp(facts.heldOutLoss).toFixed(2)}**. Much of what is left is the free choice of
words that the grammar itself makes. More answers than these are in \`samples.md\`:

${facts.sampleLines.join('\n')}

## Licence

MIT, as Grove itself: texts, tokenizer and weights are the project's own.
`;
}
