/**
 * Starts, pauses, stops, resumes and forks runs, and tells what they do. Runs of other processes (a
 * terminal) are steered by signals, and seen through the database.
 */
import process from 'node:process';
import type { RunConfig } from '../contract/config.ts';
import { GroveError, toErrorValue } from '../contract/errors.ts';
import type { Pushes, RunProgress } from '../contract/requests.ts';
import type { RunRecord } from '../contract/run-record.ts';
import { identify, type Store } from '../store/index.ts';
import { checkConfigText } from './config-file.ts';
import { withAbsolutePaths } from './config-paths.ts';
import { LiveProgress } from './live-progress.ts';
import { describeNewRun, type RunOrigin } from './new-run.ts';
import { prepareRun } from './prepare-run.ts';
import type {
	FromTrainer,
	SpawnTrainer,
	ToTrainer,
	TrainerExit,
	TrainerHandle,
} from './trainer-messages.ts';

export interface ManagerOptions {
	store: Store;
	spawn: SpawnTrainer;
	/** Pushes to whoever looks on. */
	publish: <P extends 'run.progress' | 'run.step' | 'runs.changed'>(
		name: P,
		payload: Pushes[P],
	) => void;
	clock: () => number;
}

interface Driven {
	trainer: TrainerHandle;
	progress: LiveProgress;
	/** Set once the trainer itself said how it ended. */
	ended: boolean;
	exited: Promise<void>;
}

type Resume = Extract<ToTrainer, { kind: 'begin' }>['resume'];

export class RunManager {
	readonly #options: ManagerOptions;
	readonly #driven = new Map<string, Driven>();

	constructor(options: ManagerOptions) {
		this.#options = options;
	}

	/** Progress of the runs that this manager drives. */
	live(): ReadonlyMap<string, RunProgress> {
		const now = this.#options.clock();
		return new Map([...this.#driven].map(([id, { progress }]) => [id, progress.at(now)]));
	}

	/** Checks everything, stores the run, starts its trainer. Throws GroveError; nothing is stored then. */
	async start(text: string, baseFolder: string): Promise<string> {
		return this.#create(
			this.#check(text, baseFolder),
			{ configText: text, parentRunId: null, forkStep: null },
			null,
		);
	}

	/** A new run that goes on from a checkpoint of another, with a configuration of its own. */
	async fork(
		parentId: string,
		step: number | null,
		text: string,
		baseFolder: string,
	): Promise<string> {
		const parent = this.#options.store.getRun(parentId).run;
		const resume: Resume = { runId: parentId, outputDir: outputDirOf(parent), step };
		return this.#create(
			this.#check(text, baseFolder),
			{ configText: text, parentRunId: parentId, forkStep: step ?? parent.step },
			resume,
		);
	}

