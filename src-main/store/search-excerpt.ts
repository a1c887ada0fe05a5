/** The part of a text that a hit shows. */
const before = 60;
const length = 240;
const marksShown = 50;

export interface Excerpt {
	excerpt: string;
	/** [start, end) within the excerpt, UTF-16 units. */
	marks: [number, number][];
}

/** Whether a cut here would part the two halves of one character. */
function splitsPair(text: string, at: number): boolean {
	const unit = text.charCodeAt(at);
	const previous = text.charCodeAt(at - 1);
	return unit >= 0xdc00 && unit <= 0xdfff && previous >= 0xd800 && previous <= 0xdbff;
}

/** Around the first mark; the beginning of the text where there is none. */
export function excerptOf(text: string, marks: readonly (readonly [number, number])[]): Excerpt {
	const first = marks[0]?.[0] ?? 0;
	let start = Math.max(0, first - before);
	if (splitsPair(text, start)) start--;
	let end = Math.min(text.length, start + length);
	if (splitsPair(text, end)) end--;
	const head = start > 0 ? '…' : '';
	const tail = end < text.length ? '…' : '';
	const shift = head.length - start;
	return {
		excerpt: `${head}${text.slice(start, end)}${tail}`,
		marks: marks
			.filter(([from, to]) => from >= start && to <= end)
			.slice(0, marksShown)
			.map(([from, to]) => [from + shift, to + shift]),
	};
}
