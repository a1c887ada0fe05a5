/** About this application, this machine, and one run's surroundings. */
import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import type { RequestParams, RequestResults } from '../contract/requests.ts';
import type { ServiceContext } from './context.ts';

export function appInfo(
	_params: RequestParams<'app.info'>,
	{ app, records }: ServiceContext,
): RequestResults['app.info'] {
	return {
		version: app.version,
		shell: app.shell,
		platform: process.platform,
		database: records.path,
		readOnly: records.readOnly,
		notices: [...app.notices],
	};
}

export function runDoctor(
	{ measure }: RequestParams<'doctor.run'>,
	{ devices }: ServiceContext,
): Promise<RequestResults['doctor.run']> {
	return devices(measure);
}

export async function listTasks(
	_params: RequestParams<'tasks.list'>,
	{ tasks }: ServiceContext,
): Promise<RequestResults['tasks.list']> {
	return { tasks: await tasks() };
}

export async function listModels(
	_params: RequestParams<'models.list'>,
	{ models }: ServiceContext,
): Promise<RequestResults['models.list']> {
	return { models: await models() };
}

/** The task that scored a run, and whether its file has changed since. */
export async function taskSource(
	{ runId }: RequestParams<'task.source'>,
	{ records }: ServiceContext,
): Promise<RequestResults['task.source']> {
	const stored = records.taskSource(runId);
	// A file that is gone or unreadable is shown as such: null.
	const bytes = stored.path === null ? null : await readFile(stored.path).catch(() => null);
	if (bytes === null) return { ...stored, changedSince: null, currentText: null };
	const changed = createHash('sha256').update(bytes).digest('hex') !== stored.hash;
	return {
		...stored,
		changedSince: changed,
		currentText: changed ? bytes.toString('utf8') : stored.text,
	};
}

export function listCheckpoints(
	{ runId }: RequestParams<'checkpoints.list'>,
	{ records }: ServiceContext,
): RequestResults['checkpoints.list'] {
	return records.listCheckpoints(runId);
}

export function listLogs(
	params: RequestParams<'logs.list'>,
	{ records }: ServiceContext,
): RequestResults['logs.list'] {
	return records.listLogs(params);
}
