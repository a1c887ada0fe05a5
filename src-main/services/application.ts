/** About this application, this machine, and one run's surroundings. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
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

/** How a source of several files is stored: each after a line with its name. */
const partTitle = /^\/\/ ===== (.+) =====$/gmu;

/** What the files of a stored source hold by now, put together in the same way; null where one is gone. */
async function currentSource(path: string, stored: string): Promise<string | null> {
	const names = stored.startsWith('// ===== ')
		? [...stored.matchAll(partTitle)].map(([, name = '']) => name)
		: null;
	try {
		if (names === null) return await readFile(path, 'utf8');
		const parts = names.map(async (name) => {
			const text = await readFile(resolve(dirname(path), name), 'utf8');
			return `// ===== ${name} =====\n${text}`;
		});
		return (await Promise.all(parts)).join('\n');
	} catch {
		// Gone or unreadable: shown as unknown.
		return null;
	}
}

/** The task that scored a run, and whether its files have changed since. */
export async function taskSource(
	{ runId }: RequestParams<'task.source'>,
	{ records }: ServiceContext,
): Promise<RequestResults['task.source']> {
	const stored = records.taskSource(runId);
	const current =
		stored.path === null || stored.text === ''
			? null
			: await currentSource(stored.path, stored.text);
	return {
		...stored,
		changedSince: current === null ? null : current !== stored.text,
		currentText: current,
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
