/** The one entrance of `tasks/`; the parts behind it may move. */
export {
	checkTask,
	type CheckedSample,
	type CheckTaskOptions,
	type TaskCheck,
} from './check-task.ts';
export { type ComlrlImport, importComlrlConfig, isComlrlConfig } from './comlrl-config.ts';
export { listTasks, type TaskListEntry } from './list-tasks.ts';
export { newTaskText, taskTypesText } from './new-task.ts';
export { type OpenedTask, openTask, type OpenTaskOptions } from './open-task.ts';
export { type SpawnHost, type SpawnHostOptions, spawnNodeHost } from './spawn-host.ts';
export type { WaitNotice } from './task-host.ts';
export type {
	CompletionView,
	FeedbackOutcome,
	RewardOutcome,
	Task,
	TaskItem,
	TaskSource,
	TurnContext,
} from './task.ts';
