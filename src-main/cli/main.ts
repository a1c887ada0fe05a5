/** Entry of the `grove` command: finds the command, parses, runs, and turns failures into one message and an exit code. */
import { GroveError, exitCodes } from '../contract/errors.ts';
import { nearestName } from '../contract/nearest-name.ts';
import type { Command, Terminal } from './command.ts';
import { commandHelp, parseArguments } from './command.ts';
import { type CommandGroup, findSubcommand, groupHelp, isGroup } from './command-group.ts';

/** Name → loader, so that a command pays only for what it uses. */
const commands: Record<string, { summary: string; load: () => Promise<Command | CommandGroup> }> = {
	demo: {
		summary: 'Train two small agents on the bundled model: the documented two-turn example',
		load: async () => (await import('./commands/train.ts')).demo,
	},
	train: {
		summary: 'Train from a configuration file',
		load: async () => (await import('./commands/train.ts')).train,
	},
	resume: {
		summary: 'Go on with a stopped, paused or crashed run',
		load: async () => (await import('./commands/train.ts')).resume,
	},
	fork: {
		summary: 'Start a new run from a checkpoint of another',
		load: async () => (await import('./commands/train.ts')).fork,
	},
	open: {
		summary: 'Open the application (a window where Electron is there, else the browser)',
		load: async () => (await import('./commands/open.ts')).open,
	},
	serve: {
		summary: 'Serve the application to a browser on this machine',
		load: async () => (await import('./commands/open.ts')).serve,
	},
	runs: {
		summary: 'List, show, tag, rename, delete, restore, export, import, compare runs',
		load: async () => (await import('./commands/runs.ts')).runs,
	},
	metrics: {
		summary: 'Print the metrics of a run',
		load: async () => (await import('./commands/metrics.ts')).metrics,
	},
	rollouts: {
		summary: 'Print the rollouts of a run',
		load: async () => (await import('./commands/rollouts.ts')).rollouts,
	},
	search: {
		summary: 'Find words in prompts and completions',
		load: async () => (await import('./commands/search.ts')).search,
	},
	task: {
		summary: 'List built-in tasks, start a task file, check one',
		load: async () => (await import('./commands/task.ts')).task,
	},
	config: {
		summary: 'List the configuration keys, check a file, print the effective configuration',
		load: async () => (await import('./commands/config.ts')).config,
	},
	models: {
		summary: 'List the models on this machine, download one',
		load: async () => (await import('./commands/models.ts')).models,
	},
	doctor: {
		summary: 'Say which devices can train here, and why others cannot',
		load: async () => (await import('./commands/doctor.ts')).doctor,
	},
};

function overview(): string {
	const rows = Object.entries(commands).map(
		([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`,
	);
	const codes = Object.entries(exitCodes).map(([kind, code]) => `${code} ${kind}`);
	return [
		'grove COMMAND [arguments]',
		'',
		'Trains several language models to work together on this machine, and shows every turn and reward.',
		'',
		'Commands',
		...rows,
		'',
		'`grove COMMAND --help` explains a command.',
		'',
		`Exit codes: 0 success, 1 a fault in Grove, ${codes.join(', ')}.`,
		'',
	].join('\n');
}

/** The terminal of this process. */
const ownTerminal: Terminal = {
	out: (text) => void process.stdout.write(text),
	err: (text) => void process.stderr.write(text),
	interactive: process.stderr.isTTY,
	columns: process.stderr.columns || 80,
};

async function runCommand(
	command: Command,
	argv: readonly string[],
	terminal: Terminal,
): Promise<number> {
	const args = parseArguments(command, argv);
	if (args.flag('help')) {
		terminal.out(commandHelp(command));
		return 0;
	}
	return await command.run(args, terminal);
}

/** Runs one command line. Returns the exit code; never throws. */
export async function main(
	argv: readonly string[],
	terminal: Terminal = ownTerminal,
): Promise<number> {
	const [name, ...rest] = argv;
	if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
		terminal.out(overview());
		return 0;
	}
	try {
		if (name === '--version' || name === 'version') {
			const { groveVersion } = await import('../runs/version.ts');
			terminal.out(`${groveVersion}\n`);
			return 0;
		}
		const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
		if (entry === undefined) {
			const nearest = nearestName(name, Object.keys(commands));
			throw new GroveError('bad-input', {
				what: `unknown command ${JSON.stringify(name)}`,
				expected: nearest === undefined ? Object.keys(commands).join(', ') : `perhaps ${nearest}`,
				fix: 'see `grove --help`',
			});
		}
		const loaded = await entry.load();
		if (!isGroup(loaded)) return await runCommand(loaded, rest, terminal);
		const [word, ...more] = rest;
		if (word === undefined || word === '--help' || word === '-h') {
			terminal.out(groupHelp(loaded));
			return 0;
		}
		return await runCommand(findSubcommand(loaded, word), more, terminal);
	} catch (error) {
		if (error instanceof GroveError) {
			if (rest.includes('--json'))
				terminal.out(
					`${JSON.stringify({ error: { kind: error.kind, complaints: error.complaints } })}\n`,
				);
			terminal.err(`grove: ${error.message}\n`);
			return error.exitCode;
		}
		terminal.err(
			`grove: an unexpected fault. Please report it with what you did.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
		);
		return 1;
	}
}
