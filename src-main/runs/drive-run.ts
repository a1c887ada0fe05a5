/**
 * From a run in the store to its end: checkpoint folder, policies' state, recorder, trainer. The command line
 * calls it in its own process, the manager in a child; both get the same events.
 */
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GroveError } from '../contract/errors.ts';
import type { TrainingEvent } from '../contract/events.ts';
import { plannedSteps } from '../magrpo/index.ts';
import { identify, type Store } from '../store/index.ts';
import { newestWholeCheckpoint } from './checkpoints.ts';
import type { PreparedRun } from './prepare-run.ts';
import { readRunState, type RunState } from './run-state.ts';
import { type RunControl, type RunOutcome, runTraining } from './run-training.ts';

export interface DriveOptions {
	store: Store;
	runId: string;
	prepared: PreparedRun;
	/** Go on from the newest whole checkpoint of `from`, at `step` where given. */
	resume: { folder: string; step: number | null } | null;
	control: RunControl;
	clock: () => number;
	/** Told of every event once it is stored. */
	onEvent: (event: TrainingEvent) => void;
}

/** Where a run's checkpoints go: `output_dir`, else beside the database. */
export function checkpointFolder(
	databasePath: string,
	runId: string,
	outputDir: string | null,
): string {
	return outputDir === null
		? join(dirname(databasePath), 'checkpoints', runId)
		: join(outputDir, runId);
}

/** Loads the state of a checkpoint into the policies. Throws GroveError 'not-found' where there is none whole. */
async function restore(
	prepared: PreparedRun,
	from: NonNullable<DriveOptions['resume']>,
	onEvent: (event: TrainingEvent) => void,
): Promise<RunState> {
	const { checkpoint, passedOver } = await newestWholeCheckpoint(
		from.folder,
		from.step ?? undefined,
	);
	for (const broken of passedOver) {
		onEvent({
			kind: 'log',
			level: 'warning',
			source: 'grove',
			text: `The checkpoint of step ${broken.step} was passed over: ${broken.problem ?? ''}.`,
			step: broken.step,
		});
	}
	if (checkpoint === null) {
		throw new GroveError('not-found', {
			where: from.folder,
			what:
				from.step === null
					? 'there is no whole checkpoint to go on from'
					: `there is no whole checkpoint of step ${from.step}`,
			expected: 'a folder step-NNNNNNNN with manifest.json',
			fix: 'start the run again from its configuration',
		});
	}
	const state = await readRunState(checkpoint.path);
	for (const [index, policy] of prepared.policies.entries()) {
		await policy.loadTrainingState(join(checkpoint.path, `agent_${index + 1}`, 'training-state'));
	}
	return state;
}

/** A write that fails (a full disk) is tried again this often, the run waiting, before the run fails. */
const writeAttempts = 60;
const writePauseMs = 5000;

/** Runs to its end, its stop or its failure; the outcome is stored and returned. */
export async function driveRun(options: DriveOptions): Promise<RunOutcome> {
	const { store, runId, prepared, control, clock } = options;
	const recorder = store.recorder(runId);
	recorder.claim(identify());
	const onEvent = async (event: TrainingEvent): Promise<void> => {
		for (let attempt = 1; ; attempt++) {
			try {
				recorder.record(event);
				break;
			} catch (error) {
				const mayPass = error instanceof GroveError && error.kind === 'store';
				if (!mayPass || attempt >= writeAttempts || control.signal.aborted) throw error;
				// Nothing is dropped: the run waits until the disk has room again.
				options.onEvent({
					kind: 'log',
					level: 'error',
					source: 'grove',
					text: `The step could not be stored, the run waits: ${error.message}`,
					step: 0,
				});
				await sleep(writePauseMs);
			}
		}
		options.onEvent(event);
	};
	const tell = (event: TrainingEvent): void => {
		recorder.record(event);
		options.onEvent(event);
	};
	const beat = setInterval(() => {
		try {
			recorder.heartbeat();
		} catch {
			// The next step says what is wrong with the database; a missed beat alone is no reason to end.
		}
	}, 5000);
	try {
		const resume = options.resume === null ? null : await restore(prepared, options.resume, tell);
		return await runTraining({
			config: prepared.config,
			agents: prepared.agents.map((agent, index) => ({
				...agent,
				name:
					prepared.config.agents?.[index]?.name ?? prepared.task.agentNames[index] ?? agent.name,
			})),
			policies: prepared.policies,
			task: prepared.task,
			checkpointFolder: checkpointFolder(store.path, runId, prepared.config.output_dir),
			resume,
			totalSteps: plannedSteps(prepared.config, prepared.task, resume?.trainer),
			device: prepared.device,
			control,
			clock,
			onEvent,
		});
	} finally {
		clearInterval(beat);
	}
}
