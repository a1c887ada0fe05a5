/** Finding an entry of the command palette by letters that occur in their order. */
export interface PaletteEntry {
	id: string;
	label: string;
	/** What kind of thing it is, shown at the side. */
	kind: string;
	/** Keys that do the same, for learning. */
	keys?: string;
}

/** Lower is better; null where the letters do not occur. Beginnings of words count for more. */
export function paletteScore(label: string, typed: string): number | null {
	const text = label.toLowerCase();
	const wanted = typed.toLowerCase().replaceAll(/\s+/gu, '');
	let at = 0;
	let score = 0;
	for (const letter of wanted) {
		const found = text.indexOf(letter, at);
		if (found < 0) return null;
		const startsWord = found === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(found - 1));
		score += found === at && at > 0 ? 0 : startsWord ? 1 : 3 + Math.min(5, found - at);
		at = found + letter.length;
	}
	return score + text.length / 1000;
}

/** The best entries for what was typed; all, in their order, where nothing was. */
export function searchPalette<T extends PaletteEntry>(
	entries: readonly T[],
	typed: string,
	most: number,
): T[] {
	if (typed.trim() === '') return entries.slice(0, most);
	return entries
		.flatMap((entry) => {
			const score = paletteScore(entry.label, typed);
			return score === null ? [] : [{ entry, score }];
		})
		.toSorted((a, b) => a.score - b.score)
		.slice(0, most)
		.map(({ entry }) => entry);
}
