/** The charts of the first screen: the two turns side by side with their difference, then the rest by what they are about. */
export interface ChartSection {
	/** Empty for the first one, which needs no heading. */
	title: string;
	keys: string[];
}

const firstKeys = ['turn_1/reward_mean', 'turn_2/reward_mean', 'reward_gain'];

function sectionOf(key: string): string {
	const turn = /^turn_(\d+)\//u.exec(key);
	if (turn !== null) return `Turn ${turn[1] ?? ''}`;
	const slash = key.indexOf('/');
	const head = slash < 0 ? '' : key.slice(0, slash);
	if (head === 'eval') return 'Evaluation';
	if (head === 'speed' || head === 'time') return 'Speed';
	if (head === 'system') return 'System';
	return head === '' ? 'Other' : head;
}

const last = ['Speed', 'System', 'Other'];

export function chartSections(keys: readonly string[]): ChartSection[] {
	const first = firstKeys.filter((key) => keys.includes(key));
	const groups = new Map<string, string[]>();
	for (const key of keys.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))) {
		if (first.includes(key)) continue;
		const title = sectionOf(key);
		groups.set(title, [...(groups.get(title) ?? []), key]);
	}
	const rank = (title: string): number =>
		title.startsWith('Turn ')
			? 0
			: title === 'Evaluation'
				? 1
				: 2 + last.indexOf(title) + (last.includes(title) ? 1 : 0);
	const rest = [...groups]
		.map(([title, members]) => ({ title, keys: members }))
		.toSorted(
			(a, b) =>
				rank(a.title) - rank(b.title) || a.title.localeCompare(b.title, 'en', { numeric: true }),
		);
	return first.length > 0 ? [{ title: '', keys: first }, ...rest] : rest;
}
