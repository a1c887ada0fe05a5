/** The tasks that come with Grove. Adding one: a file like the others, and a line here. */
import type { TaskDefinition } from '../define-task.ts';

interface BuiltInTask {
	/** Source file beside this one. */
	file: string;
	/** As a task file's exports. */
	load: () => Promise<{ default: TaskDefinition }>;
}

export const builtInTasks: Readonly<Record<string, BuiltInTask | undefined>> = {
	'length-ratio-feedback': {
		file: 'length-ratio-feedback.ts',
		load: async () => ({
			default: (await import('./length-ratio-feedback.ts')).lengthRatioFeedback,
		}),
	},
};
