/** Sampling all prompts and all their samples together, one token per row and step. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Random } from '../contract/random.ts';
import type { FinishReason } from '../contract/tree.ts';
import type { Engine } from './engine.ts';
import { chooseToken, type TokenChoice } from './sampler.ts';

export interface GenerationRequest {
	promptTokenIds: readonly number[];
	samples: number;
	random: (sample: number) => Random;
}

export interface GenerationSettings extends TokenChoice {
	maxNewTokens: number;
	stop: readonly string[];
}

export interface Generated {
	tokenIds: number[];
	logProbs: number[];
	finishReason: FinishReason;
}

/** What generation needs to know of the tokens. */
export interface Ending {
	eosTokenIds: ReadonlySet<number>;
	/** Text of a completion, for stop strings. */
	decode: (tokenIds: readonly number[]) => string;
}

interface Row extends Generated {
	random: Random;
	/** Ids of prompt and completion; null without a repetition penalty. */
	present: Set<number> | null;
}

/** How long computation may hold up messages to the process. */
const longestTurnMs = 100;

/** One list of completions per request, in order; cut short once the signal is given. */
export async function generate(
	engine: Engine,
	requests: readonly GenerationRequest[],
	settings: GenerationSettings,
	ending: Ending,
	signal?: AbortSignal,
): Promise<Generated[][]> {
	const rows = requests.map((request) =>
		Array.from({ length: request.samples }, (_, sample): Row => {
			return {
				tokenIds: [],
				logProbs: [],
				finishReason: 'length',
				random: request.random(sample),
				present: settings.repetitionPenalty === 1 ? null : new Set(request.promptTokenIds),
			};
		}),
	);
	const decoding = await engine.decode(
		requests.map(({ promptTokenIds }) => promptTokenIds),
		requests.map(({ samples }) => samples),
		settings.maxNewTokens,
	);
	try {
		let active = rows.flat();
		let turnStart = performance.now();
		while (active.length > 0) {
			const going: number[] = [];
			active.forEach((row, index) => {
				const at = index * engine.outputVocabulary;
				const logits = decoding.logits.subarray(at, at + engine.outputVocabulary);
				const token = chooseToken(logits, settings, row.present, row.random);
				row.tokenIds.push(token);
				row.logProbs.push(decoding.logProbs[at + token] ?? NaN);
				row.present?.add(token);
				const finish = finishOf(row.tokenIds, settings, ending);
				if (finish === null) going.push(index);
				else row.finishReason = finish;
			});
			if (going.length === 0 || signal?.aborted === true) break;
			decoding.keep(going);
			active = going.map((index) => active[index]).filter((row) => row !== undefined);
			await decoding.advance(Int32Array.from(active, (row) => row.tokenIds.at(-1) ?? 0));
			if (performance.now() - turnStart > longestTurnMs) {
				await nextTurn();
				turnStart = performance.now();
			}
		}
	} finally {
		decoding.dispose();
	}
	return rows.map((samples) =>
		samples.map(({ tokenIds, logProbs, finishReason }) => ({ tokenIds, logProbs, finishReason })),
	);
}

function finishOf(
	tokenIds: readonly number[],
	settings: GenerationSettings,
	ending: Ending,
): FinishReason | null {
	if (ending.eosTokenIds.has(tokenIds.at(-1) ?? -1)) return 'eos';
	if (endsWithStop(tokenIds, settings.stop, ending.decode)) return 'stop';
	return tokenIds.length >= settings.maxNewTokens ? 'length' : null;
}

/** Whether a stop string is in the text now. Tokens before the last few were looked at in earlier steps. */
function endsWithStop(
	tokenIds: readonly number[],
	stop: readonly string[],
	decode: (tokenIds: readonly number[]) => string,
): boolean {
	if (stop.length === 0) return false;
	// A token gives at least one byte unless it is special, and a character has at most four.
	const longest = Math.max(...stop.map((text) => text.length));
	const found = (ids: readonly number[]): boolean => {
		const text = decode(ids);
		return stop.some((wanted) => text.includes(wanted));
	};
	return found(tokenIds.slice(-4 * (longest + 2))) && found(tokenIds);
}
