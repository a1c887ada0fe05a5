/** Closing the window or quitting while runs of this application train. */
import type { ServiceContext } from '../../services/context.ts';
import type { ElectronApi } from './electron-api.ts';

/** `stay`: nothing happens. `hide`: the window goes, training stays. `leave`: no own run trains any more. */
export type LeaveDecision = 'stay' | 'hide' | 'leave';

const lookEveryMs = 100;

/** Asks all runs that this application trains to end, and waits until they have. Steps that are done stay done. */
export async function endOwnRuns(
	context: ServiceContext,
	how: 'pause' | 'stop',
	withinMs = Infinity,
): Promise<void> {
	const { runs, log } = context;
	const wishes = runs.own().map(async (id) => {
		try {
			await (how === 'pause' ? runs.pause({ id }) : runs.stop({ id, now: false }));
		} catch (error) {
			// One that has just ended by itself.
			log('warning', `${how} refused: ${String(error)}`);
		}
	});
	await Promise.all(wishes);
	for (let waited = 0; runs.own().length > 0 && waited < withinMs; waited += lookEveryMs)
		await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
}

/** Asks the person what to do with training runs, and does it. */
export async function askToLeave(
	{ dialog }: Pick<ElectronApi, 'dialog'>,
	context: ServiceContext,
): Promise<LeaveDecision> {
	const count = context.runs.own().length;
	if (count === 0) return 'leave';
	const { response } = await dialog.showMessageBox({
		type: 'question',
		message: count === 1 ? 'A run is training.' : `${count} runs are training.`,
		detail:
			'Pausing finishes the step and saves a checkpoint; the run can be resumed later. Every finished step is kept in any case.',
		buttons: ['Keep Training in the Background', 'Pause', 'Stop', 'Cancel'],
		defaultId: 0,
		cancelId: 3,
		noLink: true,
	});
	switch (response) {
		case 0:
			return 'hide';
		case 1:
			await endOwnRuns(context, 'pause');
			return 'leave';
		case 2:
			await endOwnRuns(context, 'stop');
			return 'leave';
		default:
			return 'stay';
	}
}
