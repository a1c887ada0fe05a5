/** The one entrance of `policy/` for `runs/`, `cli/` and tests; the parts behind it may move. */
export type {
	ChatMessage,
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
} from './policy.ts';
export { createDecoderPolicy, type DecoderOptions } from './decoder-policy.ts';
export type { ModelConfig, Weights } from './model-config.ts';
export { loadPolicy, type LoadPolicyOptions } from './load-policy.ts';
export { describeModel, listModels } from './list-models.ts';
export { loadTokenizer, type PolicyTokenizer } from './tokenizer.ts';
export { resolveModel } from './model-ref.ts';
export { downloadModel } from './hub.ts';
export { readFolderConfig } from './model-folder.ts';
export { parameterLayout } from './parameters.ts';
