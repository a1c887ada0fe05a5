/** Runs as files: bundles that another Grove imports, and tables for other programs. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatComplaint, GroveError } from '../../../contract/errors.ts';
import type { ImportReport, RequestParams } from '../../../contract/requests.ts';
import { openStore } from '../../../store/index.ts';
import { type Arguments, type Command, oneOf, type Terminal } from '../../command.ts';
import { findRunIds } from '../../find-run.ts';
import { formatBytes, safeForTerminal } from '../../format.ts';
import { printJson } from '../../json.ts';
import { withStore } from '../../with-store.ts';

/** Throws 'bad-input' for options that say nothing about the format. */
function choiceOf(args: Arguments): Omit<RequestParams<'export.create'>, 'runIds'> {
	const format = oneOf(args, 'format', ['bundle', 'csv', 'jsonl']) ?? 'bundle';
	const what = oneOf(args, 'what', ['metrics', 'rollouts']);
	const checkpoints = args.flag('checkpoints');
	const isBundle = format === 'bundle';
	if (isBundle ? what === undefined : !checkpoints)
		return { format, what: what ?? 'metrics', checkpoints };
	throw new GroveError('bad-input', {
		where: 'grove runs export',
		what: isBundle
			? 'a bundle holds metrics and rollouts: --what is for tables'
			: 'only a bundle can hold checkpoints',
		expected: isBundle ? '--format csv or --format jsonl' : '--format bundle',
	});
}

export const exportRuns: Command = {
	name: 'runs export',
	usage: 'RUN...',
	summary: 'Writes runs to a new file: all rows, never a sample. No file is overwritten.',
	options: {
		format: {
			type: 'text',
			value: 'FORMAT',
			help: 'bundle (default): one .grove file with everything, to import elsewhere; csv or jsonl: a table.',
		},
		what: {
			type: 'text',
			value: 'ROWS',
			help: 'Of a table: metrics (default), a row for each point; or rollouts, a row for each completion (jsonl: for each tree).',
		},
		checkpoints: { type: 'flag', help: 'Put the checkpoints into the bundle.' },
		to: { type: 'text', value: 'FOLDER', help: 'Where the file goes (default: this folder).' },
	},
	positionals: [1, 1000],
	async run(args, terminal) {
		const choice = choiceOf(args);
		return withStore(args, terminal, async (store) => {
			const written = await store.exportRuns(
				{ runIds: findRunIds(store, args.positionals), ...choice },
				resolve(args.text('to') ?? '.'),
			);
			if (args.flag('json')) printJson(terminal, written);
			else
				terminal.out(
					`${safeForTerminal(written.path)}\n${formatBytes(written.bytes)}, ${written.rows} rows\n`,
				);
			return 0;
		});
	},
};

function report({ runs, points, trees, problems }: ImportReport, terminal: Terminal): void {
	for (const { id, name, isNew } of runs)
		terminal.out(
			`${id}  ${safeForTerminal(name)}${isNew ? '' : '  (was here already, left as it is)'}\n`,
		);
	terminal.out(`${points} points and ${trees} rollout trees are new.\n`);
	for (const problem of problems)
		terminal.err(`warning: ${safeForTerminal(formatComplaint(problem))}\n`);
}

export const importRuns: Command = {
	name: 'runs import',
	usage: 'FILE...',
	summary: 'Brings in the runs of bundles. A run that is here already is recognised, not doubled.',
	options: {},
	positionals: [1, 1000],
	async run(args, terminal) {
		const files = args.positionals.map((file) => resolve(file));
		const missing = files.find((file) => !existsSync(file));
		// Before the database is opened: a first import may make it.
		if (missing !== undefined) {
			throw new GroveError('bad-input', {
				where: missing,
				what: 'there is no such file',
				expected: 'a .grove file that `grove runs export` wrote',
			});
		}
		const path = args.text('db');
		const store = await openStore(path === undefined ? {} : { path });
		try {
			for (const notice of store.notices) terminal.err(`warning: ${notice}\n`);
			const reports: ({ file: string } & ImportReport)[] = [];
			for (const file of files) {
				const imported = await store.importFile(file);
				reports.push({ file, ...imported });
				if (!args.flag('json')) report(imported, terminal);
			}
			if (args.flag('json')) printJson(terminal, { imported: reports });
			return 0;
		} finally {
			store.close();
		}
	},
};
