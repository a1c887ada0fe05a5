/** The one entrance of `magrpo/`; the parts behind it may move. */
export { plannedSteps } from './run-settings.ts';
export { train, type TrainControl } from './train.ts';
export type { TrainerState } from './trainer-state.ts';
