/** Edit distance of Damerau and Levenshtein (adjacent swaps count one). */
function editDistance(a: string, b: string): number {
	let beforePrevious: number[] = [];
	let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
	for (let i = 1; i <= a.length; i++) {
		const current = [i];
		for (let j = 1; j <= b.length; j++) {
			const change = a[i - 1] === b[j - 1] ? 0 : 1;
			let best = Math.min(
				(previous[j] ?? 0) + 1,
				(current[j - 1] ?? 0) + 1,
				(previous[j - 1] ?? 0) + change,
			);
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
				best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1);
			}
			current.push(best);
		}
		beforePrevious = previous;
		previous = current;
	}
	return previous[b.length] ?? 0;
}

/**
 * The known name that a mistyped one most likely means, or undefined where none is near.
 * Case, `-` and `_` do not count; a name that is a run of whole words of a known one (`steps` of
 * `max_steps`) is nearer than a change of two letters.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
	if (name.length > 100) return undefined;
	const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_\s]/gu, '');
	const words = (word: string): string => `_${word.toLowerCase().replaceAll(/[-\s]/gu, '_')}_`;
	const wanted = plain(name);
	let nearest: string | undefined;
	let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
	for (const candidate of known) {
		let distance = editDistance(wanted, plain(candidate));
		if (wanted.length > 2 && words(candidate).includes(words(name)))
			distance = Math.min(distance, 1.5);
		if (distance < least && distance < Math.max(2, wanted.length)) {
			least = distance;
			nearest = candidate;
		}
	}
	return nearest;
}
