/** Removing runs: first to the trash, from where they come back, then for good. */
import { removeTrash } from '../../../services/workspace.ts';
import { countRuns, reportOutcome } from '../../bulk-outcome.ts';
import type { Command } from '../../command.ts';
import { findRunIds } from '../../find-run.ts';
import { formatBytes, formatTable, formatTime } from '../../format.ts';
import { printJson } from '../../json.ts';
import { withStore } from '../../with-store.ts';

export const remove: Command = {
	name: 'runs delete',
	usage: 'RUN...',
	summary: 'Puts runs in the trash. `grove runs restore` brings them back.',
	options: {},
	positionals: [1, 1000],
	run: (args, terminal) =>
		withStore(args, terminal, (store) =>
			reportOutcome(
				store.trashRuns(findRunIds(store, args.positionals)),
				'put in the trash',
				args,
				terminal,
			),
		),
};

export const restore: Command = {
	name: 'runs restore',
	usage: 'RUN...',
	summary: 'Brings runs back from the trash.',
	options: {},
	positionals: [1, 1000],
	run: (args, terminal) =>
		withStore(args, terminal, (store) =>
			reportOutcome(
				store.restoreRuns(findRunIds(store, args.positionals)),
				'restored',
				args,
				terminal,
			),
		),
};

export const emptyTrash: Command = {
	name: 'runs empty-trash',
	usage: '',
	summary: 'Shows what is in the trash and how large it is; with --yes removes it for good.',
	options: { yes: { type: 'flag', help: 'Remove it; this cannot be undone.' } },
	positionals: [0, 0],
	run: (args, terminal) =>
		withStore(args, terminal, async (store) => {
			const { runs } = store.listRuns({ include: 'trash', keys: [] });
			const { byRun, trash } = store.usage();
			const sizes = new Map(byRun.map((run) => [run.runId, run]));
			const listed = runs.map(({ id, name, deletedAtMs }) => {
				const { textBytes = 0, metricBytes = 0, checkpointBytes = 0 } = sizes.get(id) ?? {};
				return { id, name, deletedAtMs, textBytes, metricBytes, checkpointBytes };
			});
			if (args.flag('yes')) {
				const outcome = await removeTrash(store);
				if (args.flag('json')) printJson(terminal, { removed: listed, ...outcome });
				else
					terminal.out(
						`${countRuns(outcome.runs)} removed for good, ${formatBytes(outcome.freedBytes)} freed.\n`,
					);
			} else if (args.flag('json')) printJson(terminal, { trash: listed, bytes: trash });
			else if (listed.length === 0) terminal.out('The trash is empty.\n');
			else {
				const rows = listed.map((run) => [
					run.id,
					run.name,
					run.deletedAtMs === null ? '' : formatTime(run.deletedAtMs),
					formatBytes(run.textBytes),
					formatBytes(run.metricBytes),
					formatBytes(run.checkpointBytes),
				]);
				terminal.out(
					`${formatTable(['id', 'name', 'deleted', 'texts', 'metrics', 'checkpoints'], rows)}\n${formatBytes(trash)} in all. \`grove runs empty-trash --yes\` removes it for good.\n`,
				);
			}
			return 0;
		}),
};
