/** AdamW on flat arrays (Loshchilov and Hutter, 2019), in the form and order of torch.optim.AdamW. */
import type { AdamWStep } from '../engine.ts';

/** Changes `weights`, `first` and `second` in place. */
export function adamW(
	weights: Float32Array,
	gradient: Float32Array,
	first: Float32Array,
	second: Float32Array,
	step: AdamWStep,
): void {
	const { beta1, beta2, epsilon, gradientScale } = step;
	const keep = 1 - step.learningRate * step.weightDecay;
	const stepSize = step.learningRate / (1 - beta1 ** step.step);
	const secondScale = 1 / Math.sqrt(1 - beta2 ** step.step);
	// The loop covers every weight of the model; `as number` spares a check per element that cannot fail.
	for (let i = 0; i < weights.length; i++) {
		const g = (gradient[i] as number) * gradientScale;
		const m = (first[i] as number) + (g - (first[i] as number)) * (1 - beta1);
		const v = (second[i] as number) * beta2 + g * g * (1 - beta2);
		first[i] = m;
		second[i] = v;
		weights[i] =
			(weights[i] as number) * keep - (stepSize * m) / (Math.sqrt(v) * secondScale + epsilon);
	}
}

/** Euclidean norm; NaN or infinite if any entry is. */
export function euclideanNorm(values: Float32Array): number {
	let sum = 0;
	for (const value of values) sum += value * value;
	return Math.sqrt(sum);
}
