/** `grove config`: what can be set, and whether a file is right. */
import { z } from 'zod';
import { configFields, configGroups, configKeys } from '../../contract/config.ts';
import { type ConfigFile, configToYaml, readConfigFile } from '../../runs/config-file.ts';
import type { Command, Terminal } from '../command.ts';
import type { CommandGroup } from '../command-group.ts';
import { safeForTerminal } from '../format.ts';
import { printJson } from '../json.ts';

function keysText(): string {
	const lines: string[] = [];
	for (const [group, title] of Object.entries(configGroups)) {
		lines.push(title, '');
		for (const key of configKeys) {
			const field = configFields[key];
			if (field.group !== group) continue;
			lines.push(
				`  ${key}: ${JSON.stringify(field.default)}`,
				`      ${field.help}`,
				`      ${field.expected}`,
			);
		}
		lines.push('');
	}
	return lines.join('\n');
}

function keysJson(): string {
	const described = configKeys.map((key) => {
		const field = configFields[key];
		return {
			key,
			group: field.group,
			default: field.default,
			expected: field.expected,
			help: field.help,
			schema: z.toJSONSchema(field.schema),
		};
	});
	return `${JSON.stringify(described, null, '\t')}\n`;
}

const keys: Command = {
	name: 'config keys',
	usage: '',
	summary: 'Lists every key with its default, what is legal, and what it does.',
	options: {},
	positionals: [0, 0],
	run(args, terminal) {
		terminal.out(args.flag('json') ? keysJson() : keysText());
		return Promise.resolve(0);
	},
};

/** Reads a file and says what is doubtful in it. Throws 'bad-input' for what is wrong. */
async function read(path: string, terminal: Terminal): Promise<ConfigFile> {
	const file = await readConfigFile(path);
	for (const warning of file.warnings) terminal.err(`warning: ${warning.key}: ${warning.text}\n`);
	return file;
}

const check: Command = {
	name: 'config check',
	usage: 'FILE',
	summary: 'Says whether a configuration is right.',
	options: {},
	positionals: [1, 1],
	async run(args, terminal) {
		const path = args.positionals[0] ?? '';
		const { warnings, given } = await read(path, terminal);
		if (args.flag('json')) printJson(terminal, { ok: true, warnings });
		else
			terminal.out(
				`${safeForTerminal(path)} is right: ${given.length} keys given, ${configKeys.length - given.length} at their defaults.\n`,
			);
		return 0;
	},
};

const print: Command = {
	name: 'config print',
	usage: 'FILE',
	summary: 'Shows the effective configuration of a file, defaults filled in.',
	options: {},
	positionals: [1, 1],
	async run(args, terminal) {
		const { config } = await read(args.positionals[0] ?? '', terminal);
		terminal.out(
			args.flag('json') ? `${JSON.stringify(config, null, '\t')}\n` : configToYaml(config, true),
		);
		return 0;
	},
};

export const config: CommandGroup = {
	name: 'config',
	summary: 'What a configuration can say, and whether a file is right.',
	commands: [keys, check, print],
};
