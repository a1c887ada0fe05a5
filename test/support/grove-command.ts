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

export interface RunningCommand {
	readonly pid: number;
	kill(signal: NodeJS.Signals): void;
	/** Waits until the output so far has this; throws if the command ends without it. */
	says(sign: RegExp): Promise<void>;
	readonly ended: Promise<CommandResult>;
}

/** Starts `grove ARGS…` in the project's folder or in `cwd`; `input` is what it can read. */
export function startGrove(
	args: readonly string[],
	cwd: string = root,
	input = '',
): RunningCommand {
	const child = spawn(process.execPath, [command, ...args], {
		cwd,
		stdio: ['pipe', 'pipe', 'pipe'],
	});
	child.stdin.end(input);
	let stdout = '';
	let stderr = '';
	let onOutput = (): void => {};
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
		onOutput();
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
		onOutput();
	});
	const ended = new Promise<CommandResult>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => resolve({ code, stdout, stderr }));
	});
	return {
		pid: child.pid ?? 0,
		kill: (signal) => child.kill(signal),
		says: async (sign) => {
			const said = new Promise<void>((resolve) => {
				onOutput = () => {
					if (sign.test(stdout) || sign.test(stderr)) resolve();
				};
				onOutput();
			});
			await Promise.race([
				said,
				ended.then(({ code }) => {
					if (!sign.test(stdout) && !sign.test(stderr))
						throw new Error(`grove ended with ${code} and never said ${sign}:\n${stderr}`);
				}),
			]);
		},
		ended,
	};
}

/** Waits for the end of `grove ARGS…`. */
export async function runGrove(
	args: readonly string[],
	cwd: string = root,
): Promise<CommandResult> {
	return startGrove(args, cwd).ended;
}
