/**
 * A policy of nine numbers: one logit per token, independent of what came before. It samples, tells
 * log-probabilities, learns by AdamW on the true gradient and saves itself bit for bit, so the trainer can be
 * tested in milliseconds, with learning, resuming and divergence that are real.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GroveError } from '../../src-main/contract/errors.ts';
import type { Random } from '../../src-main/contract/random.ts';
import type {
	Policy,
	PolicyInfo,
	Prompt,
	SampledCompletion,
	SampledPrompt,
	SampleRequest,
	SamplingSettings,
	TrainSequence,
	UpdateResult,
	UpdateSettings,
} from '../../src-main/policy/policy.ts';

const eosId = 0;
const padId = 1;
/** Letters of the other tokens: id 2 is 'a', 8 is 'g'. */
const letters = 'abcdefg';
const vocabulary = letters.length + 2;

export interface FakePolicyOptions {
	/** Starting logit per token id; zeros are uniform, the padding token is never sampled. */
	logits?: readonly number[];
	/** Refuses prompts that contain this text, as a real policy refuses prompts that are too long. */
	refuses?: string;
	/** Whether the loss of an update (0-based) is NaN. */
	isNotFinite?: (update: number) => boolean;
	padTokenId?: number;
}

interface Weights {
	logits: number[];
	first: number[];
	second: number[];
	count: number;
}

export class FakePolicy implements Policy {
	readonly info: PolicyInfo;
	/** Sizes of the batches sampled so far. */
	readonly sampledBatches: number[] = [];
	readonly sampledPrompts: string[] = [];
	readonly updates: (readonly TrainSequence[])[] = [];
	readonly settings: UpdateSettings[] = [];
	#weights: Weights;
	readonly #start: readonly number[];
	readonly #options: FakePolicyOptions;

	constructor(options: FakePolicyOptions = {}) {
		const logits = [...(options.logits ?? Array.from({ length: vocabulary }, () => 0))];
		this.#start = [...logits];
		const zeros = () => logits.map(() => 0);
		this.#weights = { logits, first: zeros(), second: zeros(), count: 0 };
		this.#options = options;
		this.info = {
			model: 'fake',
			parameters: vocabulary,
			contextLength: 1000,
			padTokenId: options.padTokenId ?? padId,
			eosTokenIds: [eosId],
			hasChatTemplate: false,
			notes: [],
		};
	}

	get logits(): readonly number[] {
		return this.#weights.logits;
	}

