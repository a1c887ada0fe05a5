/**
 * What the trainer needs of a model: to sample, to tell log-probabilities, to learn, to be saved.
 * The algorithm (`magrpo/`) sees this interface only, so tests run it on a few lines of fake policy.
 */
import type { Random } from '../contract/random.ts';
import type { FinishReason } from '../contract/tree.ts';

export interface ChatMessage {
	role: string;
	content: string;
}

/** Plain text, or messages for a model with a chat template. */
export type Prompt = string | readonly ChatMessage[];

export interface SamplingSettings {
	maxNewTokens: number;
	/** 0 is greedy. */
	temperature: number;
	topP: number;
	/** null or 0: off. */
	topK: number | null;
	minP: number;
	repetitionPenalty: number;
	stop: readonly string[];
}

export interface SampleRequest {
	prompt: Prompt;
	/** Completions wanted for this prompt (G). */
	samples: number;
	/**
	 * Drives this prompt's samples alone, so that texts do not depend on what else is in the batch:
	 * sample k draws from `random(k)`, which must return an equal stream at each call.
	 */
	random: (sample: number) => Random;
}

export interface SampledCompletion {
	/** Decoded without special tokens; at most one U+FFFD where the limit cut a character. */
	text: string;
	/** Exactly the sampled ids, the end token included if one was sampled. */
	tokenIds: number[];
	/** Log-probability of each token at temperature 1 over the full softmax. Same length as `tokenIds`. */
	logProbs: number[];
	finishReason: FinishReason;
}

export interface SampledPrompt {
	/** The text that was tokenised. */
	text: string;
	promptTokenIds: number[];
	/** Tokens cut on the left to fit the context; 0 as a rule. */
	promptTokensCut: number;
	completions: SampledCompletion[];
}

/** One prompt with one completion, as the loss sees it. */
export interface TrainSequence {
	promptTokenIds: readonly number[];
	/** May go on after the end token with padding (compat). */
	completionTokenIds: readonly number[];
	/** How many leading tokens of the completion are scored. */
	scoredTokens: number;
	/**
	 * c in loss = Σ c·ℓ, where ℓ is the sum of the scored tokens' log-probabilities
	 * (temperature 1, full softmax). For a group of n: c = −advantage / (n · batch), magrpo.md 2.10.
	 */
	coefficient: number;
}

export interface UpdateSettings {
	learningRate: number;
	weightDecay: number;
	beta1: number;
	beta2: number;
	epsilon: number;
	/** null: no clipping. */
	maxGradNorm: number | null;
	/** Upper bound of tokens (padding included) in one forward and backward pass. */
	microBatchTokens: number;
}

export interface UpdateResult {
	/** Σ c·ℓ. */
	loss: number;
	/** Before clipping. */
	gradNorm: number;
	/** False where loss or gradient was not finite: nothing was changed, moments included. */
	applied: boolean;
	/** Tokens that went through the model, padding not counted. */
	tokens: number;
}

export interface PolicyInfo {
	/** As configured: `bundled:NAME`, folder or Hub id. */
	model: string;
	parameters: number;
	contextLength: number;
	/** Used for padding in compat mode; falls back to the first end token. */
	padTokenId: number;
	eosTokenIds: readonly number[];
	hasChatTemplate: boolean;
	/** Remarks made while loading, e.g. an unknown extra tensor. */
	notes: readonly string[];
}

export interface Policy {
	readonly info: PolicyInfo;

	/**
	 * Samples all prompts in one batch. Throws GroveError (bad-input, device). Once the signal is given, it ends
	 * soon with whatever it has, which is of no use.
	 */
	sample(
		requests: readonly SampleRequest[],
		settings: SamplingSettings,
		signal?: AbortSignal,
	): Promise<SampledPrompt[]>;

	/**
	 * Log-probabilities of every completion token, temperature 1, full softmax, current weights.
	 * One array per sequence, of the length of its completion.
	 */
	logProbs(sequences: readonly TrainSequence[]): Promise<number[][]>;

	/** The same under the frozen starting weights; needs `keepReference` at loading. */
	referenceLogProbs(sequences: readonly TrainSequence[]): Promise<number[][]>;

	/** One AdamW step on the summed loss of all sequences. */
	update(sequences: readonly TrainSequence[], settings: UpdateSettings): Promise<UpdateResult>;

	/** Pieces of text per token whose concatenation is the decoded whole, byte for byte. */
	tokenPieces(tokenIds: readonly number[]): string[];

	/** Writes a complete Hugging Face folder (config, generation config, weights, tokenizer files). */
	save(folder: string): Promise<void>;

	/** Writes what resuming needs beyond `save`: fp32 master weights, AdamW moments, counters. Bit-exact. */
	saveTrainingState(folder: string): Promise<void>;
	loadTrainingState(folder: string): Promise<void>;

	dispose(): void;
}
