/** `grove runs`: the runs of a database, and what can be done with them. */
import type { CommandGroup } from '../command-group.ts';
import { archive, note, rename, tag } from './runs/change.ts';
import { diff } from './runs/diff.ts';
import { exportRuns, importRuns } from './runs/files.ts';
import { list } from './runs/list.ts';
import { show } from './runs/show.ts';
import { emptyTrash, remove, restore } from './runs/trash.ts';

export const runs: CommandGroup = {
	name: 'runs',
	summary:
		'The runs of a database. RUN is an id, the beginning of one, or a name that only one run has.',
	commands: [
		list,
		show,
		diff,
		tag,
		rename,
		note,
		archive,
		remove,
		restore,
		emptyTrash,
		exportRuns,
		importRuns,
	],
};
