/** Files that the application is started with, from the command line or the file manager. */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, resolve } from 'node:path';
import type { ServiceContext } from '../../services/context.ts';
import { handle } from '../../services/handle.ts';

const configExtensions = ['.yaml', '.yml', '.json'];
const importExtensions = ['.grove', '.csv', '.jsonl'];
export const openableExtensions = [...importExtensions, ...configExtensions].map((name) =>
	name.slice(1),
);

/** A configuration is text for a form; larger files are something else. */
const largestConfig = 4 * 1024 * 1024;

/** The files among arguments, made absolute; options and the application's own path are no files of ours. */
export function filesOf(argv: readonly string[], folder: string): string[] {
	return argv
		.slice(1)
		.filter((text) => !text.startsWith('-'))
		.filter((text) =>
			[...configExtensions, ...importExtensions].includes(extname(text).toLowerCase()),
		)
		.map((text) => (isAbsolute(text) ? text : resolve(folder, text)));
}

/**
 * Imports a bundle, or hands a configuration to the form for a new run. Returns the view to show, and
 * tells of what went wrong by a notice.
 */
export async function openFile(path: string, context: ServiceContext): Promise<string> {
	const { publisher, records } = context;
	if (importExtensions.includes(extname(path).toLowerCase())) {
		const reply = await handle('import.file', { path }, context);
		publisher.publish(
			'notice',
			reply.ok
				? { level: 'info', text: `${basename(path)} was imported.` }
				: { level: 'error', text: reply.error.message },
		);
		return '#/runs';
	}
	try {
		const { size } = await stat(path);
		if (size > largestConfig) throw new Error(`${basename(path)} is too large for a configuration`);
		const text = await readFile(path, 'utf8');
		const value = JSON.stringify({ text, baseFolder: dirname(path) });
		records.putSaved({ kind: 'opened', name: basename(path).slice(0, 1000), value });
		return `#/new?opened=${encodeURIComponent(basename(path).slice(0, 1000))}`;
	} catch (error) {
		const text = error instanceof Error ? error.message : String(error);
		publisher.publish('notice', { level: 'error', text });
		return '#/new';
	}
}
