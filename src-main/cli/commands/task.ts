/** `grove task`: the tasks that are there, a starting file, and a trial of one. */
import { listTasks } from '../../tasks/index.ts';
import type { Command } from '../command.ts';
import type { CommandGroup } from '../command-group.ts';
import { formatTable } from '../format.ts';
import { printJson } from '../json.ts';
import { check } from './task/check.ts';
import { create } from './task/new.ts';

const list: Command = {
	name: 'task list',
	usage: '',
	summary: 'Lists the built-in tasks.',
	options: {},
	positionals: [0, 0],
	async run(args, terminal) {
		const tasks = await listTasks();
		if (args.flag('json')) printJson(terminal, { tasks });
		else
			terminal.out(
				formatTable(
					['task', 'turns', 'agents', 'what it asks for'],
					tasks.map(({ name, turns, agents, summary }) => [
						name,
						String(turns),
						agents.join(', '),
						summary,
					]),
					100,
				),
			);
		return 0;
	},
};

export const task: CommandGroup = {
	name: 'task',
	summary: 'Tasks: what is asked, what is rewarded, and what feedback leads to the next turn.',
	commands: [list, create, check],
};
