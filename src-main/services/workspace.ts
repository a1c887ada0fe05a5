/** The database as a whole: its size, what leaves and enters it, and what people saved. */
import { GroveError } from '../contract/errors.ts';
import type { RequestParams, RequestResults } from '../contract/requests.ts';
import { checkpointFoldersOf, removeFolders } from './checkpoint-folders.ts';
import type { Records, ServiceContext } from './context.ts';

export function workspaceUsage(
	_params: RequestParams<'workspace.usage'>,
	{ records }: ServiceContext,
): RequestResults['workspace.usage'] {
	return records.usage();
}

export function dropTexts(
	{ runIds }: RequestParams<'workspace.dropTexts'>,
	{ records, publisher }: ServiceContext,
): RequestResults['workspace.dropTexts'] {
	const outcome = records.dropTexts(runIds);
	publisher.publish('runs.changed', { ids: [...runIds], revision: records.revision() });
	return outcome;
}

/** Removes what is in the trash for good, with its checkpoints. */
export async function removeTrash(
	records: Records,
): Promise<RequestResults['workspace.emptyTrash']> {
	const trash = records.listRuns({ include: 'trash', keys: [] }).runs.map((run) => run.id);
	const folders = checkpointFoldersOf(records, trash);
	const outcome = records.emptyTrash();
	return { ...outcome, freedBytes: outcome.freedBytes + (await removeFolders(folders.values())) };
}

export async function emptyTrash(
	_params: RequestParams<'workspace.emptyTrash'>,
	{ records, publisher }: ServiceContext,
): Promise<RequestResults['workspace.emptyTrash']> {
	const outcome = await removeTrash(records);
	publisher.publish('runs.changed', { ids: [], revision: records.revision() });
	return outcome;
}

export async function createExport(
	params: RequestParams<'export.create'>,
	{ records, exportsFolder, files }: ServiceContext,
): Promise<RequestResults['export.create']> {
	const written = await records.exportRuns(params, exportsFolder);
	return { ...written, download: files.offer(written.path, written.fileName) };
}

/** Throws 'bad-input' where the shell takes only uploads and the path is none. */
export async function importFile(
	{ path }: RequestParams<'import.file'>,
	{ records, publisher, files, importAnyFile }: ServiceContext,
): Promise<RequestResults['import.file']> {
	const uploaded = files.isUpload(path);
	if (!uploaded && !importAnyFile) {
		throw new GroveError('bad-input', {
			where: 'import.file',
			what: 'only an uploaded file can be imported here',
			given: path,
			fix: 'choose the file in the import dialog, or use `grove runs import` on the machine itself',
		});
	}
	try {
		const report = await records.importFile(path);
		publisher.publish('runs.changed', {
			ids: report.runs.map((run) => run.id),
			revision: records.revision(),
		});
		return report;
	} finally {
		if (uploaded) await files.discard(path);
	}
}

export function listSaved(
	{ kind }: RequestParams<'saved.list'>,
	{ records }: ServiceContext,
): RequestResults['saved.list'] {
	return records.listSaved(kind);
}

export function putSaved(
	params: RequestParams<'saved.put'>,
	{ records }: ServiceContext,
): RequestResults['saved.put'] {
	records.putSaved(params);
	return { saved: true };
}

export function removeSaved(
	params: RequestParams<'saved.remove'>,
	{ records }: ServiceContext,
): RequestResults['saved.remove'] {
	return records.removeSaved(params);
}
