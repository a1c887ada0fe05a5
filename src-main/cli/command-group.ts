/** Commands that have commands of their own, as in `grove runs list`. */
import { GroveError } from '../contract/errors.ts';
import { nearestName } from '../contract/nearest-name.ts';
import type { Command } from './command.ts';

export interface CommandGroup {
	name: string;
	summary: string;
	/** Each named in full: `runs list`. */
	commands: readonly Command[];
}

export function isGroup(command: Command | CommandGroup): command is CommandGroup {
	return 'commands' in command;
}

function lastWord(command: Command): string {
	return command.name.slice(command.name.lastIndexOf(' ') + 1);
}

/** The command of a group by its last word. Throws 'bad-input' with the nearest name. */
export function findSubcommand(group: CommandGroup, word: string): Command {
	const found = group.commands.find((command) => lastWord(command) === word);
	if (found !== undefined) return found;
	const names = group.commands.map(lastWord);
	const nearest = nearestName(word, names);
	throw new GroveError('bad-input', {
		where: `grove ${group.name}`,
		what: `unknown command ${JSON.stringify(word)}`,
		expected: nearest === undefined ? names.join(', ') : `perhaps ${nearest}`,
		fix: `see \`grove ${group.name} --help\``,
	});
}

export function groupHelp(group: CommandGroup): string {
	const heads = group.commands.map(({ name, usage }) => `grove ${name} ${usage}`.trim());
	const width = Math.min(48, Math.max(...heads.map((head) => head.length)));
	const rows = group.commands.map(
		({ summary }, index) => `  ${(heads[index] ?? '').padEnd(width)}  ${summary}`,
	);
	return [
		`grove ${group.name} COMMAND`,
		'',
		group.summary,
		'',
		'Commands',
		...rows,
		'',
		`\`grove ${group.name} COMMAND --help\` explains a command.`,
		'',
	].join('\n');
}
