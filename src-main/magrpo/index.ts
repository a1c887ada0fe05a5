/** The one entrance of `magrpo/`; the parts behind it may move. */
export { profileOf, type Profile } from './profile.ts';
export { plannedSteps } from './run-settings.ts';
export { train, type TrainControl, type TrainOptions } from './train.ts';
export type { TrainerState } from './trainer-state.ts';
