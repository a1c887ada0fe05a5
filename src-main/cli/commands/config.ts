/** `grove config`: what can be set, and whether a file is right. */
import { z } from 'zod';
import { configFields, configGroups, configKeys } from '../../contract/config.ts';
import { GroveError } from '../../contract/errors.ts';
import { configToYaml, readConfigFile } from '../../runs/config-file.ts';
import type { Command } from '../command.ts';

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

export const config: Command = {
	name: 'config',
	usage: 'keys | check FILE | print FILE',
	summary:
		'keys lists every key with its default; check says whether a file is right; print shows the effective configuration.',
	options: {},
	positionals: [1, 2],
	async run(args, terminal) {
		const [action, file] = args.positionals;
		if (action === 'keys') {
			terminal.out(args.flag('json') ? keysJson() : keysText());
			return 0;
		}
		if ((action !== 'check' && action !== 'print') || file === undefined) {
			throw new GroveError('bad-input', {
				where: 'grove config',
				what: 'what to do is missing or unknown',
				expected: 'keys, check FILE, or print FILE',
				given: args.positionals.join(' '),
			});
		}
		const read = await readConfigFile(file);
		for (const warning of read.warnings) terminal.err(`warning: ${warning.key}: ${warning.text}\n`);
		if (action === 'check') {
			terminal.out(
				args.flag('json')
					? `${JSON.stringify({ ok: true, warnings: read.warnings })}\n`
					: `${file} is right: ${read.given.length} keys given, ${configKeys.length - read.given.length} at their defaults.\n`,
			);
			return 0;
		}
		terminal.out(
			args.flag('json')
				? `${JSON.stringify(read.config, null, '\t')}\n`
				: configToYaml(read.config, true),
		);
		return 0;
	},
};
