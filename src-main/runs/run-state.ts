/** What a checkpoint holds beside the policies: the trainer's state, and which checkpoint was the best so far. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GroveError } from '../contract/errors.ts';
import type { TrainerState } from '../magrpo/index.ts';

const fileName = 'trainer-state.json';

export interface RunState {
	trainer: TrainerState;
	/** Value of the run's best_metric at this step; null where it was not logged yet. */
	score: number | null;
	best: { step: number; score: number } | null;
}

export async function writeRunState(folder: string, state: RunState): Promise<void> {
	await writeFile(join(folder, fileName), JSON.stringify(state));
}

/** Throws GroveError 'bad-input' naming the file where it cannot be read. */
export async function readRunState(folder: string): Promise<RunState> {
	const path = join(folder, fileName);
	try {
		// Written by `writeRunState` and checked by the manifest's hash; the trainer checks the version.
		return JSON.parse(await readFile(path, 'utf8')) as RunState;
	} catch (error) {
		throw new GroveError(
			'bad-input',
			{
				where: path,
				what: 'the state of the trainer cannot be read',
				expected: 'the file as Grove wrote it',
				fix: 'resume from another checkpoint',
			},
			{ cause: error },
		);
	}
}

/** The better of two scores under one rule: higher wins, the earlier on a tie, NaN never. */
export function betterOf(
	best: RunState['best'],
	step: number,
	score: number | null,
): RunState['best'] {
	if (score === null || Number.isNaN(score)) return best;
	return best === null || score > best.score ? { step, score } : best;
}
