/**
 * Checkpoint folders: `step-00000012/` with one folder per agent, `trainer-state.json`, and a manifest
 * of every file's size and SHA-256. Written beside under a temporary name, flushed, then renamed, so a
 * folder with a final name is whole unless a disk failed; the manifest tells even then.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';

const manifestName = 'manifest.json';
const manifestSchema = z.object({
	format: z.literal(1),
	step: z.int().min(0),
	files: z.array(z.object({ path: z.string(), bytes: z.int().min(0), sha256: z.string() })),
});
export type CheckpointManifest = z.output<typeof manifestSchema>;

export interface FoundCheckpoint {
	step: number;
	path: string;
	/** Null where the checkpoint is whole; else what is wrong with it. */
	problem: string | null;
	bytes: number;
}

export function checkpointFolderName(step: number): string {
	return `step-${String(step).padStart(8, '0')}`;
}

async function filesBelow(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

async function sha256Of(path: string): Promise<string> {
	const hash = createHash('sha256');
	for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
	return hash.digest('hex');
}

async function flush(path: string): Promise<void> {
	const handle = await open(path, 'r');
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/**
 * Writes the checkpoint of `step` into `folder`; `write` fills the (temporary) folder it is given.
 * A checkpoint of the same step is replaced. Returns its final path and size.
 */
export async function writeCheckpoint(
	folder: string,
	step: number,
	write: (temporary: string) => Promise<void>,
): Promise<{ path: string; bytes: number }> {
	const path = join(folder, checkpointFolderName(step));
	const temporary = join(folder, `.${checkpointFolderName(step)}.${process.pid}.partial`);
	await rm(temporary, { recursive: true, force: true });
	await mkdir(temporary, { recursive: true });
	try {
		await write(temporary);
		const files: CheckpointManifest['files'] = [];
		for (const file of (await filesBelow(temporary)).sort()) {
			await flush(file);
			files.push({
				path: relative(temporary, file).split(sep).join('/'),
				bytes: (await stat(file)).size,
				sha256: await sha256Of(file),
			});
		}
		const manifest: CheckpointManifest = { format: 1, step, files };
		await writeFile(join(temporary, manifestName), JSON.stringify(manifest, null, '\t'), {
			flush: true,
		});
		await rm(path, { recursive: true, force: true });
		await rename(temporary, path);
		return { path, bytes: files.reduce((sum, file) => sum + file.bytes, 0) };
	} catch (error) {
		await rm(temporary, { recursive: true, force: true });
		throw error;
	}
}

/** Looks at one checkpoint folder. `thorough` compares the hashes too, as resuming does. */
export async function inspectCheckpoint(path: string, thorough: boolean): Promise<FoundCheckpoint> {
	const named = /step-(\d+)$/u.exec(path);
	const found: FoundCheckpoint = { step: Number(named?.[1] ?? 0), path, problem: null, bytes: 0 };
	let manifest: CheckpointManifest;
	try {
		manifest = manifestSchema.parse(JSON.parse(await readFile(join(path, manifestName), 'utf8')));
	} catch {
		return {
			...found,
			problem: `${manifestName} is missing or unreadable: the checkpoint was cut off`,
		};
	}
	found.step = manifest.step;
	for (const file of manifest.files) {
		const absolute = join(path, file.path);
		const facts = await stat(absolute).catch(() => null);
		if (facts === null) return { ...found, problem: `${file.path} is missing` };
		if (facts.size !== file.bytes)
			return { ...found, problem: `${file.path} has ${facts.size} bytes instead of ${file.bytes}` };
		if (thorough && (await sha256Of(absolute)) !== file.sha256)
			return { ...found, problem: `${file.path} has changed since it was written` };
		found.bytes += file.bytes;
	}
	return found;
}

/** All checkpoint folders, oldest first, whole or not. An absent folder holds none. */
export async function listCheckpoints(
	folder: string,
	thorough = false,
): Promise<FoundCheckpoint[]> {
	const names = await readdir(folder).catch(() => []);
	const found: FoundCheckpoint[] = [];
	for (const name of names) {
		if (/^step-\d+$/u.test(name)) found.push(await inspectCheckpoint(join(folder, name), thorough));
	}
	return found.sort((a, b) => a.step - b.step);
}

/** The newest whole checkpoint (at `step`, if given), and the broken ones that were passed over. */
export async function newestWholeCheckpoint(
	folder: string,
	step?: number,
): Promise<{ checkpoint: FoundCheckpoint | null; passedOver: FoundCheckpoint[] }> {
	const passedOver: FoundCheckpoint[] = [];
	for (const candidate of (await listCheckpoints(folder)).reverse()) {
		if (step !== undefined && candidate.step !== step) continue;
		const checked =
			candidate.problem === null ? await inspectCheckpoint(candidate.path, true) : candidate;
		if (checked.problem === null) return { checkpoint: checked, passedOver };
		passedOver.push(checked);
	}
	return { checkpoint: null, passedOver };
}

/** Removes all but the last `keep` whole checkpoints and `bestStep`. Broken ones and partial leftovers of dead writers stay for inspection, except our own. Returns the removed paths. */
export async function pruneCheckpoints(
	folder: string,
	keep: number,
	bestStep: number | null,
): Promise<string[]> {
	const whole = (await listCheckpoints(folder)).filter((checkpoint) => checkpoint.problem === null);
	const removed: string[] = [];
	for (const checkpoint of whole.slice(0, Math.max(0, whole.length - keep))) {
		if (checkpoint.step === bestStep) continue;
		await rm(checkpoint.path, { recursive: true, force: true });
		removed.push(checkpoint.path);
	}
	return removed;
}
