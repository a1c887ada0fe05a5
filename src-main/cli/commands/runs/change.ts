/** What people write on runs: names, tags, notes, and what is put aside. */
import { GroveError } from '../../../contract/errors.ts';
import type { RequestParams } from '../../../contract/requests.ts';
import { reportOutcome } from '../../bulk-outcome.ts';
import type { Arguments, Command, Terminal } from '../../command.ts';
import { findRunId, findRunIds } from '../../find-run.ts';
import { safeForTerminal } from '../../format.ts';
import { withStore } from '../../with-store.ts';

type Change = Omit<RequestParams<'runs.update'>, 'ids'>;

/** The limits that the application has too. */
function checkLength(what: string, text: string, most: number): string {
	if (text.length <= most) return text;
	throw new GroveError('bad-input', {
		where: what,
		what: 'the text is too long',
		expected: `at most ${most} characters`,
		given: `${text.length} characters`,
	});
}

function changeRuns(
	args: Arguments,
	terminal: Terminal,
	runs: readonly string[],
	change: Change,
	done: string,
): Promise<number> {
	return withStore(args, terminal, (store) =>
		reportOutcome(
			store.updateRuns({ ids: findRunIds(store, runs), ...change }),
			done,
			args,
			terminal,
		),
	);
}

export const tag: Command = {
	name: 'runs tag',
	usage: 'RUN...',
	summary: 'Adds tags to runs, or takes them away.',
	options: {
		add: { type: 'list', value: 'TAG', help: 'Add this tag; may be repeated.' },
		remove: { type: 'list', value: 'TAG', help: 'Take this tag away; may be repeated.' },
	},
	positionals: [1, 1000],
	async run(args, terminal) {
		const [addTags, removeTags] = [args.list('add'), args.list('remove')];
		for (const word of [...addTags, ...removeTags]) checkLength('tag', word, 200);
		if (addTags.length + removeTags.length === 0 || [...addTags, ...removeTags].includes('')) {
			throw new GroveError('bad-input', {
				where: 'grove runs tag',
				what: 'a tag is missing',
				expected: '--add TAG or --remove TAG',
			});
		}
		const change = { patch: {}, addTags, removeTags };
		return changeRuns(args, terminal, args.positionals, change, 'tagged');
	},
};

export const rename: Command = {
	name: 'runs rename',
	usage: 'RUN NAME',
	summary: 'Gives a run another name. Names may repeat; the id stays.',
	options: {},
	positionals: [2, 2],
	run(args, terminal) {
		const [run = '', name = ''] = args.positionals;
		const change = { patch: { name: checkLength('NAME', name, 1000) } };
		return changeRuns(args, terminal, [run], change, 'renamed');
	},
};

export const note: Command = {
	name: 'runs note',
	usage: 'RUN [TEXT]',
	summary: 'Writes notes on a run in place of the old ones, or prints them.',
	options: {},
	positionals: [1, 2],
	run(args, terminal) {
		const [run = '', text] = args.positionals;
		if (text !== undefined) {
			const change = { patch: { notes: checkLength('TEXT', text, 4_000_000) } };
			return changeRuns(args, terminal, [run], change, 'noted');
		}
		return withStore(args, terminal, (store) => {
			const { id, notes } = store.getRun(findRunId(store, run)).run;
			terminal.out(
				args.flag('json') ? `${JSON.stringify({ id, notes })}\n` : `${safeForTerminal(notes)}\n`,
			);
			return 0;
		});
	},
};

export const archive: Command = {
	name: 'runs archive',
	usage: 'RUN...',
	summary: 'Puts runs aside: they leave the usual list and keep everything.',
	options: { undo: { type: 'flag', help: 'Bring them back to the usual list.' } },
	positionals: [1, 1000],
	run(args, terminal) {
		const archived = !args.flag('undo');
		const done = archived ? 'archived' : 'brought back';
		return changeRuns(args, terminal, args.positionals, { patch: { archived } }, done);
	},
};
