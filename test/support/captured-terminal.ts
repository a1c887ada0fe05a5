/** Runs the `grove` command in this process, with a terminal that keeps what is printed. */
import { main } from '../../src-main/cli/main.ts';
import type { CommandResult } from './grove-command.ts';

export async function grove(...argv: string[]): Promise<CommandResult> {
	let [stdout, stderr] = ['', ''];
	const code = await main(argv, {
		out: (text) => {
			stdout += text;
		},
		err: (text) => {
			stderr += text;
		},
		interactive: false,
		columns: 80,
	});
	return { code, stdout, stderr };
}

/** Standard output as the one JSON value that it must be. */
export function jsonOf({ stdout }: CommandResult): unknown {
	return JSON.parse(stdout);
}
