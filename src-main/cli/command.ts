/** What a command of `grove` is: a name, its options with a help sentence each, and what it does. */
import { parseArgs } from 'node:util';
import { GroveError } from '../contract/errors.ts';
import { nearestName } from '../contract/nearest-name.ts';

export interface OptionSpec {
	/** `flag` takes no value; `list` may be given several times. */
	type: 'flag' | 'text' | 'list';
	/** How the value is named in help, e.g. FILE. */
	value?: string;
	short?: string;
	help: string;
}

export interface Arguments {
	positionals: string[];
	flag(name: string): boolean;
	text(name: string): string | undefined;
	list(name: string): string[];
}

export interface Terminal {
	out(text: string): void;
	err(text: string): void;
	/** Whether standard error is a terminal that can redraw a line. */
	interactive: boolean;
	columns: number;
}

export interface Command {
	name: string;
	/** Positional arguments as help shows them, e.g. `FILE.yaml`. */
	usage: string;
	summary: string;
	details?: string;
	options: Record<string, OptionSpec>;
	/** Fewest and most positional arguments. */
	positionals: readonly [number, number];
	/** Returns the exit code. Throws GroveError for what a person can put right. */
	run(args: Arguments, terminal: Terminal): Promise<number>;
}

/** Options that every command has. */
export const commonOptions: Record<string, OptionSpec> = {
	db: {
		type: 'text',
		value: 'FILE',
		help: 'Database to use (default: the GROVE_DB variable, else the user data folder).',
	},
	json: { type: 'flag', help: 'Print JSON for programs instead of text for people.' },
	help: { type: 'flag', short: 'h', help: 'Show this help.' },
};

/** What `parseArgs` found wrong, with the nearest option where the name is unknown. */
function badArguments(command: Command, known: readonly string[], cause: unknown): GroveError {
	// Its messages run over several lines.
	const text = cause instanceof Error ? cause.message.replaceAll(/\s*\n\s*/gu, ' ') : '';
	const unknown = /^Unknown option '(-[^']+)'/u.exec(text)?.[1];
	const nearest =
		unknown === undefined ? undefined : nearestName(unknown.replace(/^-+/u, ''), known);
	return new GroveError(
		'bad-input',
		{
			where: `grove ${command.name}`,
			what: unknown === undefined ? text : `there is no option ${unknown}`,
			expected:
				unknown === undefined
					? undefined
					: nearest === undefined
						? known.map((name) => `--${name}`).join(', ')
						: `perhaps --${nearest}`,
			fix: `see \`grove ${command.name} --help\``,
		},
		{ cause },
	);
}

export function parseArguments(command: Command, argv: readonly string[]): Arguments {
	const specs = { ...commonOptions, ...command.options };
	const options: Record<
		string,
		{ type: 'boolean' | 'string'; multiple?: boolean; short?: string }
	> = {};
	for (const [name, spec] of Object.entries(specs)) {
		options[name] = {
			type: spec.type === 'flag' ? 'boolean' : 'string',
			multiple: spec.type === 'list',
			...(spec.short === undefined ? {} : { short: spec.short }),
		};
	}
	let parsed: { values: Record<string, unknown>; positionals: string[] };
	try {
		parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
	} catch (error) {
		throw badArguments(command, Object.keys(specs), error);
	}
	const [fewest, most] = command.positionals;
	const count = parsed.positionals.length;
	if (parsed.values.help !== true && (count < fewest || count > most)) {
		throw new GroveError('bad-input', {
			where: `grove ${command.name}`,
			what:
				count < fewest
					? 'an argument is missing'
					: `too many arguments, from ${JSON.stringify(parsed.positionals[most])} on`,
			expected: `grove ${command.name} ${command.usage}`.trim(),
			given: count === 0 ? 'none' : parsed.positionals.join(' '),
		});
	}
	const { values, positionals } = parsed;
	return {
		positionals,
		flag: (name) => values[name] === true,
		text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
		list: (name) =>
			Array.isArray(values[name]) ? values[name].filter((item) => typeof item === 'string') : [],
	};
}

/** A whole number option, checked. */
export function wholeNumber(args: Arguments, name: string, least: number): number | undefined {
	const text = args.text(name);
	if (text === undefined) return undefined;
	const number = Number(text);
	if (!/^\d+$/u.test(text) || !Number.isSafeInteger(number) || number < least) {
		throw new GroveError('bad-input', {
			where: `--${name}`,
			what: 'not a legal value',
			expected: `a whole number from ${least}`,
			given: text,
		});
	}
	return number;
}

/** An option whose value is one of a few words. Throws 'bad-input' with the nearest of them. */
export function oneOf<Choice extends string>(
	args: Arguments,
	name: string,
	choices: readonly Choice[],
): Choice | undefined {
	const text = args.text(name);
	if (text === undefined) return undefined;
	const found = choices.find((choice) => choice === text);
	if (found !== undefined) return found;
	const nearest = nearestName(text, choices);
	throw new GroveError('bad-input', {
		where: `--${name}`,
		what: 'not a legal value',
		expected: nearest === undefined ? choices.join(', ') : `perhaps ${nearest}`,
		given: text,
	});
}

/** A number option, checked. */
export function finiteNumber(args: Arguments, name: string): number | undefined {
	const text = args.text(name);
	if (text === undefined) return undefined;
	const number = text.trim() === '' ? NaN : Number(text);
	if (Number.isFinite(number)) return number;
	throw new GroveError('bad-input', {
		where: `--${name}`,
		what: 'not a legal value',
		expected: 'a number',
		given: text,
	});
}

export function commandHelp(command: Command): string {
	const rows = Object.entries({ ...command.options, ...commonOptions }).map(([name, spec]) => {
		const head = `${spec.short === undefined ? '    ' : `-${spec.short}, `}--${name}${spec.type === 'flag' ? '' : ` ${spec.value ?? 'VALUE'}`}`;
		return `  ${head.padEnd(28)} ${spec.help}`;
	});
	return [
		`grove ${command.name} ${command.usage}`.trim(),
		'',
		command.summary,
		...(command.details === undefined ? [] : ['', command.details]),
		'',
		'Options',
		...rows,
		'',
	].join('\n');
}
