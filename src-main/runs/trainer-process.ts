/** Entry of a trainer process: waits for `begin`, drives that one run, tells its progress, ends. Or only looks at the devices. */
import process from 'node:process';
import { inspectBackends } from '../compute/index.ts';
import { parseConfig } from '../contract/config.ts';
import { type ErrorValue, GroveError, toErrorValue } from '../contract/errors.ts';
import type { StepRecord, TrainingEvent } from '../contract/events.ts';
import { openStore } from '../store/index.ts';
import { checkpointFolder, driveRun } from './drive-run.ts';
import { prepareRun } from './prepare-run.ts';
import { RunControl } from './run-training.ts';
import type { FromTrainer, ToTrainer } from './trainer-messages.ts';

/** The channel to the manager: Node's own, or the parent port of a utility process. */
export interface Channel {
	send(message: FromTrainer): void;
	onMessage(listener: (message: ToTrainer) => void): void;
	/** The manager is gone. */
	onClosed(listener: () => void): void;
	/** Lets the process end once nothing is left to do. */
	close(): void;
}

function stepMessage(record: StepRecord, purpose: 'train' | 'eval'): FromTrainer {
	const { step, envStep, epochProgress, wallTimeMs, metrics } = record;
	const values = metrics.map(({ key, value }) => ({ key, value }));
	return { kind: 'step', step, envStep, epoch: epochProgress, wallTimeMs, purpose, values };
}

/** What the manager is told of an event; null for what it reads from the database. */
function messageOf(event: TrainingEvent): FromTrainer | null {
	switch (event.kind) {
		case 'started':
			return { kind: 'started', totalSteps: event.totalSteps, device: event.device };
		case 'phase':
			return event;
		case 'step':
			return stepMessage(event.record, 'train');
		case 'evaluation':
			return stepMessage(event.record, 'eval');
		case 'checkpoint':
			return { kind: 'checkpoint', record: event.record };
		case 'log':
		case 'paused':
		case 'finished':
		case 'stopped':
		case 'failed':
			return null;
	}
}

/** A trainer outlives a manager that goes away only as long as its present step takes. */
export function serveTrainer(channel: Channel): void {
	const control = new RunControl();
	channel.onMessage((message) => {
		switch (message.kind) {
			case 'begin':
				void begin(channel, control, message).finally(() => channel.close());
				break;
			case 'stop':
				if (message.now) control.stopNow();
				else control.stop();
				break;
			case 'pause':
				control.pause();
				break;
			case 'inspect':
				void inspectBackends({ measure: message.measure })
					.then((found) => channel.send({ kind: 'devices', ...found }))
					.finally(() => channel.close());
				break;
		}
	});
	channel.onClosed(() => control.stop());
	// The same wishes from a terminal, or from another shell on this machine.
	process.on('SIGINT', () => control.stop());
	process.on('SIGTERM', () => control.stopNow());
	if (process.platform !== 'win32') process.on('SIGUSR2', () => control.pause());
	channel.send({ kind: 'ready' });
}

async function begin(
	channel: Channel,
	control: RunControl,
	{ runId, database, resume }: Extract<ToTrainer, { kind: 'begin' }>,
): Promise<void> {
	const store = await openStore({ path: database, mustExist: true });
	const onEvent = (event: TrainingEvent): void => {
		const message = messageOf(event);
		if (message !== null) channel.send(message);
	};
	const fail = (thrown: unknown): void => {
		const error: ErrorValue = toErrorValue(thrown);
		store.recorder(runId).record({ kind: 'failed', step: 0, error });
		channel.send({ kind: 'ended', status: 'failed', error });
	};
	try {
		const stored = parseConfig(store.getRun(runId).run.config);
		if (!stored.ok) throw new GroveError('bad-input', stored.complaints);
		const prepared = await prepareRun({ config: stored.config, onEvent });
		try {
			const outcome = await driveRun({
				store,
				runId,
				prepared,
				resume:
					resume === null
						? null
						: {
								folder: checkpointFolder(database, resume.runId, resume.outputDir),
								step: resume.step,
							},
				control,
				clock: Date.now,
				onEvent,
			});
			channel.send({ kind: 'ended', status: outcome.status, error: outcome.error });
		} finally {
			await prepared.dispose();
		}
	} catch (thrown) {
		fail(thrown);
	} finally {
		store.close();
	}
}
