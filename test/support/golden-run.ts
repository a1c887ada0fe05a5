/** A run of the reference library as `test/golden/make_comlrl.py` wrote it down, and what replays it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isConfigKey, type RunConfig } from '../../src-main/contract/config.ts';
import type { FinishReason } from '../../src-main/contract/tree.ts';
import type {
	Policy,
	PolicyInfo,
	SampledPrompt,
	SampleRequest,
	TrainSequence,
	UpdateResult,
	UpdateSettings,
} from '../../src-main/policy/policy.ts';
import type { TurnContext } from '../../src-main/tasks/task.ts';
import { type FakeTask, fakeTask } from './fake-task.ts';
import { configOf } from './run-training.ts';

interface GoldenCompletion {
	text: string;
	tokenIds: number[];
	logProbs: number[];
	finishReason: FinishReason;
	/** Only where the run keeps a reference. */
	referenceLogProbs?: number[];
}

/** What the reference computed the loss of. */
export interface GoldenSample {
	agent: number;
	turn: number;
	envStep: number;
	promptTokenIds: number[];
	returns: number[];
	/** Minus the weighted reference KL. */
	effectiveReturns: number[];
	referenceKls: number[];
	/** Advantages before normalisation. */
	baselined: number[];
	/** Token ids per completion, padded to the longest. */
	columns: number[][];
	columnLogProbs: number[][];
	loss: number;
}

export interface Golden {
	config: Record<string, unknown>;
	items: string[];
	evalItems: string[];
	padTokenId: number;
	eosTokenId: number;
	envStep: number;
	/** `[agent, prompt]` as JSON → its answers in the order in which they were asked for. */
	prompts: Record<string, { promptTokenIds: number[]; completions: GoldenCompletion[] }[]>;
	/** Texts of all agents as JSON → reward. */
	rewards: Record<string, number>;
	/** `[item prompt, ...texts, turn]` as JSON. */
	feedback: Record<
		string,
		{ prompts: string[]; promptHistory: string[][]; responseHistory: string[][] }
	>;
	samples: GoldenSample[];
	logs: { envStep: number; values: Record<string, number> }[];
}

export const goldenFolder = join(import.meta.dirname, '../golden/comlrl');

export function readGolden(name: string): Golden {
	return JSON.parse(readFileSync(join(goldenFolder, `${name}.json`), 'utf8')) as Golden;
}

/** The reference's own configuration, under compat. */
export function goldenConfig({ config }: Golden): RunConfig {
	const known = Object.entries(config).filter(([key]) => isConfigKey(key));
	return configOf({ ...Object.fromEntries(known), compat: 'comlrl' });
}

export function feedbackKey({ item, completions, turn }: TurnContext): string {
	return JSON.stringify([item.prompt, ...completions.map(({ text }) => text), turn]);
}

export function goldenTask(golden: Golden): FakeTask {
	const agents = Number(golden.config['num_agents']);
	const formatted = (prompt: string, agent: number) => `agent ${agent}, write ${prompt}.`;
	return fakeTask({
		agents,
		train: golden.items,
		eval: golden.evalItems,
		prompts: (item) => Array.from({ length: agents }, (_, agent) => formatted(item.prompt, agent)),
		reward: ({ completions }) =>
			golden.rewards[JSON.stringify(completions.map(({ text }) => text))] ?? NaN,
		feedback: (context) => {
			const rawPrompts = golden.feedback[feedbackKey(context)]?.prompts ?? [];
			return { kind: 'prompts', prompts: rawPrompts.map(formatted), rawPrompts };
		},
	});
}

/** Answers with the recorded completions; passes updates on to a real policy if it is given one. */
export class GoldenPolicy implements Policy {
	readonly info: PolicyInfo;
	/** Sequences of every update, in order. */
	readonly updates: (readonly TrainSequence[])[] = [];
	readonly #golden: Golden;
	readonly #agent: number;
	readonly #learner: Policy | null;
	readonly #asked = new Map<string, number>();
	readonly #references = new Map<string, number[]>();

	constructor(golden: Golden, agent: number, learner: Policy | null = null) {
		this.#golden = golden;
		this.#agent = agent;
		this.#learner = learner;
		this.info = {
			model: 'golden',
			parameters: 0,
			contextLength: 512,
			padTokenId: golden.padTokenId,
			eosTokenIds: [golden.eosTokenId],
			hasChatTemplate: false,
			notes: [],
		};
	}

	async sample(requests: readonly SampleRequest[]): Promise<SampledPrompt[]> {
		await Promise.resolve();
		return requests.map(({ prompt }) => {
			if (typeof prompt !== 'string') throw new Error('the reference knows plain prompts only');
			const key = JSON.stringify([this.#agent, prompt]);
			const count = this.#asked.get(key) ?? 0;
			this.#asked.set(key, count + 1);
			const answer = this.#golden.prompts[key]?.[count];
			if (answer === undefined) throw new Error(`the reference was not asked ${key}, ${count}`);
			const { promptTokenIds, completions } = answer;
			for (const { tokenIds, referenceLogProbs } of completions) {
				if (referenceLogProbs === undefined) continue;
				this.#references.set(JSON.stringify([promptTokenIds, tokenIds]), referenceLogProbs);
			}
			return { text: prompt, promptTokenIds, promptTokensCut: 0, completions };
		});
	}

	async referenceLogProbs(sequences: readonly TrainSequence[]): Promise<number[][]> {
		await Promise.resolve();
		return sequences.map(({ promptTokenIds, completionTokenIds }) => {
			return this.#references.get(JSON.stringify([promptTokenIds, completionTokenIds])) ?? [];
		});
	}

	async logProbs(): Promise<number[][]> {
		return Promise.reject(new Error('not recorded'));
	}

	async update(
		sequences: readonly TrainSequence[],
		settings: UpdateSettings,
	): Promise<UpdateResult> {
		this.updates.push(sequences);
		if (this.#learner !== null) return this.#learner.update(sequences, settings);
		return { loss: 0, gradNorm: 0, applied: true, tokens: 0 };
	}

	tokenPieces(): string[] {
		return [];
	}

	async save(): Promise<void> {
		return Promise.reject(new Error('a replayed policy has no weights'));
	}

	async saveTrainingState(): Promise<void> {
		return this.save();
	}

	async loadTrainingState(): Promise<void> {
		return this.save();
	}

	dispose(): void {
		this.#learner?.dispose();
	}
}
