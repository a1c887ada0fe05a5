import { writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { GroveError } from '../../../contract/errors.ts';
import { newTaskText, taskTypesText } from '../../../tasks/index.ts';
import type { Command } from '../../command.ts';
import { quoteForShell, safeForTerminal } from '../../format.ts';
import { printJson } from '../../json.ts';

const extensions = ['.ts', '.mts', '.js', '.mjs'];
const typesFile = 'grove-task.d.ts';

/** Writes a new file; false where there is one already. Throws 'bad-input' where it cannot be written. */
async function writeNew(path: string, text: string): Promise<boolean> {
	try {
		await writeFile(path, text, { flag: 'wx' });
		return true;
	} catch (cause) {
		const code = cause instanceof Error && 'code' in cause ? cause.code : null;
		if (code === 'EEXIST') return false;
		throw new GroveError(
			'bad-input',
			{
				where: path,
				what: 'the file cannot be written',
				given: cause instanceof Error ? cause.message : String(cause),
				fix: code === 'ENOENT' ? `make the folder ${dirname(path)} first` : undefined,
			},
			{ cause },
		);
	}
}

/** The path with `.ts` where it has no ending. Throws 'bad-input' for an ending that is no script's. */
function scriptPath(given: string): string {
	const extension = extname(given);
	if (extension === '') return `${given}.ts`;
	if (extensions.includes(extension)) return given;
	throw new GroveError('bad-input', {
		where: 'grove task new',
		what: 'a task is a script',
		expected: `a file that ends in ${extensions.join(', ')}`,
		given,
	});
}

export const create: Command = {
	name: 'task new',
	usage: 'FILE',
	summary:
		'Writes a commented starting file, which runs as it is, and types for an editor beside it.',
	options: {
		name: { type: 'text', value: 'NAME', help: 'Name of the task (default: that of the file).' },
	},
	positionals: [1, 1],
	async run(args, terminal) {
		const path = scriptPath(args.positionals[0] ?? '');
		const name = args.text('name') ?? basename(path, extname(path));
		if (!(await writeNew(path, newTaskText(name)))) {
			throw new GroveError('conflict', {
				where: path,
				what: 'there is a file of this name already; nothing was written',
				fix: 'choose another name',
			});
		}
		const types = await taskTypesText();
		const beside = join(dirname(path), typesFile);
		if (types !== null) await writeNew(beside, types);
		if (args.flag('json'))
			printJson(terminal, { path, name, types: types === null ? null : beside });
		else {
			const file = quoteForShell(path, process.platform);
			terminal.out(
				`${safeForTerminal(path)} is written. Try it with\n  npm run grove -- task check ${file}\n`,
			);
		}
		return 0;
	},
};
