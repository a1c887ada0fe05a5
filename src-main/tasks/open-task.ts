/** Opens a task for a run: finds it, starts its process, loads its data. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { GroveError } from '../contract/errors.ts';
import { nearestName } from '../contract/nearest-name.ts';
import { builtInTasks } from './built-in/index.ts';
import { type DataConfig, loadDatasets } from './datasets/load-datasets.ts';
import type { LoadedTask, SourceFile } from './host/protocol.ts';
import { spawnNodeHost, type SpawnHost } from './spawn-host.ts';
import type { Task, TaskSource } from './task.ts';
import { TaskHost, type WaitNotice } from './task-host.ts';

export interface OpenTaskOptions extends Partial<DataConfig> {
	/** Name of a built-in task, or path of a task file. */
	task: string;
	/** `task_options` of the run. */
	options?: Record<string, unknown>;
	/** Null: as many as the task is for, else two. */
	numAgents: number | null;
	/** Names that the run gives its agents; null where it leaves them to the task. */
	agentNames?: readonly string[] | null;
	numTurns: number;
	seed: number | string;
	/** Of one call of the task's code. */
	timeLimitMs: number;
	memoryLimitMb: number;
	/** Relative paths start here. Default: the working folder. */
	baseFolder?: string;
	/** Prompts where neither the run nor the task has any. */
	fallbackPrompts?: readonly string[];
	/** True where the first failing reward or feedback ends the run: the rest of the turn is then not called. */
	failFast?: boolean;
	onLog?: (level: 'info' | 'warning' | 'error', text: string) => void;
	/** While task code takes long, and null when it has answered. */
	onWait?: (notice: WaitNotice | null) => void;
	spawn?: SpawnHost;
}

/** A task whose process runs, with what it says of itself. */
export interface OpenedTask extends Task {
	readonly summary: string;
	/** Turns it is meant for; null where it does not say. */
	readonly turns: number | null;
	readonly hasFeedback: boolean;
	readonly hasEvaluate: boolean;
}

/** Where a task's code is: a built-in name, or a file. Throws GroveError 'bad-input' with the nearest name. */
export function findTask(task: string, baseFolder: string): { builtIn: string } | { path: string } {
	if (Object.hasOwn(builtInTasks, task)) return { builtIn: task };
	const path = isAbsolute(task) ? task : resolve(baseFolder, task);
	if (existsSync(path)) return { path };
	const isPath = /[/\\]|\.[cm]?[jt]sx?$/u.test(task);
	const names = Object.keys(builtInTasks);
	const near = nearestName(task, names);
	throw new GroveError('bad-input', {
		where: 'task',
		what: isPath ? 'there is no such task file' : 'there is no such task',
		expected: isPath
			? 'an existing .ts, .js or .mjs file'
			: near === undefined
				? `${names.join(', ')}, or the path of a task file`
				: `perhaps ${near}`,
		given: isPath ? path : task,
		fix: isPath ? undefined : 'see `grove task list`, or write a file with `grove task new`',
	});
}

/** Throws GroveError: 'bad-input' for what a person can correct in files, 'task' where the task's code fails. */
export async function openTask(options: OpenTaskOptions): Promise<OpenedTask> {
	const baseFolder = options.baseFolder ?? process.cwd();
	const found = findTask(options.task, baseFolder);
	const path = 'path' in found ? found.path : null;
	const config = dataConfig(options);
	const host = new TaskHost({
		load: {
			task: 'path' in found ? { url: pathToFileURL(found.path).href } : found,
			options: options.options ?? {},
			numAgents: options.numAgents,
			agentNames: options.agentNames ?? null,
			seed: String(options.seed),
			timeLimitMs: options.timeLimitMs,
			wantsDataset: config.prompts === null && config.train_data === null,
		},
		folder: path === null ? baseFolder : dirname(path),
		file: path === null ? `task ${options.task}` : basename(path),
		timeLimitMs: options.timeLimitMs,
		memoryLimitMb: options.memoryLimitMb,
		failFast: options.failFast ?? false,
		spawn: options.spawn ?? spawnNodeHost,
		onLog: options.onLog ?? (() => {}),
		onWait: options.onWait ?? (() => {}),
	});
	try {
		const loaded = await host.load();
		if (options.numTurns > 1 && !loaded.hasFeedback) throw needsFeedback(loaded, options.numTurns);
		const data = await loadDatasets({
			config,
			baseFolder,
			taskName: loaded.name,
			own: { train: loaded.train, eval: loaded.eval },
			requires: loaded.requires,
			fallback: options.fallbackPrompts ?? null,
		});
		return asTask(host, loaded, data, sourceOf(loaded, path, options.task));
	} catch (error) {
		await host.dispose();
		throw error;
	}
}

function dataConfig(options: OpenTaskOptions): DataConfig {
	return {
		prompts: options.prompts ?? null,
		train_data: options.train_data ?? null,
		train_slice: options.train_slice ?? null,
		eval_data: options.eval_data ?? null,
		eval_slice: options.eval_slice ?? null,
		columns: options.columns ?? {},
	};
}

function needsFeedback(loaded: LoadedTask, numTurns: number): GroveError {
	return new GroveError('bad-input', {
		where: `task ${loaded.name}`,
		what: 'more than one turn needs feedback(context), which the task does not have',
		expected: 'num_turns: 1',
		given: `num_turns: ${numTurns}`,
		fix: 'set num_turns to 1, or give the task a feedback function',
	});
}

function asTask(
	host: TaskHost,
	loaded: LoadedTask,
	data: Pick<Task, 'train' | 'eval'>,
	source: TaskSource,
): OpenedTask {
	return {
		name: loaded.name,
		summary: loaded.summary,
		turns: loaded.turns,
		hasFeedback: loaded.hasFeedback,
		hasEvaluate: loaded.hasEvaluate,
		agentNames: loaded.agentNames,
		train: data.train,
		eval: data.eval,
		source,
		prompts: async (item) => {
			const outcome = await host.prompts(item);
			if (outcome.kind === 'prompts') return outcome;
			throw new GroveError('task', { where: `example ${item.id}`, what: outcome.message });
		},
		rewards: (contexts) => host.each('rewards', contexts),
		feedback: (contexts) => host.each('feedback', contexts),
		evaluate: async (contexts) => (loaded.hasEvaluate ? host.evaluate(contexts) : {}),
		dispose: () => host.dispose(),
	};
}

/** The file's exact text; with what it imports from its surroundings, each under its name. */
function sourceOf(loaded: LoadedTask, path: string | null, task: string): TaskSource {
	const [first] = loaded.sources;
	const text =
		loaded.sources.length === 1 && first !== undefined ? first.text : joined(loaded.sources, path);
	return {
		name: path === null ? task : loaded.name,
		path,
		text,
		hash: createHash('sha256').update(text, 'utf8').digest('hex'),
	};
}

function joined(sources: readonly SourceFile[], path: string | null): string {
	const base = path === null ? null : pathToFileURL(dirname(path)).href;
	return sources
		.map(({ url, text }) => {
			const name =
				base !== null && url.startsWith(`${base}/`)
					? decodeURIComponent(url.slice(base.length + 1))
					: path === null
						? basename(fileURLToPath(url))
						: fileURLToPath(url);
			return `// ===== ${name} =====\n${text}`;
		})
		.join('\n');
}
