import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import process from 'node:process';
import { exitCodes, GroveError } from '../../../contract/errors.ts';
import { parseYaml } from '../../../runs/config-file.ts';
import { checkTask, type CheckTaskOptions } from '../../../tasks/index.ts';
import { type Arguments, type Command, finiteNumber, wholeNumber } from '../../command.ts';
import { printJson } from '../../json.ts';
import { promptsText, taskCheckText } from '../../task-check-text.ts';

/** `--option low=1.5`, in YAML notation as in a configuration. Throws 'bad-input'. */
function optionsOf(args: Arguments): Record<string, unknown> {
	const pairs = args.list('option').map((assignment): [string, unknown] => {
		const at = assignment.indexOf('=');
		if (at < 1)
			throw new GroveError('bad-input', {
				where: '--option',
				what: 'not an assignment',
				expected: 'KEY=VALUE',
				given: assignment,
			});
		const parsed = parseYaml(assignment.slice(at + 1), `--option ${assignment.slice(0, at)}`);
		if (!parsed.ok) throw new GroveError('bad-input', parsed.complaints);
		return [assignment.slice(0, at), parsed.value];
	});
	return Object.fromEntries(pairs);
}

/** A file of joint completions: each line a JSON list with the text of every agent. Throws 'bad-input' with the line. */
async function samplesOf(path: string): Promise<string[][]> {
	let text: string;
	try {
		text = await readFile(path, 'utf8');
	} catch (cause) {
		throw new GroveError(
			'bad-input',
			{
				where: path,
				what: 'the file cannot be read',
				given: cause instanceof Error ? cause.message : String(cause),
			},
			{ cause },
		);
	}
	return text.split('\n').flatMap((line, index) => {
		if (line.trim() === '') return [];
		let texts: unknown;
		try {
			texts = JSON.parse(line);
		} catch {
			// Told below, as for JSON of another form.
		}
		if (Array.isArray(texts) && texts.every((entry) => typeof entry === 'string')) return [texts];
		throw new GroveError('bad-input', {
			where: `${path}, line ${index + 1}`,
			what: 'not a joint completion',
			expected: 'a JSON list with the text of every agent, such as ["short", "longer"]',
			given: line.slice(0, 200),
		});
	});
}

/** Asks for one answer of each agent, a line each, at the terminal or from a pipe. */
async function typedSample(agentNames: readonly string[]): Promise<string[][]> {
	const lines = createInterface({ input: process.stdin, output: process.stderr });
	const texts: string[] = [];
	try {
		const iterator = lines[Symbol.asyncIterator]();
		for (const name of agentNames) {
			lines.setPrompt(`${name}: `);
			lines.prompt();
			const next = await iterator.next();
			texts.push(next.done === true ? '' : next.value);
		}
	} finally {
		lines.close();
	}
	return [texts];
}

async function readOptions(args: Arguments): Promise<CheckTaskOptions> {
	const [agents, example] = [wholeNumber(args, 'agents', 1), wholeNumber(args, 'example', 0)];
	const data = args.text('data');
	const samples = args.text('samples');
	const [seconds, megabytes] = [
		finiteNumber(args, 'time-limit'),
		wholeNumber(args, 'memory-limit', 1),
	];
	return {
		task: args.positionals[0] ?? '',
		options: optionsOf(args),
		numAgents: agents ?? null,
		...(example === undefined ? {} : { example }),
		...(data === undefined ? {} : { train_data: data }),
		...(samples === undefined ? {} : { samples: await samplesOf(samples) }),
		...(seconds === undefined ? {} : { timeLimitMs: seconds * 1000 }),
		...(megabytes === undefined ? {} : { memoryLimitMb: megabytes }),
	};
}

export const check: Command = {
	name: 'task check',
	usage: 'TASK',
	summary:
		'Loads a task, a file or a built-in name, and runs its reward and feedback on sample completions.',
	details:
		'Exit code 3 where its code fails on any of them. Without --samples or --typed three joint completions are made up.',
	options: {
		samples: {
			type: 'text',
			value: 'FILE',
			help: 'Joint completions to score: each line a JSON list with the text of every agent.',
		},
		typed: { type: 'flag', help: 'Type the answers, one line for each agent.' },
		option: {
			type: 'list',
			value: 'KEY=VALUE',
			help: 'Set an option of the task (task_options), in YAML notation; may be repeated.',
		},
		agents: { type: 'text', value: 'NUMBER', help: 'How many agents answer.' },
		data: { type: 'text', value: 'FILE', help: 'Examples from this file (train_data).' },
		example: { type: 'text', value: 'NUMBER', help: 'Which example is answered, from 0.' },
		'time-limit': {
			type: 'text',
			value: 'SECONDS',
			help: 'Limit of one call of its code (default 60).',
		},
		'memory-limit': { type: 'text', value: 'MIB', help: 'Limit of its memory (default 1024).' },
	},
	positionals: [1, 1],
	async run(args, terminal) {
		const options = await readOptions(args);
		if (args.flag('typed')) {
			const asked = await checkTask({ ...options, samples: [] });
			terminal.err(promptsText(asked));
			options.samples = await typedSample(asked.agentNames);
		}
		const checked = await checkTask(options);
		if (args.flag('json')) printJson(terminal, checked);
		else terminal.out(taskCheckText(checked));
		const isFailing = checked.samples.some(
			({ reward, feedback }) => reward.kind === 'error' || feedback?.kind === 'error',
		);
		return isFailing ? exitCodes.task : 0;
	},
};
