import type { RunRecord } from '../../src-main/contract/run-record.ts';

type Named = Pick<RunRecord, 'id' | 'name'>;

/** The last characters of the id: enough for a person to tell runs of one name apart. */
export function shortId(id: string): string {
	return id.length <= 6 ? id : id.slice(-6);
}

/** The shown name of one run; a run without a name is called by its id. */
export function runName(run: Named): string {
	return run.name.trim() === '' ? `run ${shortId(run.id)}` : run.name;
}

/** Shown names of several runs, by id: those that would read the same get their short id behind. */
export function distinctNames(runs: readonly Named[]): Map<string, string> {
	const uses = new Map<string, number>();
	for (const run of runs) uses.set(runName(run), (uses.get(runName(run)) ?? 0) + 1);
	return new Map(
		runs.map((run) => {
			const name = runName(run);
			return [run.id, (uses.get(name) ?? 0) > 1 ? `${name} · ${shortId(run.id)}` : name];
		}),
	);
}
