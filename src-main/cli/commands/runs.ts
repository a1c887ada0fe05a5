/** `grove runs`: the runs of a database, and what can be done with them. */
import type { CommandGroup } from '../command-group.ts';
import { list } from './runs/list.ts';
import { show } from './runs/show.ts';

export const runs: CommandGroup = {
	name: 'runs',
	summary:
		'The runs of a database: list, show, compare, name, tag, remove, export and import them.',
	commands: [list, show],
};
