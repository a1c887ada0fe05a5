/** A decoder's shape, read from config.json; the one description that model files and compute share. */

export type RopeScaling =
	| { kind: 'none' }
	| { kind: 'linear'; factor: number }
	| {
			kind: 'llama3';
			factor: number;
			lowFreqFactor: number;
			highFreqFactor: number;
			originalMaxPositions: number;
	  };

export interface ModelConfig {
	family: 'qwen2' | 'qwen3' | 'llama';
	vocabSize: number;
	hiddenSize: number;
	intermediateSize: number;
	layers: number;
	heads: number;
	kvHeads: number;
	headDim: number;
	rmsNormEps: number;
	ropeTheta: number;
	ropeScaling: RopeScaling;
	tieWordEmbeddings: boolean;
	/** Biases on q, k, v (Qwen2 always; Llama by attention_bias). */
	qkvBias: boolean;
	/** Bias on the attention output (Llama by attention_bias). */
	outputBias: boolean;
	/** Biases on gate, up, down (Llama by mlp_bias). */
	mlpBias: boolean;
	/** Per-head RMSNorm of q and k (Qwen3). */
	qkNorm: boolean;
	maxPositions: number;
}

/** Name → fp32 values and shape, with the names of the Hugging Face checkpoints (`model.layers.0.self_attn.q_proj.weight`, `[out, in]`). */
export type Weights = Map<string, { shape: readonly number[]; data: Float32Array }>;
