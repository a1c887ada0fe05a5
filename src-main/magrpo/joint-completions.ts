/**
 * How the agents' completions at a node are joined. Each entry holds one completion index per agent.
 * aligned: the j-th of each agent, G entries. cross: every combination in lexicographic order, the last
 * agent fastest, G^N entries. One agent gives the same G entries either way.
 */
export function jointPicks(
	agents: number,
	generations: number,
	mode: 'aligned' | 'cross',
): number[][] {
	const indices = Array.from({ length: generations }, (_, index) => index);
	if (mode === 'aligned') return indices.map((j) => Array.from({ length: agents }, () => j));
	let picks: number[][] = [[]];
	for (let agent = 0; agent < agents; agent++) {
		picks = picks.flatMap((head) => indices.map((k) => [...head, k]));
	}
	return picks;
}
