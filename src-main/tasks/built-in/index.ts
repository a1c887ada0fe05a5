/** The tasks that come with Grove. Adding one: a file like the others, and a line here. */
import type { TaskDefinition } from '../define-task.ts';

/** Name of a task to its definition, loaded when it is asked for. */
export const builtInTasks: Readonly<Record<string, (() => Promise<TaskDefinition>) | undefined>> = {
	'length-ratio-feedback': async () =>
		(await import('./length-ratio-feedback.ts')).lengthRatioFeedback,
	'length-ratio': async () => (await import('./length-ratio.ts')).lengthRatioTask,
	story: async () => (await import('./story.ts')).story,
	tldr: async () => (await import('./tldr.ts')).tldr,
	arxiv: async () => (await import('./arxiv.ts')).arxiv,
};
