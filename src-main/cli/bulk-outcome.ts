import { type ErrorKind, exitCodes } from '../contract/errors.ts';
import type { BulkOutcome } from '../contract/requests.ts';
import type { Arguments, Terminal } from './command.ts';
import { printJson } from './json.ts';

export function countRuns(runs: number): string {
	return runs === 1 ? '1 run' : `${runs} runs`;
}

function exitCodeOf(kind: ErrorKind | 'fault'): number {
	return kind === 'fault' ? 1 : exitCodes[kind];
}

/**
 * Tells what became of several runs. `done` says what was done to them ("is in the trash"). Returns the exit
 * code: that of the first refusal, if any.
 */
export function reportOutcome(
	outcome: BulkOutcome,
	done: string,
	args: Arguments,
	terminal: Terminal,
): number {
	const [refusal] = outcome.refused;
	if (args.flag('json')) printJson(terminal, outcome);
	else {
		if (outcome.done.length > 0)
			terminal.out(`${countRuns(outcome.done.length)} ${done}: ${outcome.done.join(', ')}\n`);
		if (outcome.unchanged.length > 0)
			terminal.out(
				`${countRuns(outcome.unchanged.length)} as before: ${outcome.unchanged.join(', ')}\n`,
			);
	}
	for (const { error } of outcome.refused) terminal.err(`grove: ${error.message}\n`);
	return refusal === undefined ? 0 : exitCodeOf(refusal.error.kind);
}
