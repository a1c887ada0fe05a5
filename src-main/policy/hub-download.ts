/**
 * Downloads a repository of the Hub into the layout of the standard cache: `blobs/` by content,
 * `snapshots/COMMIT/` with links to them, `refs/NAME` with the commit. An interrupted file goes on where it
 * ended; a file is taken only when its size and, for large files, its SHA-256 are right.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as wait } from 'node:timers/promises';
import { GroveError } from '../contract/errors.ts';

export interface HubSource {
	id: string;
	/** A branch, a tag, or a commit. */
	revision: string;
	endpoint: string;
	token: string | null;
}

interface RemoteFile {
	path: string;
	size: number;
	/** Name of its blob, as the Hub's entity tag has it. */
	blob: string;
	/** SHA-256 of the content, hex; null for small files, which are kept in git. */
	sha256: string | null;
}

/** A broken connection is tried again this often, each time from where it broke. */
const attempts = 4;
const firstPauseMs = 500;

/**
 * Brings every file whose name matches `wanted` into `folder` (`models--OWNER--NAME`). `onProgress` is told
 * bytes present and bytes in all. Throws what the Hub or the network answered, or GroveError 'network'.
 */
export async function downloadSnapshot(
	source: HubSource,
	folder: string,
	wanted: RegExp,
	onProgress: (done: number, total: number, file: string) => void,
): Promise<void> {
	const { listFiles, modelInfo } = await import('@huggingface/hub');
	const access = accessOf(source);
	// Files of one snapshot belong to one commit, even if the branch moves meanwhile.
	const { sha } = await modelInfo({
		name: source.id,
		revision: source.revision,
		additionalFields: ['sha'],
		...access,
	});
	const files: RemoteFile[] = [];
	for await (const entry of listFiles({ repo: source.id, revision: sha, ...access })) {
		const blob = entry.lfs?.oid ?? entry.oid;
		if (entry.type !== 'file' || blob === undefined || !wanted.test(entry.path)) continue;
		files.push({
			path: entry.path,
			size: entry.lfs?.size ?? entry.size,
			blob,
			sha256: entry.lfs?.oid ?? null,
		});
	}
	const total = files.reduce((sum, file) => sum + file.size, 0);
	let before = 0;
	for (const file of files) {
		const report = (done: number): void => {
			onProgress(before + done, total, file.path);
		};
		report(0);
		await bringFile({ ...source, revision: sha }, file, folder, report);
		before += file.size;
		report(0);
	}
	if (sha !== source.revision) {
		const reference = join(folder, 'refs', source.revision);
		await mkdir(dirname(reference), { recursive: true });
		await writeFile(reference, sha);
	}
}

function accessOf({ endpoint, token }: HubSource): { hubUrl: string; accessToken?: string } {
	return { hubUrl: endpoint, ...(token === null ? {} : { accessToken: token }) };
}

async function sizeOf(path: string): Promise<number | null> {
	return stat(path).then(
		({ size }) => size,
		() => null,
	);
}

async function bringFile(
	source: HubSource,
	file: RemoteFile,
	folder: string,
	report: (done: number) => void,
): Promise<void> {
	const pointer = join(folder, 'snapshots', source.revision, file.path);
	if ((await sizeOf(pointer)) === file.size) return;
	const blob = join(folder, 'blobs', file.blob);
	await mkdir(dirname(blob), { recursive: true });
	await mkdir(dirname(pointer), { recursive: true });
	if ((await sizeOf(blob)) !== file.size) {
		const incomplete = `${blob}.incomplete`;
		for (let attempt = 1; ; attempt++) {
			try {
				await goOn(source, file, incomplete, report);
				break;
			} catch (error) {
				// An answer of the Hub is final; a broken connection is not.
				const answered = error instanceof Error && 'statusCode' in error;
				if (answered || error instanceof GroveError || attempt === attempts) throw error;
				await wait(firstPauseMs * 2 ** (attempt - 1));
			}
		}
		await checkContent(source, file, incomplete);
		await rename(incomplete, blob);
	}
	await rm(pointer, { force: true });
	// Windows lets only some people make links.
	await symlink(relative(dirname(pointer), blob), pointer).catch(() => copyFile(blob, pointer));
}

/** Appends to `incomplete` what it lacks. */
async function goOn(
	source: HubSource,
	file: RemoteFile,
	incomplete: string,
	report: (done: number) => void,
): Promise<void> {
	let done = (await sizeOf(incomplete)) ?? 0;
	if (done > file.size) {
		await rm(incomplete);
		done = 0;
	}
	if (done === file.size && done > 0) return;
	const { downloadFile } = await import('@huggingface/hub');
	const remote = await downloadFile({
		repo: source.id,
		path: file.path,
		revision: source.revision,
		...accessOf(source),
	});
	if (remote === null)
		throw new GroveError('network', {
			where: `${source.id}: ${file.path}`,
			what: 'the Hub lists the file but does not have it',
		});
	report(done);
	const counter = new Transform({
		transform(chunk: Uint8Array, _, next) {
			done += chunk.length;
			report(Math.min(done, file.size));
			next(null, chunk);
		},
	});
	const rest = done > 0 ? remote.slice(done) : remote;
	await pipeline(
		Readable.fromWeb(rest.stream() as ReadableStream),
		counter,
		createWriteStream(incomplete, { flags: 'a' }),
	);
	if (done < file.size) throw new Error(`the connection ended after ${done} of ${file.size} bytes`);
}

/** Throws, after removing it, where a file is not what the Hub said it is. */
async function checkContent(source: HubSource, file: RemoteFile, path: string): Promise<void> {
	const size = (await sizeOf(path)) ?? 0;
	let problem =
		size === file.size ? null : { expected: `${file.size} bytes`, given: `${size} bytes` };
	if (problem === null && file.sha256 !== null) {
		const hash = createHash('sha256');
		for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
		const given = hash.digest('hex');
		if (given !== file.sha256) problem = { expected: `SHA-256 ${file.sha256}`, given };
	}
	if (problem === null) return;
	await rm(path);
	throw new GroveError('network', {
		where: `${source.id}: ${file.path}`,
		what: 'what came is not what the Hub announced',
		...problem,
		fix: 'try again; a proxy in between may answer in place of the Hub',
	});
}
