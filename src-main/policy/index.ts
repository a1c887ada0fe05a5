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
