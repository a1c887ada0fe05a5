/** A decoder as a Policy: tokens in and out of text, batches, one optimizer step; the engine does the arithmetic. */
import { mkdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Need, tellingMemory, type Tfjs } from '../compute/index.ts';
import { GroveError } from '../contract/errors.ts';
import { CpuEngine } from './cpu/cpu-engine.ts';
import type { Engine, TokenBatch, WeightSet } from './engine.ts';
import { generate, type GenerationRequest } from './generate.ts';
import { activationBytesPerToken, cacheBytesPerToken, trainingBytes } from './memory.ts';
import type { ModelConfig, Weights } from './model-config.ts';
import { flattenWeights, namedWeights, parameterLayout } from './parameters.ts';
import type { Policy, SampledPrompt, TrainSequence, UpdateResult } from './policy.ts';
import { promptTokens, type DecoderTokenizer, type PromptRules } from './prompt-tokens.ts';
import { makeBatches, type ScoredSequence } from './token-batches.ts';
import { TensorflowEngine } from './tensorflow/tensorflow-engine.ts';
import { readTrainingState, writeTrainingState } from './training-state.ts';

export interface DecoderOptions {
	/** As configured; shown as `info.model`. */
	model: string;
	/** Folder or file of the weights, for messages. */
	where: string;
	config: ModelConfig;
	weights: Weights;
	tokenizer: DecoderTokenizer;
	generation: {
		eosTokenIds: readonly number[];
		padTokenId: number | null;
		bosTokenId: number | null;
	};
	notes: readonly string[];
	/** Keep a frozen copy of the weights for `referenceLogProbs`. */
	keepReference: boolean;
	prompts: Pick<
		PromptRules,
		'chatTemplate' | 'specialTokensInText' | 'maxPromptTokens' | 'promptOverflow'
	>;
	/** tfjs with the backend to compute on; without one: the CPU engine, which needs none. */
	tf?: Tfjs | null;
	/** Writes the model folder around the current weights. */
	saveFolder: (folder: string, weights: Weights) => Promise<void>;
}

/** Keys and values of all rows that are sampled at once; more samples go in several waves. */
const cacheBudgetBytes = 2 * 2 ** 30;
/** Kept activations of one micro-batch; caps `microBatchTokens` for large models. */
const activationBudgetBytes = 1.5 * 2 ** 30;
/** Tokens of one forward pass where no gradient is wanted. */
const scoreTokens = 4096;

/**
 * Throws GroveError 'bad-input' if the weights are incomplete, misshapen or not finite, or the tokenizer
 * makes ids that the embedding does not have.
 */
export function createDecoderPolicy(options: DecoderOptions): Policy {
	const { config, tokenizer } = options;
	if (tokenizer.vocabSize > config.vocabSize) {
		throw new GroveError('bad-input', {
			what: 'the tokenizer makes ids that the embedding of the model does not have',
			where: options.where,
			expected: `at most ${config.vocabSize} ids (vocab_size of config.json)`,
			given: `${tokenizer.vocabSize} ids`,
			fix: 'use the tokenizer that belongs to the model, or resize the embedding',
		});
	}
	const layout = parameterLayout(config);
	const flat = flattenWeights(layout, options.weights, options.where);
	const { tf, keepReference } = options;
	const common = { config, layout, weights: flat, outputVocabulary: tokenizer.vocabSize };
	const engine: Engine =
		tf == null
			? new CpuEngine({ ...common, reference: keepReference ? flat.slice() : null })
			: new TensorflowEngine({ ...common, tf, keepReference });
	return new DecoderPolicy(options, engine, layout.total);
}

class DecoderPolicy implements Policy {
	readonly info: Policy['info'];
	readonly #options: Pick<DecoderOptions, 'model' | 'config' | 'tokenizer' | 'saveFolder'>;
	readonly #engine: Engine;
	readonly #rules: PromptRules;
	readonly #eosTokenIds: ReadonlySet<number>;
	#steps = 0;

