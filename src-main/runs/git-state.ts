import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** `<commit>` or `<commit>-dirty` of the repository that holds `folder`; null where there is none, or no git. */
export async function gitState(folder: string): Promise<string | null> {
	try {
		const options = { cwd: folder, timeout: 5000, maxBuffer: 16 * 1024 * 1024 };
		const commit = (await run('git', ['rev-parse', 'HEAD'], options)).stdout.trim();
		const changes = (
			await run('git', ['status', '--porcelain', '--untracked-files=no', '.'], options)
		).stdout;
		return changes === '' ? commit : `${commit}-dirty`;
	} catch {
		return null;
	}
}
