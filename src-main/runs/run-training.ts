/**
 * Drives one run: takes the trainer's events, adds what only this process knows (system usage), hands
 * them to the recorder, and decides between steps whether to checkpoint, stop or pause.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Device } from '../compute/index.ts';
import type { ResolvedAgent, RunConfig } from '../contract/config.ts';
import type { ErrorValue } from '../contract/errors.ts';
import { toErrorValue } from '../contract/errors.ts';
import type { StepRecord, TrainingEvent } from '../contract/events.ts';
import { train, type TrainerState } from '../magrpo/index.ts';
import type { Policy } from '../policy/index.ts';
import type { Task } from '../tasks/index.ts';
import { pruneCheckpoints, writeCheckpoint } from './checkpoints.ts';
import { betterOf, type RunState, writeRunState } from './run-state.ts';
import { SystemUsage } from './system-usage.ts';

export interface RunTrainingOptions {
	config: RunConfig;
	agents: readonly ResolvedAgent[];
	policies: readonly Policy[];
	task: Task;
	/** Folder that holds this run's checkpoints. */
	checkpointFolder: string;
	/** State of the checkpoint that the policies were given. */
	resume: RunState | null;
	totalSteps: number;
	/** What computes, as it is shown, and how many bytes it holds. */
	device: Pick<Device, 'name' | 'detail' | 'usedBytes'>;
	control: RunControl;
	/** Milliseconds since 1970. */
	clock: () => number;
	/** Stores and shows; a rejection (a disk that stays full) ends the run as failed with all earlier steps kept. */
	onEvent: (event: TrainingEvent) => Promise<void>;
}

/** What a person asks of a running trainer; may be called at any time, the last wish counts. */
export class RunControl {
	readonly #abort = new AbortController();
	#wish: 'continue' | 'stop' | 'pause' = 'continue';

	/** Finish the step, save a checkpoint, end. */
	stop(): void {
		this.#wish = 'stop';
	}

	/** As stop, but the run is marked paused. */
	pause(): void {
		if (this.#wish === 'continue') this.#wish = 'pause';
	}

	/** Drop a step that has not begun to update, save, end. */
	stopNow(): void {
		this.#wish = 'stop';
		this.#abort.abort();
	}

	get wish(): 'continue' | 'stop' | 'pause' {
		return this.#wish;
	}

	get signal(): AbortSignal {
		return this.#abort.signal;
	}
}

export interface RunOutcome {
	status: 'finished' | 'stopped' | 'paused' | 'failed';
	step: number;
	error: ErrorValue | null;
}

/** Runs to the end or to the first stop. Failures come back as an outcome and as a `failed` event; it does not throw them. */
export async function runTraining(options: RunTrainingOptions): Promise<RunOutcome> {
	const { config, policies, agents, task, control, clock, onEvent, checkpointFolder } = options;
	const usage = new SystemUsage(clock(), options.device.usedBytes);
	const resumedFromStep = options.resume?.trainer.step ?? 0;
	let step = resumedFromStep;
	let score = options.resume?.score ?? null;
	let best = options.resume?.best ?? null;
	let savedStep = options.resume === null ? -1 : resumedFromStep;
	/** What the policies hold at present, for a checkpoint after an aborted step. */
	let latest: TrainerState | null = null;

	const save = async (trainer: TrainerState): Promise<void> => {
		await onEvent({
			kind: 'phase',
			phase: 'saving',
			step: trainer.step,
			detail: '',
			done: 0,
			total: 1,
		});
		best = betterOf(best, trainer.step, score);
		const state: RunState = { trainer, score, best };
		await mkdir(checkpointFolder, { recursive: true });
		const { path, bytes } = await writeCheckpoint(
			checkpointFolder,
			trainer.step,
			async (folder) => {
				await writeRunState(folder, state);
				for (const [index, policy] of policies.entries()) {
					const agentFolder = join(folder, `agent_${index + 1}`);
					await policy.save(agentFolder);
					await policy.saveTrainingState(join(agentFolder, 'training-state'));
				}
			},
		);
		savedStep = trainer.step;
		const removed = await pruneCheckpoints(
			checkpointFolder,
			config.keep_checkpoints,
			best?.step ?? null,
		);
		await onEvent({
			kind: 'checkpoint',
			record: {
				step: trainer.step,
				envStep: trainer.envStep,
				path,
				bytes,
				wallTimeMs: clock(),
				score,
				isBest: best?.step === trainer.step,
				isFinal: trainer.finished,
			},
			removed,
		});
	};

	const betweenSteps = async (state: TrainerState): Promise<'continue' | 'stop'> => {
		latest = state;
		const isDue =
			config.checkpoint_steps > 0 && state.step > 0 && state.step % config.checkpoint_steps === 0;
		const isLeaving = control.wish !== 'continue' && state.step > 0;
		// A finished state replaces a checkpoint of the same step: only it knows that nothing is left to do.
		if (state.finished || ((isDue || isLeaving) && state.step !== savedStep)) await save(state);
		return control.wish === 'continue' ? 'continue' : 'stop';
	};

	const withUsage = (record: StepRecord): StepRecord => ({
		...record,
		metrics: [...record.metrics, ...usage.read(clock())],
	});

	try {
		await onEvent({
			kind: 'started',
			totalSteps: options.totalSteps,
			device: options.device.name,
			deviceDetail: options.device.detail,
			resumedFromStep,
		});
		const events = train({
			policies,
			task,
			config,
			agents,
			clock,
			control: { betweenSteps, signal: control.signal },
			...(options.resume === null ? {} : { resume: options.resume.trainer }),
		});
		for await (const event of events) {
			switch (event.kind) {
				case 'step':
					step = event.record.step;
					score =
						event.record.metrics.findLast(({ key }) => key === config.best_metric)?.value ?? score;
					await onEvent({ kind: 'step', record: withUsage(event.record) });
					break;
				case 'evaluation':
					score =
						event.record.metrics.findLast(({ key }) => key === config.best_metric)?.value ?? score;
					await onEvent(event);
					break;
				case 'stopped':
				case 'finished':
					// Told below, once the last checkpoint is safe.
					break;
				case 'started':
				case 'phase':
				case 'log':
				case 'checkpoint':
				case 'paused':
				case 'failed':
					await onEvent(event);
					break;
			}
		}
		// Aborted within a step: the policies still hold the state handed out last.
		const held = latest as TrainerState | null;
		if (control.wish !== 'continue' && held !== null && held.step > 0 && held.step !== savedStep)
			await save(held);
		const status =
			held?.finished === true ? 'finished' : control.wish === 'pause' ? 'paused' : 'stopped';
		await onEvent({ kind: status, step });
		return { status, step, error: null };
	} catch (thrown) {
		const error = toErrorValue(thrown);
		try {
			await onEvent({ kind: 'failed', step, error });
		} catch {
			// The recorder itself is what failed; the outcome still says why.
		}
		return { status: 'failed', step, error };
	}
}
