/** From a model reference to a Policy that can be trained. */
import { type Device, tellingMemory } from '../compute/index.ts';
import type { RunConfig } from '../contract/config.ts';
import { createDecoderPolicy, type DecoderOptions } from './decoder-policy.ts';
import { downloadModel } from './hub.ts';
import { loadModelFolder, type ModelFolder } from './model-folder.ts';
import { resolveModel } from './model-ref.ts';
import { parameterLayout } from './parameters.ts';
import type { Policy } from './policy.ts';
import { saveModelFolder } from './save-folder.ts';

export interface LoadPolicyOptions {
	model: string;
	revision: string | null;
	/** Keep the starting weights for `referenceLogProbs`. */
	keepReference: boolean;
	prompts: Pick<
		RunConfig,
		'chat_template' | 'special_tokens_in_text' | 'max_prompt_tokens' | 'prompt_overflow'
	>;
	/** Where it is computed (`chooseDevice`); left out: on the CPU. */
	device?: Device | undefined;
	/** Bytes of a download. */
	onProgress: (done: number, total: number, file: string) => void;
}

/** Throws GroveError 'bad-input' (naming file, tensor or key), 'network' or 'device'. */
export async function loadPolicy(options: LoadPolicyOptions): Promise<Policy> {
	const { model, revision, keepReference, prompts, onProgress } = options;
	const path = await resolveModel(model, { revision, onProgress, download: downloadModel });
	const folder = await loadModelFolder(path);
	const { total } = parameterLayout(folder.config);
	const need = { what: `the weights of ${model}`, bytes: 4 * total * (keepReference ? 2 : 1) };
	const create = (): Policy =>
		createDecoderPolicy({
			model,
			where: path,
			config: folder.config,
			weights: folder.weights,
			tokenizer: folder.tokenizer,
			generation: folder.generation,
			notes: folder.notes,
			keepReference,
			tf: options.device?.tf ?? null,
			prompts: {
				chatTemplate: prompts.chat_template,
				specialTokensInText: prompts.special_tokens_in_text,
				maxPromptTokens: prompts.max_prompt_tokens,
				promptOverflow: prompts.prompt_overflow,
			},
			saveFolder: savingLike(folder),
		});
	return tellingMemory(need, create);
}

/** Holds on to what saving needs, and not to the weights that were read. */
function savingLike(folder: ModelFolder): DecoderOptions['saveFolder'] {
	const { path, config, configJson, generationJson } = folder;
	return (target, weights) =>
		saveModelFolder({ path, config, configJson, generationJson }, target, weights);
}
