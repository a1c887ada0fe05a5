/** Paths of a configuration are relative to its file; a stored run must not depend on where one stood. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { RunConfig } from '../contract/config.ts';

function expand(path: string, folder: string): string {
	const fromHome = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
	return isAbsolute(fromHome) ? fromHome : resolve(folder, fromHome);
}

function looksLikePath(text: string): boolean {
	return /^(?:\.{1,2}(?:[/\\]|$)|~(?:[/\\]|$))/u.test(text) || isAbsolute(text);
}

/**
 * A model reference: `bundled:NAME` and Hub ids stay; what looks like a path, or names an existing folder
 * beside the configuration, becomes absolute.
 */
function modelReference(reference: string, folder: string): string {
	if (reference.startsWith('bundled:')) return reference;
	const path = expand(reference, folder);
	return looksLikePath(reference) || existsSync(path) ? path : reference;
}

/** A task: a path if it looks like one or ends like a module, else the name of a built-in task. */
function taskReference(reference: string, folder: string): string {
	const isFile = looksLikePath(reference) || /\.(?:[cm]?[jt]s|[jt]sx)$/u.test(reference);
	return isFile ? expand(reference, folder) : reference;
}

/** The same configuration with absolute paths; `folder` is that of the configuration file. */
export function withAbsolutePaths(config: RunConfig, folder: string): RunConfig {
	const path = (value: string | null): string | null =>
		value === null ? null : expand(value, folder);
	return {
		...config,
		task: taskReference(config.task, folder),
		train_data: path(config.train_data),
		eval_data: path(config.eval_data),
		output_dir: path(config.output_dir),
		model: modelReference(config.model, folder),
		agents:
			config.agents?.map((agent) =>
				agent.model === undefined
					? agent
					: { ...agent, model: modelReference(agent.model, folder) },
			) ?? null,
	};
}
