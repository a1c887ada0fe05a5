/** The one entrance of `tasks/`; the parts behind it may move. */
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
