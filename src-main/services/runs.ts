/** The runs table and what can be done with runs. */
import type {
	BulkOutcome,
	RequestParams,
	RequestResults,
	RunProgress,
	RunRow,
} from '../contract/requests.ts';
import { checkpointFoldersOf, removeFolders } from './checkpoint-folders.ts';
import type { ServiceContext } from './context.ts';

function withLive(run: RunRow, live: ReadonlyMap<string, RunProgress>): RunRow {
	const progress = live.get(run.id);
	return progress === undefined ? run : { ...run, live: progress };
}

export function listRuns(
	params: RequestParams<'runs.list'>,
	{ records, runs }: ServiceContext,
): RequestResults['runs.list'] {
	// Before the rows: a change in between shows up as a newer revision, and is read again.
	const revision = records.revision();
	const listed = records.listRuns(params);
	const live = runs.live();
	return { ...listed, runs: listed.runs.map((run) => withLive(run, live)), revision };
}

export function getRun(
	{ id }: RequestParams<'runs.get'>,
	{ records, runs }: ServiceContext,
): RequestResults['runs.get'] {
	const found = records.getRun(id);
	return { ...found, run: withLive(found.run, runs.live()) };
}

/** Tells everyone of the rows that a change touched. */
function tell({ publisher, records }: ServiceContext, ids: readonly string[]): void {
	if (ids.length > 0)
		publisher.publish('runs.changed', { ids: [...ids], revision: records.revision() });
}

/** Applies `change` to the runs that do not train at present; the others are refused, each by itself. */
function unlessLive<Outcome extends BulkOutcome>(
	ids: readonly string[],
	context: ServiceContext,
	verb: string,
	change: (ids: readonly string[]) => Outcome,
): Outcome {
	const live = context.runs.live();
	const busy = ids.filter((id) => live.has(id));
	const outcome = change(ids.filter((id) => !live.has(id)));
	tell(context, outcome.done);
	const refused = busy.map((id) => {
		const what = `the run trains at present and cannot be ${verb}`;
		return {
			id,
			error: {
				kind: 'conflict' as const,
				message: what,
				complaints: [{ what, where: id, fix: 'stop it first' }],
			},
		};
	});
	return { ...outcome, refused: [...outcome.refused, ...refused] };
}

export function updateRuns(
	params: RequestParams<'runs.update'>,
	context: ServiceContext,
): RequestResults['runs.update'] {
	const outcome = context.records.updateRuns(params);
	tell(context, outcome.done);
	return outcome;
}

export function trashRuns(
	{ ids }: RequestParams<'runs.trash'>,
	context: ServiceContext,
): RequestResults['runs.trash'] {
	return unlessLive(ids, context, 'put in the trash', (free) => context.records.trashRuns(free));
}

export function restoreRuns(
	{ ids }: RequestParams<'runs.restore'>,
	context: ServiceContext,
): RequestResults['runs.restore'] {
	const outcome = context.records.restoreRuns(ids);
	tell(context, outcome.done);
	return outcome;
}

/** Removes runs for good, with their checkpoints. */
export async function purgeRuns(
	{ ids }: RequestParams<'runs.purge'>,
	context: ServiceContext,
): Promise<RequestResults['runs.purge']> {
	const { records } = context;
	const known = records.listRuns({ include: 'trash', keys: [], ids: [...ids] }).runs;
	const folders = checkpointFoldersOf(
		records,
		known.map((run) => run.id),
	);
	const outcome = unlessLive(ids, context, 'removed', (free) => records.purgeRuns(free));
	const gone = outcome.done.flatMap((id) => folders.get(id) ?? []);
	return { ...outcome, freedBytes: outcome.freedBytes + (await removeFolders(gone)) };
}

export function startRun(
	params: RequestParams<'runs.start'>,
	{ runs }: ServiceContext,
): Promise<RequestResults['runs.start']> {
	return runs.start(params);
}

export function stopRun(
	params: RequestParams<'runs.stop'>,
	{ runs }: ServiceContext,
): Promise<RequestResults['runs.stop']> {
	return runs.stop(params);
}

export function pauseRun(
	params: RequestParams<'runs.pause'>,
	{ runs }: ServiceContext,
): Promise<RequestResults['runs.pause']> {
	return runs.pause(params);
}

export function resumeRun(
	params: RequestParams<'runs.resume'>,
	{ runs }: ServiceContext,
): Promise<RequestResults['runs.resume']> {
	return runs.resume(params);
}

export function forkRun(
	params: RequestParams<'runs.fork'>,
	{ runs }: ServiceContext,
): Promise<RequestResults['runs.fork']> {
	return runs.fork(params);
}