	#check(text: string, baseFolder: string): RunConfig {
		const result = checkConfigText(text, 'configuration');
		if (!result.ok) throw new GroveError('bad-input', result.complaints);
		return withAbsolutePaths(result.config, baseFolder);
	}

	async #create(config: RunConfig, origin: RunOrigin, resume: Resume): Promise<string> {
		const { store } = this.#options;
		// The trainer loads all of this again; here it only shows that it can.
		const prepared = await prepareRun({ config, onEvent: () => undefined, isTrial: true });
		let id: string;
		try {
			id = store.createRun(await describeNewRun(prepared, origin));
		} finally {
			await prepared.dispose();
		}
		this.#drive(id, prepared.totalSteps, resume);
		return id;
	}

	/** Goes on from the last whole checkpoint. Throws 'conflict' for a run that goes on already. */
	resume(id: string): void {
		const run = this.#options.store.getRun(id).run;
		if (this.#driven.has(id) || run.status === 'running' || run.status === 'queued')
			throw conflict(run, 'is running already', 'a stopped, paused, failed or crashed run');
		if (run.status === 'finished')
			throw conflict(run, 'has finished', 'a run that has steps left; fork it to train on');
		this.#drive(
			id,
			run.totalSteps,
			run.step === 0 ? null : { runId: id, outputDir: outputDirOf(run), step: null },
		);
	}

	/** Ends after the present step (`now`: drops it), with a checkpoint. */
	stop(id: string, now: boolean): void {
		this.#steer(id, { kind: 'stop', now }, now ? 'SIGTERM' : 'SIGINT');
	}

	pause(id: string): void {
		this.#steer(id, { kind: 'pause' }, 'SIGUSR2');
	}

	#steer(id: string, message: ToTrainer, signal: NodeJS.Signals): void {
		const driven = this.#driven.get(id);
		if (driven !== undefined) {
			driven.trainer.send(message);
			return;
		}
		const run = this.#options.store.getRun(id).run;
		if (run.status !== 'running' || run.pid === null)
			throw conflict(run, 'is not running', 'a running run');
		if (run.host !== identify().host)
			throw conflict(run, `runs on another machine, ${run.host}`, 'a run of this machine');
		process.kill(run.pid, signal);
	}

	#drive(id: string, totalSteps: number, resume: Resume): void {
		const { spawn, store, clock } = this.#options;
		const trainer = spawn();
		let tellExit: () => void = () => undefined;
		const driven: Driven = {
			trainer,
			progress: new LiveProgress(id, totalSteps, clock()),
			ended: false,
			exited: new Promise((resolve) => {
				tellExit = resolve;
			}),
		};
		this.#driven.set(id, driven);
		if (trainer.pid !== undefined) store.recorder(id).claim(identify(trainer.pid));
		trainer.onMessage((message) => {
			this.#onMessage(id, driven, message);
		});
		trainer.onExit((exit) => {
			this.#driven.delete(id);
			if (!driven.ended) this.#crashed(id, exit);
			this.#options.publish('runs.changed', { ids: [id], revision: store.revision() });
			tellExit();
		});
		trainer.send({ kind: 'begin', runId: id, database: store.path, resume });
	}

	#onMessage(id: string, driven: Driven, message: FromTrainer): void {
		const { publish, store, clock } = this.#options;
		const now = clock();
		driven.progress.handle(message, now);
		switch (message.kind) {
			case 'step': {
				const { step, envStep, epoch, wallTimeMs, purpose, values } = message;
				publish('run.step', { runId: id, step, envStep, epoch, wallTimeMs, purpose, values });
				publish('runs.changed', { ids: [id], revision: store.revision() });
				break;
			}
			case 'ended':
				driven.ended = true;
				break;
			case 'started':
			case 'checkpoint':
				publish('runs.changed', { ids: [id], revision: store.revision() });
				break;
			case 'ready':
			case 'phase':
			case 'devices':
				break;
		}
		publish('run.progress', driven.progress.at(now));
	}

	#crashed(id: string, exit: TrainerExit): void {
		const how =
			exit.signal === null
				? `with exit code ${exit.code ?? 'unknown'}`
				: `by the signal ${exit.signal}`;
		const error = new GroveError('device', {
			what: `the trainer ended ${how}`,
			given: exit.lastOutput.trim().split('\n').slice(-12).join('\n') || 'no output',
			fix: 'resume the run: all finished steps are kept',
		});
		const { store } = this.#options;
		const { step } = store.getRun(id).run;
		store.recorder(id).record({ kind: 'failed', step, error: toErrorValue(error) });
	}

	/** Runs of this manager that go on at present. */
	get driving(): readonly string[] {
		return [...this.#driven.keys()];
	}

	/** Stops or pauses every trainer and waits until all have ended; a trainer that does not within `graceMs` is killed. */
	async endAll(how: 'stop' | 'pause', graceMs: number): Promise<void> {
		const all = [...this.#driven.values()];
		for (const { trainer } of all)
			trainer.send(how === 'pause' ? { kind: 'pause' } : { kind: 'stop', now: false });
		const timer = setTimeout(() => {
			for (const { trainer } of all) trainer.kill();
		}, graceMs);
		await Promise.all(all.map(({ exited }) => exited));
		clearTimeout(timer);
	}
}

function outputDirOf(run: RunRecord): string | null {
	const value = run.config.output_dir;
	return typeof value === 'string' ? value : null;
}

function conflict(run: RunRecord, what: string, expected: string): GroveError {
	return new GroveError('conflict', {
		where: `run ${run.id}`,
		what: `the run ${what}`,
		expected,
		given: run.status,
	});
}
