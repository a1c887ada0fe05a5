/** The window's files: built once, and again when a source is newer. A packaged application brings them along. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Terminal } from './command.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const rendererFolder = join(root, 'dist', 'renderer');

function newestChange(folder: string): number {
	let newest = 0;
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		if (entry.isFile())
			newest = Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs);
	}
	return newest;
}

/** Builds where needed. Throws what the build said where it fails. */
export async function buildRenderer(terminal: Terminal): Promise<void> {
	const page = join(rendererFolder, 'index.html');
	const sources = ['src-renderer', 'src-main/contract'].map((folder) => join(root, folder));
	if (existsSync(page) && sources.every((folder) => newestChange(folder) < statSync(page).mtimeMs))
		return;
	terminal.err('Building the window, once…\n');
	const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
	const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	const keep = (chunk: Buffer): void => {
		output += chunk.toString('utf8');
	};
	child.stdout.on('data', keep);
	child.stderr.on('data', keep);
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', resolve);
	});
	if (code !== 0) throw new Error(`The window could not be built:\n${output}`);
}
