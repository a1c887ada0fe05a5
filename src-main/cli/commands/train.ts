/** `grove train`, `demo`, `resume`, `fork`: everything that trains in this terminal. */
import { fileURLToPath } from 'node:url';
import { parseConfig, type RunConfig } from '../../contract/config.ts';
import { GroveError } from '../../contract/errors.ts';
import type { TrainingEvent } from '../../contract/events.ts';
import type { RunRecord } from '../../contract/run-record.ts';
import {
	type ConfigFile,
	configToYaml,
	parseYaml,
	readConfigFile,
} from '../../runs/config-file.ts';
import { withAbsolutePaths } from '../../runs/config-paths.ts';
import { checkpointFolder } from '../../runs/drive-run.ts';
import { describeNewRun, type RunOrigin } from '../../runs/new-run.ts';
import { type PreparedRun, prepareRun } from '../../runs/prepare-run.ts';
import { openStore, type Store } from '../../store/index.ts';
import {
	type Arguments,
	type Command,
	type OptionSpec,
	type Terminal,
	wholeNumber,
} from '../command.ts';
import { findRunId } from '../find-run.ts';
import { runInTerminal, type TerminalRun } from '../run-in-terminal.ts';

const overrides: Record<string, OptionSpec> = {
	set: {
		type: 'list',
		value: 'KEY=VALUE',
		help: 'Set a configuration key, in YAML notation; may be repeated.',
	},
	name: { type: 'text', value: 'TEXT', help: 'Name of the run.' },
	device: { type: 'text', value: 'DEVICE', help: 'auto, cuda, webgpu or cpu.' },
	seed: { type: 'text', value: 'NUMBER', help: 'Seed of every random stream.' },
};

/** The configuration of a file with the command line's settings on top. */
function configOf(
	file: ConfigFile,
	args: Arguments,
	extra: Readonly<Record<string, unknown>> = {},
): RunConfig {
	const raw: Record<string, unknown> = { ...file.raw, ...extra };
	const typed = new Set<string>();
	const set = (key: string, text: string): void => {
		const parsed = parseYaml(text === '' ? '""' : text, `--set ${key}`);
		if (!parsed.ok) throw new GroveError('bad-input', parsed.complaints);
		Object.defineProperty(raw, key, {
			value: parsed.value,
			enumerable: true,
			configurable: true,
			writable: true,
		});
	};
	for (const assignment of args.list('set')) {
		const at = assignment.indexOf('=');
		if (at < 1)
			throw new GroveError('bad-input', {
				where: '--set',
				what: 'not an assignment',
				expected: 'KEY=VALUE',
				given: assignment,
			});
		typed.add(assignment.slice(0, at));
		set(assignment.slice(0, at), assignment.slice(at + 1));
	}
	const name = args.text('name');
	if (name !== undefined) raw.name = name;
	const device = args.text('device');
	if (device !== undefined) raw.device = device;
	const seed = args.text('seed');
	if (seed !== undefined) set('seed', seed);
	const result = parseConfig(raw);
	if (!result.ok) throw new GroveError('bad-input', result.complaints);
	// What stands in the file is relative to it; what was typed, to where one stands.
	const ofFile = withAbsolutePaths(result.config, file.folder);
	const ofTerminal = withAbsolutePaths(result.config, process.cwd());
	return {
		...ofFile,
		...Object.fromEntries(Object.entries(ofTerminal).filter(([key]) => typed.has(key))),
	};
}

function warn(config: RunConfig, terminal: Terminal): void {
	const result = parseConfig(config);
	if (result.ok)
		for (const { key, text } of result.warnings) terminal.err(`warning: ${key}: ${text}\n`);
}

async function prepare(
	config: RunConfig,
	terminal: Terminal,
): Promise<{ prepared: PreparedRun; early: TrainingEvent[] }> {
	// Nothing is stored yet: what loading says is kept and recorded once the run exists.
	const early: TrainingEvent[] = [];
	const onEvent = (event: TrainingEvent): void => {
		if (event.kind === 'log') {
			early.push(event);
			if (event.level !== 'info') terminal.err(`${event.level}: ${event.text}\n`);
		} else if (event.kind === 'phase' && terminal.interactive)
			terminal.err(`\r\u001b[2Kloading ${event.detail}`);
	};
	const prepared = await prepareRun({ config, onEvent });
	if (terminal.interactive) terminal.err('\r\u001b[2K');
	return { prepared, early };
}

async function trainNew(
	config: RunConfig,
	origin: RunOrigin,
	resume: TerminalRun['resume'],
	args: Arguments,
	terminal: Terminal,
	store?: Store,
): Promise<number> {
	warn(config, terminal);
	const { prepared, early } = await prepare(config, terminal);
	let opened: Store | undefined = store;
	try {
		opened ??= await openStore(
			args.text('db') === undefined ? {} : { path: args.text('db') ?? '' },
		);
		for (const notice of opened.notices) terminal.err(`warning: ${notice}\n`);
		const runId = opened.createRun(await describeNewRun(prepared, origin));
		for (const event of early) opened.recorder(runId).record(event);
		return await runInTerminal({
			store: opened,
			runId,
			prepared,
			resume,
			terminal,
			json: args.flag('json'),
		});
	} finally {
		await prepared.dispose();
		opened?.close();
	}
}

