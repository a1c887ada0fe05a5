/** Drives one run in this process with a progress line, Ctrl-C, and a summary at the end. */
import process from 'node:process';
import { exitCodes } from '../contract/errors.ts';
import type { TrainingEvent } from '../contract/events.ts';
import { driveRun, type DriveOptions } from '../runs/drive-run.ts';
import type { PreparedRun } from '../runs/prepare-run.ts';
import { RunControl, type RunOutcome } from '../runs/run-training.ts';
import { defaultDatabasePath, type Store } from '../store/index.ts';
import type { Terminal } from './command.ts';
import { formatDuration, formatNumber, quoteForShell } from './format.ts';
import { ProgressPrinter } from './progress.ts';

export interface TerminalRun {
	store: Store;
	runId: string;
	prepared: PreparedRun;
	resume: DriveOptions['resume'];
	terminal: Terminal;
	json: boolean;
}

/** The first Ctrl-C finishes the step, the second drops it, the third leaves at once. */
function listenForInterrupts(control: RunControl, terminal: Terminal): () => void {
	let times = 0;
	const onInterrupt = (): void => {
		times++;
		if (times === 1) {
			control.stop();
			terminal.err('\nFinishing the step, then stopping. Ctrl-C again drops the step.\n');
		} else if (times === 2) {
			control.stopNow();
			terminal.err('\nStopping now; the finished steps are kept.\n');
		} else process.exit(exitCodes.stopped);
	};
	const onTerminate = (): void => {
		control.stopNow();
	};
	const onPause = (): void => {
		control.pause();
	};
	process.on('SIGINT', onInterrupt);
	process.on('SIGTERM', onTerminate);
	if (process.platform !== 'win32') process.on('SIGUSR2', onPause);
	return () => {
		process.off('SIGINT', onInterrupt);
		process.off('SIGTERM', onTerminate);
		if (process.platform !== 'win32') process.off('SIGUSR2', onPause);
	};
}

/** Runs to the end; prints the summary; returns the exit code. */
export async function runInTerminal(options: TerminalRun): Promise<number> {
	const { store, runId, prepared, terminal } = options;
	const control = new RunControl();
	const stopListening = listenForInterrupts(control, terminal);
	const printer = new ProgressPrinter(terminal, prepared.config.num_turns, Date.now);
	const startedMs = Date.now();
	try {
		const outcome = await driveRun({
			store,
			runId,
			prepared,
			resume: options.resume,
			control,
			clock: Date.now,
			onEvent: (event: TrainingEvent) => {
				printer.handle(event);
			},
		});
		summarize(options, outcome, Date.now() - startedMs);
		if (outcome.status === 'failed') {
			const kind = outcome.error?.kind ?? 'fault';
			return kind === 'fault' ? 1 : exitCodes[kind];
		}
		return outcome.status === 'finished' ? 0 : exitCodes.stopped;
	} finally {
		stopListening();
	}
}

function summarize(options: TerminalRun, outcome: RunOutcome, spentMs: number): void {
	const { store, runId, prepared, terminal, json } = options;
	const summaries = store.listRuns({
		include: 'all',
		keys: turnKeys(prepared),
		ids: [runId],
	}).runs[0]?.summaries;
	if (json) {
		terminal.out(
			`${JSON.stringify({ id: runId, status: outcome.status, step: outcome.step, error: outcome.error, summaries })}\n`,
		);
		return;
	}
	const run = store.getRun(runId).run;
	const lines = [
		'',
		`${run.name === '' ? 'Run' : run.name} ${outcome.status} at step ${outcome.step} of ${prepared.totalSteps} after ${formatDuration(spentMs)}, ${run.envStep} joint completions scored.`,
	];
	for (const key of turnKeys(prepared)) {
		const summary = summaries?.[key];
		if (summary === undefined) continue;
		const show = (value: number | null): string => (value === null ? '—' : formatNumber(value));
		lines.push(
			`  ${key.padEnd(20)} last ${show(summary.last)}, mean ${show(summary.mean)}, best ${show(summary.max)}`,
		);
	}
	if (outcome.error !== null) lines.push('', outcome.error.message);
	lines.push('', `Everything is in ${store.path}`);
	// The commands must find this database again.
	const where =
		store.path === defaultDatabasePath()
			? ''
			: ` --db ${quoteForShell(store.path, process.platform)}`;
	if (outcome.status !== 'finished') lines.push(`Go on:  npm run grove -- resume ${runId}${where}`);
	lines.push(`See it: npm start -- --run ${runId}${where}`, '');
	terminal.out(lines.join('\n'));
}

function turnKeys(prepared: PreparedRun): string[] {
	return Array.from(
		{ length: prepared.config.num_turns },
		(_, turn) => `turn_${turn + 1}/reward_mean`,
	);
}
