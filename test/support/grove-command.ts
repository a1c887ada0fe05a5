/** Runs the `grove` command as a person does: its own process. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../src-main/cli/grove.js', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

export interface CommandResult {
	code: number | null;
	stdout: string;
	stderr: string;
}

/** Waits for the end of `grove ARGS…`, started in the project's folder or in `cwd`. */
export async function runGrove(
	args: readonly string[],
	cwd: string = root,
): Promise<CommandResult> {
	const child = spawn(process.execPath, [command, ...args], {
		cwd,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let stdout = '';
	let stderr = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', resolve);
	});
	return { code, stdout, stderr };
}