	constructor(options: DecoderOptions, engine: Engine, parameters: number) {
		const { model, config, generation, tokenizer, saveFolder } = options;
		const { eosTokenIds, padTokenId, bosTokenId } = generation;
		// Not all of them: the weights that were read would stay beside the engine's own copy.
		this.#options = { model, config, tokenizer, saveFolder };
		this.#engine = engine;
		this.#eosTokenIds = new Set(eosTokenIds);
		this.#rules = {
			...options.prompts,
			contextLength: config.maxPositions,
			startTokenId: bosTokenId ?? eosTokenIds[0] ?? 0,
		};
		this.info = {
			model: options.model,
			parameters,
			contextLength: config.maxPositions,
			padTokenId: padTokenId ?? eosTokenIds[0] ?? 0,
			eosTokenIds,
			hasChatTemplate: tokenizer.hasChatTemplate,
			notes: options.notes,
		};
	}

	async sample(
		...[requests, settings, signal]: Parameters<Policy['sample']>
	): Promise<SampledPrompt[]> {
		const { tokenizer, config } = this.#options;
		const prompts = requests.map(({ prompt }) =>
			promptTokens(prompt, tokenizer, this.#rules, settings.maxNewTokens),
		);
		prompts.forEach(({ tokenIds }) => this.#checkIds(tokenIds));
		const results = prompts.map(({ text, tokenIds, cut }): SampledPrompt => {
			return { text, promptTokenIds: tokenIds, promptTokensCut: cut, completions: [] };
		});
		const waves = inWaves(
			requests.map(({ samples, random }, index) => {
				const promptTokenIds = prompts[index]?.tokenIds ?? [];
				const tokens = promptTokenIds.length + settings.maxNewTokens;
				return { index, promptTokenIds, samples, random, tokens };
			}),
			Math.max(1, Math.floor(cacheBudgetBytes / cacheBytesPerToken(config))),
		);
		const ending = {
			eosTokenIds: this.#eosTokenIds,
			decode: (tokenIds: readonly number[]) => tokenizer.decode(tokenIds),
		};
		for (const wave of waves) {
			if (signal?.aborted === true) break;
			const generated = await tellingMemory(this.#samplingNeed(wave), () =>
				generate(this.#engine, wave, settings, ending, signal),
			);
			wave.forEach(({ index }, i) => {
				for (const completion of generated[i] ?? []) {
					results[index]?.completions.push({ ...completion, text: this.#textOf(completion) });
				}
			});
		}
		return results;
	}

	#samplingNeed(wave: readonly WaveRequest[]): Need {
		const rows = wave.reduce((sum, { samples }) => sum + samples, 0);
		const longest = Math.max(...wave.map(({ tokens }) => tokens));
		return {
			what: `the keys and values of ${rows} completions of up to ${longest} tokens of ${this.info.model}`,
			bytes: rows * longest * cacheBytesPerToken(this.#options.config),
		};
	}

	#passNeed({ groups, rowsPerGroup, length }: TokenBatch, purpose: string): Need {
		const tokens = groups * rowsPerGroup * length;
		return {
			what: `${purpose} ${tokens} tokens at once with ${this.info.model}`,
			bytes: tokens * activationBytesPerToken(this.#options.config),
		};
	}

	#textOf({ tokenIds, finishReason }: { tokenIds: number[]; finishReason: string }): string {
		const words = finishReason === 'eos' ? tokenIds.slice(0, -1) : tokenIds;
		// A character cut by the limit may decode to one replacement character per byte.
		return this.#options.tokenizer.decode(words).replace(/\uFFFD+$/u, '\uFFFD');
	}

	logProbs(sequences: readonly TrainSequence[]): Promise<number[][]> {
		return this.#score(sequences, 'current');
	}

	referenceLogProbs(sequences: readonly TrainSequence[]): Promise<number[][]> {
		return this.#score(sequences, 'reference');
	}

	async #score(sequences: readonly TrainSequence[], weights: WeightSet): Promise<number[][]> {
		const wanted = sequences.map(({ promptTokenIds, completionTokenIds }) => {
			return { promptTokenIds, completionTokenIds };
		});
		const results: number[][] = sequences.map(() => []);
		for (const batch of makeBatches(this.#usable(wanted), scoreTokens)) {
			const logProbs = await tellingMemory(this.#passNeed(batch, 'scoring'), () =>
				this.#engine.score(batch, weights, null),
			);
			logProbs.forEach((value, i) => results[batch.owners[i] ?? 0]?.push(value));
			await nextTurn();
		}
		return results;
	}

	async update(...[sequences, settings]: Parameters<Policy['update']>): Promise<UpdateResult> {
		const scored = sequences.map(({ promptTokenIds, completionTokenIds, scoredTokens }) => {
			return { promptTokenIds, completionTokenIds: completionTokenIds.slice(0, scoredTokens) };
		});
		const affordable = activationBudgetBytes / activationBytesPerToken(this.#options.config);
		const budget = Math.min(settings.microBatchTokens, Math.max(1, Math.floor(affordable)));
		this.#engine.clearGradient();
		let loss = 0;
		let tokens = 0;
		for (const batch of makeBatches(this.#usable(scored), budget)) {
			const coefficients = Float32Array.from(
				batch.owners,
				(owner) => sequences[owner]?.coefficient ?? 0,
			);
			const logProbs = await tellingMemory(this.#passNeed(batch, 'training on'), () =>
				this.#engine.score(batch, 'current', coefficients),
			);
			logProbs.forEach((value, i) => {
				loss += value * (sequences[batch.owners[i] ?? 0]?.coefficient ?? 0);
			});
			tokens += batch.tokens;
			await nextTurn();
		}
		const gradNorm = await this.#engine.gradientNorm();
		if (!Number.isFinite(loss) || !Number.isFinite(gradNorm)) {
			return { loss, gradNorm, applied: false, tokens };
		}
		const { maxGradNorm } = settings;
		this.#steps++;
		await tellingMemory(this.#weightsNeed('weights, gradient and moments'), () =>
			this.#engine.applyAdamW({
				...settings,
				step: this.#steps,
				// The small term is torch.nn.utils.clip_grad_norm_'s.
				gradientScale: maxGradNorm === null ? 1 : Math.min(1, maxGradNorm / (gradNorm + 1e-6)),
			}),
		);
		return { loss, gradNorm, applied: true, tokens };
	}

	#weightsNeed(parts: string): Need {
		return {
			what: `${parts} of ${this.info.model}`,
			bytes: trainingBytes(this.info.parameters),
		};
	}

	/** Checks all ids and gives empty prompts their start token. */
	#usable(sequences: readonly ScoredSequence[]): ScoredSequence[] {
		return sequences.map(({ promptTokenIds, completionTokenIds }) => {
			this.#checkIds(promptTokenIds);
			this.#checkIds(completionTokenIds);
			const prompt = promptTokenIds.length === 0 ? [this.#rules.startTokenId] : promptTokenIds;
			return { promptTokenIds: prompt, completionTokenIds };
		});
	}

	/** One check for all backends: they answer a wrong id by an exception, zeros, or another row. */
	#checkIds(tokenIds: readonly number[]): void {
		const limit = this.#engine.outputVocabulary;
		const wrong = tokenIds.find((id) => !Number.isInteger(id) || id < 0 || id >= limit);
		if (wrong === undefined) return;
		throw new GroveError('bad-input', {
			what: 'a token id is outside the vocabulary of the model',
			where: this.#options.model,
			expected: `a whole number from 0 to ${limit - 1}`,
			given: String(wrong),
		});
	}

	tokenPieces(tokenIds: readonly number[]): string[] {
		return this.#options.tokenizer.tokenPieces(tokenIds);
	}

	async save(folder: string): Promise<void> {
		// Checked, so that nothing computed after an error of the device is ever saved.
		const flat = await tellingMemory(this.#weightsNeed('the weights'), () =>
			this.#engine.readWeights(),
		);
		const weights = namedWeights(parameterLayout(this.#options.config), flat);
		await this.#options.saveFolder(folder, weights);
	}

	async saveTrainingState(folder: string): Promise<void> {
		await mkdir(folder, { recursive: true });
		const state = await tellingMemory(this.#weightsNeed('weights and moments'), async () => ({
			steps: this.#steps,
			weights: await this.#engine.readWeights(),
			moments: await this.#engine.readMoments(),
		}));
		await writeTrainingState(folder, state);
	}

	async loadTrainingState(folder: string): Promise<void> {
		const state = await readTrainingState(folder, this.info.parameters);
		await this.#engine.writeState(state.weights, state.moments);
		this.#steps = state.steps;
	}

	dispose(): void {
		this.#engine.dispose();
	}
}

interface WaveRequest extends GenerationRequest {
	index: number;
	/** Cache positions that each of its samples may need. */
	tokens: number;
}

/** Cuts the requests into waves whose caches fit the budget; a request may be cut between its samples. */
function inWaves(requests: readonly WaveRequest[], budgetTokens: number): WaveRequest[][] {
	const waves: WaveRequest[][] = [];
	let wave: WaveRequest[] = [];
	// Within a wave every row has room for the longest.
	let rows = 0;
	let longest = 0;
	for (const request of requests) {
		for (let first = 0; first < request.samples;) {
			const tokens = Math.max(longest, request.tokens);
			const room = Math.floor(budgetTokens / tokens) - rows;
			const count = Math.min(request.samples - first, rows === 0 ? Math.max(1, room) : room);
			if (count < 1) {
				waves.push(wave);
				[wave, rows, longest] = [[], 0, 0];
				continue;
			}
			const offset = first;
			wave.push({ ...request, samples: count, random: (k) => request.random(k + offset) });
			rows += count;
			longest = tokens;
			first += count;
		}
	}
	if (wave.length > 0) waves.push(wave);
	return waves;
}