export const train: Command = {
	name: 'train',
	usage: 'FILE.yaml',
	summary:
		'Trains from a configuration file, with a progress line. Ctrl-C once finishes the step and stops; twice stops now.',
	details: '`grove config keys` lists what a configuration may say.',
	options: overrides,
	positionals: [1, 1],
	async run(args, terminal) {
		const file = await readConfigFile(args.positionals[0] ?? '');
		const config = configOf(file, args);
		return trainNew(
			config,
			{ configText: file.text, parentRunId: null, forkStep: null },
			null,
			args,
			terminal,
		);
	},
};

function exampleFile(name: string): string {
	return fileURLToPath(new URL(`../../../resources/examples/${name}`, import.meta.url));
}

export const demo: Command = {
	name: 'demo',
	usage: '',
	summary:
		'Trains the documented two-turn example on the bundled model: the second agent should write 2 to 3 times as much as the first.',
	options: {
		learn: {
			type: 'flag',
			help: 'Train longer, with settings under which both curves visibly rise.',
		},
		steps: { type: 'text', value: 'NUMBER', help: 'End after this many steps.' },
		...overrides,
	},
	positionals: [0, 0],
	async run(args, terminal) {
		const steps = wholeNumber(args, 'steps', 1);
		const file = await readConfigFile(
			exampleFile(args.flag('learn') ? 'demo-learn.yaml' : 'demo.yaml'),
		);
		const config = configOf(file, args, steps === undefined ? {} : { max_steps: steps });
		return trainNew(
			config,
			{ configText: file.text, parentRunId: null, forkStep: null },
			null,
			args,
			terminal,
		);
	},
};

function storedConfig(config: unknown, runId: string): RunConfig {
	const result = parseConfig(config);
	if (!result.ok)
		throw new GroveError('bad-input', [
			{ where: `run ${runId}`, what: 'its stored configuration cannot be used by this version' },
			...result.complaints,
		]);
	return result.config;
}

export const resume: Command = {
	name: 'resume',
	usage: 'RUN',
	summary:
		'Goes on with a stopped, paused, failed or crashed run from its last whole checkpoint; on the CPU the sequence is the one it would have had.',
	options: {},
	positionals: [1, 1],
	async run(args, terminal) {
		const store = await openStore({
			mustExist: true,
			...(args.text('db') === undefined ? {} : { path: args.text('db') ?? '' }),
		});
		try {
			const run = store.getRun(findRunId(store, args.positionals[0] ?? '')).run;
			if (run.status === 'running' || run.status === 'finished') {
				throw new GroveError('conflict', {
					where: `run ${run.id}`,
					what: run.status === 'running' ? 'the run is going on already' : 'the run has finished',
					expected: 'a stopped, paused, failed or crashed run',
					given: run.status,
					fix: run.status === 'finished' ? `\`grove fork ${run.id}\` trains on from it` : undefined,
				});
			}
			const config = storedConfig(run.config, run.id);
			const { prepared } = await prepare(config, terminal);
			try {
				const from =
					run.step === 0
						? null
						: { folder: checkpointFolder(store.path, run.id, config.output_dir), step: null };
				return await runInTerminal({
					store,
					runId: run.id,
					prepared,
					resume: from,
					terminal,
					json: args.flag('json'),
				});
			} finally {
				await prepared.dispose();
			}
		} finally {
			store.close();
		}
	},
};

export const fork: Command = {
	name: 'fork',
	usage: 'RUN',
	summary:
		'Starts a new run from a checkpoint of another, with a changed configuration; the parent is recorded.',
	options: {
		step: {
			type: 'text',
			value: 'NUMBER',
			help: 'Checkpoint to start from (default: the newest).',
		},
		...overrides,
	},
	positionals: [1, 1],
	async run(args, terminal) {
		const store = await openStore({
			mustExist: true,
			...(args.text('db') === undefined ? {} : { path: args.text('db') ?? '' }),
		});
		let parent: RunRecord;
		try {
			parent = store.getRun(findRunId(store, args.positionals[0] ?? '')).run;
		} catch (error) {
			store.close();
			throw error;
		}
		const step = wholeNumber(args, 'step', 1) ?? null;
		const before = storedConfig(parent.config, parent.id);
		const text = configToYaml(before);
		const file: ConfigFile = {
			path: '',
			folder: process.cwd(),
			text,
			config: before,
			raw: { ...before },
			given: [],
			warnings: [],
		};
		const config = configOf(file, args);
		const from = { folder: checkpointFolder(store.path, parent.id, before.output_dir), step };
		return trainNew(
			config,
			{ configText: configToYaml(config), parentRunId: parent.id, forkStep: step ?? parent.step },
			from,
			args,
			terminal,
			store,
		);
	},
};
