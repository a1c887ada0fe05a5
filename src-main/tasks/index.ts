/** The one entrance of `tasks/`; the parts behind it may move. */
export type {
	CompletionView,
	FeedbackOutcome,
	RewardOutcome,
	Task,
	TaskItem,
	TaskSource,
	TurnContext,
} from './task.ts';
