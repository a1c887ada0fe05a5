/** Learning rate of update `step` (from 0) of `steps`: linear warm-up, then half a cosine down to a twentieth. */
export function learningRateAt(step: number, steps: number, peak: number): number {
	const warmup = Math.min(100, Math.ceil(steps / 10));
	if (step < warmup) return (peak * (step + 1)) / warmup;
	const progress = (step - warmup) / Math.max(1, steps - warmup);
	const lowest = peak / 20;
	return lowest + 0.5 * (peak - lowest) * (1 + Math.cos(Math.PI * progress));
}
