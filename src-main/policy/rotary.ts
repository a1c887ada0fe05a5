/** Angles of the rotary position embedding (Su et al., 2021), with the scalings that Llama models use. */
import type { ModelConfig } from './model-config.ts';

const { fround } = Math;

/**
 * Turns per position of each pair of head dimensions: `[headDim / 2]`. Every step is rounded to single precision
 * as in PyTorch: 40,000 positions later one wrong last digit here would be an angle wrong by 0.003.
 */
export function inverseFrequencies(config: ModelConfig): Float32Array {
	const half = config.headDim / 2;
	const frequencies = new Float32Array(half);
	for (let i = 0; i < half; i++) {
		const exponent = fround((2 * i) / config.headDim);
		const plain = fround(1 / fround(config.ropeTheta ** exponent));
		frequencies[i] = scaled(plain, config);
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
			const { factor, lowFreqFactor: low, highFreqFactor: high } = scaling;
			const wavelength = fround((2 * Math.PI) / frequency);
			if (wavelength > scaling.originalMaxPositions / low) return frequency / factor;
			if (wavelength < scaling.originalMaxPositions / high) return frequency;
			const turns = fround(scaling.originalMaxPositions / wavelength);
			const smooth = fround(fround(turns - low) / (high - low));
			const slowed = fround(fround(fround(1 - smooth) * frequency) / factor);
			return fround(slowed + fround(smooth * frequency));
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
