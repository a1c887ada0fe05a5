/** Lines of runs drawn as groups: seeds of one setting as their mean with a band. */
import { groupRows, type BandKind } from './bands.ts';
import type { ChartLine } from './line.ts';

export interface RunGroup {
	/** Unique; groups of equal labels stay apart. */
	id: string;
	label: string;
}

/**
 * One line per group and metric, in the colour of its first run, with how many runs are in it. `groupOf`
 * gives the group of a run.
 */
export function groupLines(
	lines: readonly ChartLine[],
	groupOf: (runId: string) => RunGroup,
	kind: BandKind,
): ChartLine[] {
	const gathered = new Map<string, { group: RunGroup; members: ChartLine[] }>();
	for (const line of lines) {
		const group = groupOf(line.runId ?? '');
		const id = `${group.id}\n${line.key}`;
		const entry = gathered.get(id) ?? { group, members: [] };
		entry.members.push(line);
		gathered.set(id, entry);
	}
	return [...gathered].flatMap(([id, { group, members }]) => {
		const [first] = members;
		if (first === undefined) return [];
		const { x, mean, low, high } = groupRows(members, kind);
		return [
			{
				...first,
				id,
				label: `${group.label} (${members.length})`,
				runId: null,
				x,
				y: mean,
				raw: null,
				band: kind === 'none' ? null : { low, high },
				nonFinite: members.reduce((sum, line) => sum + line.nonFinite, 0),
				total: members.reduce((sum, line) => sum + line.total, 0),
			},
		];
	});
}
