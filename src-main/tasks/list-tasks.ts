import { builtInTasks } from './built-in/index.ts';

export interface TaskListEntry {
	name: string;
	summary: string;
	/** Names of its agents. */
	agents: string[];
	/** Turns it is meant for. */
	turns: number;
}

/** The built-in tasks, in the order of their list. */
export async function listTasks(): Promise<TaskListEntry[]> {
	const entries: TaskListEntry[] = [];
	for (const [name, load] of Object.entries(builtInTasks)) {
		const task = await load?.();
		if (task === undefined) continue;
		const agents =
			typeof task.agents === 'object'
				? [...task.agents]
				: Array.from({ length: task.agents ?? 2 }, (_, index) => `agent_${index + 1}`);
		entries.push({ name, summary: task.summary ?? '', agents, turns: task.turns ?? 1 });
	}
	return entries;
}
