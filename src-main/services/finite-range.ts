/** Smallest and largest finite value; a mean never leaves them, whatever rounding says. */
export function finiteRange(y: Float64Array): [number, number] {
	let low = Infinity;
	let high = -Infinity;
	for (let i = 0; i < y.length; i++) {
		const value = y[i] as number;
		if (!Number.isFinite(value)) continue;
		if (value < low) low = value;
		if (value > high) high = value;
	}
	return [low, high];
}
