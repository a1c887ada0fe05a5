/** What turns one sequence into another, by Myers' O(ND) algorithm (Myers 1986), in bounded time and memory. */

export interface DiffPart<T> {
	kind: 'same' | 'removed' | 'added';
	items: T[];
}

/** Beyond so many single edits the middle is shown as replaced: such texts have little in common. */
const mostEdits = 1000;

/**
 * Parts in order; `same` and `removed` together are `before`, `same` and `added` together are `after`.
 * Shortest where at most `mostEdits` single insertions and removals do.
 */
export function diffSequences<T>(before: readonly T[], after: readonly T[]): DiffPart<T>[] {
	let head = 0;
	while (head < before.length && head < after.length && before[head] === after[head]) head++;
	let tail = 0;
	const most = Math.min(before.length, after.length) - head;
	while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
	const parts: DiffPart<T>[] = [];
	push(parts, 'same', before.slice(0, head));
	diffMiddle(
		parts,
		before.slice(head, before.length - tail),
		after.slice(head, after.length - tail),
	);
	push(parts, 'same', before.slice(before.length - tail));
	return parts;
}

function push<T>(parts: DiffPart<T>[], kind: DiffPart<T>['kind'], items: readonly T[]): void {
	if (items.length === 0) return;
	const last = parts.at(-1);
	if (last?.kind === kind) last.items.push(...items);
	else parts.push({ kind, items: [...items] });
}

function diffMiddle<T>(parts: DiffPart<T>[], before: readonly T[], after: readonly T[]): void {
	const path = shortestPath(before, after);
	if (path === null) {
		push(parts, 'removed', before);
		push(parts, 'added', after);
		return;
	}
	for (const [kind, at] of path) {
		const item = kind === 'added' ? after[at] : before[at];
		if (item !== undefined) push(parts, kind, [item]);
	}
}

/** Steps from the start to the end of the edit graph; null where it would be too long. */
function shortestPath<T>(
	before: readonly T[],
	after: readonly T[],
): [DiffPart<T>['kind'], number][] | null {
	const limit = Math.min(before.length + after.length, mostEdits);
	const offset = limit + 1;
	// Furthest x on each diagonal k = x − y; a copy per number of edits leads the way back.
	const furthest = new Int32Array(2 * limit + 3);
	const history: Int32Array[] = [];
	for (let edits = 0; edits <= limit; edits++) {
		history.push(furthest.slice());
		for (let k = -edits; k <= edits; k += 2) {
			const down =
				k === -edits ||
				(k !== edits && (furthest[offset + k - 1] ?? 0) < (furthest[offset + k + 1] ?? 0));
			let x = down ? (furthest[offset + k + 1] ?? 0) : (furthest[offset + k - 1] ?? 0) + 1;
			while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
			furthest[offset + k] = x;
			if (x >= before.length && x - k >= after.length)
				return walkBack(history, offset, before.length, after.length);
		}
	}
	return null;
}

function walkBack(
	history: readonly Int32Array[],
	offset: number,
	fromX: number,
	fromY: number,
): [DiffPart<never>['kind'], number][] {
	const steps: [DiffPart<never>['kind'], number][] = [];
	let x = fromX;
	let y = fromY;
	for (let edits = history.length - 1; edits >= 0; edits--) {
		const furthest = history[edits] ?? new Int32Array();
		const k = x - y;
		const down =
			k === -edits ||
			(k !== edits && (furthest[offset + k - 1] ?? 0) < (furthest[offset + k + 1] ?? 0));
		const previousK = down ? k + 1 : k - 1;
		const previousX = edits === 0 ? 0 : (furthest[offset + previousK] ?? 0);
		const previousY = edits === 0 ? 0 : previousX - previousK;
		while (x > previousX && y > previousY) {
			steps.push(['same', --x]);
			y--;
		}
		if (edits === 0) break;
		if (down) steps.push(['added', --y]);
		else steps.push(['removed', --x]);
	}
	return steps.reverse();
}
