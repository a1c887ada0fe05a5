import type { RunRecord } from '../../../src-main/contract/run-record.ts';
import type { Series } from '../../../src-main/contract/requests.ts';
import { runLook } from '../palette.ts';
import type { ChartLine } from './line.ts';

type Drawn = Pick<RunRecord, 'id' | 'colorIndex'>;

/**
 * One line per run and key. Several keys in one chart: a run keeps its colour, and the keys after
 * the first are told apart by their dash and label.
 */
export function runLines(
	series: readonly Series[],
	runs: readonly Drawn[],
	names: ReadonlyMap<string, string>,
	keys: readonly string[],
	smoothed: boolean,
	dark: boolean,
): ChartLine[] {
	const byId = new Map(runs.map((run) => [run.id, run]));
	const keyDashes: readonly (readonly number[])[] = [[], [6, 3], [2, 2.5], [9, 3, 2, 3]];
	return series.flatMap((one) => {
		const run = byId.get(one.runId);
		if (run === undefined || one.x.length === 0) return [];
		const look = runLook(run.colorIndex, dark);
		const place = Math.max(0, keys.indexOf(one.key));
		const name = names.get(run.id) ?? run.id;
		return [
			{
				id: `${run.id}\n${one.key}`,
				label: keys.length > 1 ? `${name} · ${one.key}` : name,
				runId: run.id,
				key: one.key,
				color: look.color,
				dash: place === 0 ? look.dash : (keyDashes[place % keyDashes.length] ?? []),
				x: one.x,
				y: smoothed ? one.smooth : one.y,
				raw: smoothed ? one.y : null,
				band: null,
				nonFinite: one.nonFinite,
				total: one.total,
			},
		];
	});
}