	async sample(
		requests: readonly SampleRequest[],
		settings: SamplingSettings,
	): Promise<SampledPrompt[]> {
		await Promise.resolve();
		for (const { prompt } of requests) this.#refuse(promptText(prompt));
		this.sampledBatches.push(requests.length);
		return requests.map(({ prompt, samples, random }) => {
			const text = promptText(prompt);
			this.sampledPrompts.push(text);
			return {
				text,
				promptTokenIds: [...text].map((_, index) => 2 + (index % letters.length)),
				promptTokensCut: 0,
				completions: Array.from({ length: samples }, (_, k) => this.#complete(random(k), settings)),
			};
		});
	}

	async logProbs(sequences: readonly TrainSequence[]): Promise<number[][]> {
		await Promise.resolve();
		return sequences.map((sequence) => logProbsUnder(this.#weights.logits, sequence));
	}

	async referenceLogProbs(sequences: readonly TrainSequence[]): Promise<number[][]> {
		await Promise.resolve();
		return sequences.map((sequence) => logProbsUnder(this.#start, sequence));
	}

	async update(
		sequences: readonly TrainSequence[],
		settings: UpdateSettings,
	): Promise<UpdateResult> {
		await Promise.resolve();
		this.updates.push(sequences);
		this.settings.push(settings);
		const tokens = sequences.reduce((sum, { completionTokenIds: ids }) => sum + ids.length, 0);
		if (this.#options.isNotFinite?.(this.updates.length - 1) === true) {
			return { loss: NaN, gradNorm: NaN, applied: false, tokens };
		}
		const { loss, gradient } = this.#lossAndGradient(sequences);
		const gradNorm = Math.hypot(...gradient);
		const clip = Math.min(1, (settings.maxGradNorm ?? Infinity) / (gradNorm + 1e-12));
		this.#step(
			gradient.map((g) => g * clip),
			settings,
		);
		return { loss, gradNorm, applied: true, tokens };
	}

	tokenPieces(tokenIds: readonly number[]): string[] {
		return tokenIds.map((id) => letters[id - 2] ?? '');
	}

	async save(folder: string): Promise<void> {
		await this.saveTrainingState(folder);
	}

	async saveTrainingState(folder: string): Promise<void> {
		await Promise.resolve();
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, 'fake.json'), JSON.stringify(this.#weights));
	}

	async loadTrainingState(folder: string): Promise<void> {
		await Promise.resolve();
		this.#weights = JSON.parse(readFileSync(join(folder, 'fake.json'), 'utf8')) as Weights;
	}

	dispose(): void {
		this.sampledBatches.length = 0;
	}

	#refuse(text: string): void {
		const { refuses } = this.#options;
		if (refuses === undefined || !text.includes(refuses)) return;
		throw new GroveError('bad-input', { what: `the prompt contains ${refuses}` });
	}

	#complete(random: Random, settings: SamplingSettings): SampledCompletion {
		const logProbs = logSoftmax(this.#weights.logits);
		const completion: SampledCompletion = {
			text: '',
			tokenIds: [],
			logProbs: [],
			finishReason: 'length',
		};
		while (completion.tokenIds.length < settings.maxNewTokens) {
			const id = this.#draw(random, settings.temperature);
			completion.tokenIds.push(id);
			completion.logProbs.push(logProbs[id] ?? NaN);
			completion.text += letters[id - 2] ?? '';
			if (id === eosId) {
				completion.finishReason = 'eos';
				break;
			}
		}
		return completion;
	}

	#draw(random: Random, temperature: number): number {
		const { logits } = this.#weights;
		const allowed = logits.map((logit, id) => (id === padId ? -Infinity : logit));
		if (temperature === 0) return allowed.indexOf(Math.max(...allowed));
		const probabilities = logSoftmax(allowed.map((logit) => logit / temperature)).map(Math.exp);
		let rest = random.uniform();
		for (const [id, probability] of probabilities.entries()) {
			rest -= probability;
			if (rest < 0) return id;
		}
		return vocabulary - 1;
	}

	/** d(Σ c·ℓ)/d logits = Σ c (count of the token − scored · softmax). */
	#lossAndGradient(sequences: readonly TrainSequence[]): { loss: number; gradient: number[] } {
		const logProbs = logSoftmax(this.#weights.logits);
		const gradient = logProbs.map(() => 0);
		let loss = 0;
		for (const { completionTokenIds, scoredTokens, coefficient } of sequences) {
			for (const id of completionTokenIds.slice(0, scoredTokens)) {
				loss += coefficient * (logProbs[id] ?? NaN);
				for (const [other, logProb] of logProbs.entries()) {
					const hit = other === id ? 1 : 0;
					gradient[other] = (gradient[other] ?? 0) + coefficient * (hit - Math.exp(logProb));
				}
			}
		}
		return { loss, gradient };
	}

	#step(gradient: readonly number[], settings: UpdateSettings): void {
		const { logits, first, second } = this.#weights;
		const { beta1, beta2, epsilon, learningRate, weightDecay } = settings;
		const count = ++this.#weights.count;
		for (const [id, g] of gradient.entries()) {
			const m = beta1 * (first[id] ?? 0) + (1 - beta1) * g;
			const v = beta2 * (second[id] ?? 0) + (1 - beta2) * g * g;
			first[id] = m;
			second[id] = v;
			const step = m / (1 - beta1 ** count) / (Math.sqrt(v / (1 - beta2 ** count)) + epsilon);
			const logit = logits[id] ?? 0;
			logits[id] = logit - learningRate * (step + weightDecay * logit);
		}
	}
}

function promptText(prompt: Prompt): string {
	if (typeof prompt === 'string') return prompt;
	return prompt.map(({ role, content }) => `${role}: ${content}`).join('\n');
}

function logProbsUnder(logits: readonly number[], sequence: TrainSequence): number[] {
	const logProbs = logSoftmax(logits);
	return sequence.completionTokenIds.map((id) => logProbs[id] ?? NaN);
}

function logSoftmax(logits: readonly number[]): number[] {
	const largest = Math.max(...logits);
	const sum = logits.reduce((total, logit) => total + Math.exp(logit - largest), 0);
	return logits.map((logit) => logit - largest - Math.log(sum));
}
