/** The reward of the length-ratio tasks: the second text should be 2 to 3 times as long as the first. */

/** Length in characters as Python's `len` counts them: Unicode code points. */
export function characters(text: string): number {
	let count = 0;
	// A code point above U+FFFF takes two units; a lone surrogate counts as one, as it does in Python.
	for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count++;
	return count;
}

/** len(second) / max(len(first), 1). */
export function lengthRatio(first: string, second: string): number {
	return characters(second) / Math.max(characters(first), 1);
}

/** exp(−distance), where distance is 0 within [low, high], else that to the nearer bound. */
export function ratioReward(ratio: number, low: number, high: number): number {
	const distance = ratio < low ? low - ratio : ratio > high ? ratio - high : 0;
	return Math.exp(-distance);
}
