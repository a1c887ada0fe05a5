/** Angles of the rotary position embedding (Su et al., 2021), with the scalings that Llama models use. */
import type { ModelConfig } from './model-config.ts';

/** Turns per position of each pair of head dimensions: `[headDim / 2]`, single precision as in PyTorch. */
export function inverseFrequencies(config: ModelConfig): Float32Array {
	const half = config.headDim / 2;
	const frequencies = new Float32Array(half);
	for (let i = 0; i < half; i++) {
		const plain = 1 / config.ropeTheta ** ((2 * i) / config.headDim);
		frequencies[i] = scaled(Math.fround(plain), config);
	}
	return frequencies;
}

function scaled(frequency: number, config: ModelConfig): number {
	const scaling = config.ropeScaling;
	switch (scaling.kind) {
		case 'none':
			return frequency;
		case 'linear':
			return frequency / scaling.factor;
		case 'llama3': {
			const wavelength = (2 * Math.PI) / frequency;
			if (wavelength > scaling.originalMaxPositions / scaling.lowFreqFactor)
				return frequency / scaling.factor;
			if (wavelength < scaling.originalMaxPositions / scaling.highFreqFactor) return frequency;
			const smooth =
				(scaling.originalMaxPositions / wavelength - scaling.lowFreqFactor) /
				(scaling.highFreqFactor - scaling.lowFreqFactor);
			return (1 - smooth) * (frequency / scaling.factor) + smooth * frequency;
		}
	}
}

export interface RotaryTable {
	/** `[positions, headDim / 2]` */
	cos: Float32Array;
	sin: Float32Array;
	/** −sin: turns back, for gradients. */
	negativeSin: Float32Array;
	positions: number;
}

/** Cosines and sines for positions 0 to `positions` − 1. */
export function rotaryTable(config: ModelConfig, positions: number): RotaryTable {
	const frequencies = inverseFrequencies(config);
	const half = frequencies.length;
	const cos = new Float32Array(positions * half);
	const sin = new Float32Array(positions * half);
	for (let position = 0; position < positions; position++) {
		for (let i = 0; i < half; i++) {
			const angle = Math.fround(position * (frequencies[i] ?? 0));
			cos[position * half + i] = Math.cos(angle);
			sin[position * half + i] = Math.sin(angle);
		}
	}
	return { cos, sin, negativeSin: sin.map((value) => -value), positions };
}
