/** An element that must be there; its absence is a bug, not an input error. */
export function element<T>(items: readonly T[], index: number): T {
	const item = items[index];
	if (item === undefined) throw new RangeError(`no element ${index} in a list of ${items.length}`);
	return item;
}
