import type { ForeignRuns } from './foreign-runs.ts';
import type { Publisher } from './publisher.ts';

const lookEveryMs = 700;

/**
 * Tells of runs that other processes write (a terminal, a trainer of another shell): looks at one number
 * of the database now and then. Returns the "off". `onFault` hears of a database that cannot be read.
 */
export function watchRuns(
	foreign: ForeignRuns,
	publisher: Publisher,
	onFault: (error: unknown) => void,
): () => void {
	let failing = false;
	const timer = setInterval(() => {
		try {
			const { revision, runIds, steps } = foreign.look();
			if (runIds.length > 0) publisher.publish('runs.changed', { ids: runIds, revision });
			for (const step of steps) publisher.publish('run.step', step);
			failing = false;
		} catch (error) {
			// Said once, not every second; it may pass (a drive that comes back).
			if (!failing) onFault(error);
			failing = true;
		}
	}, lookEveryMs);
	timer.unref();
	return () => {
		clearInterval(timer);
	};
}
