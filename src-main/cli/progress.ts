/** The progress line of the terminal: one line redrawn where it can be, else a line per step. */
import type { StepRecord, TrainingEvent } from '../contract/events.ts';
import { formatDuration, formatNumber } from './format.ts';
import type { Terminal } from './command.ts';

function bar(fraction: number, width: number): string {
	const full = Math.round(Math.min(1, Math.max(0, fraction)) * width);
	return '█'.repeat(full) + '░'.repeat(width - full);
}

function metric(record: StepRecord, key: string): number | undefined {
	return record.metrics.findLast((value) => value.key === key)?.value;
}

/** `turn_1 0.512  turn_2 0.604` of a step, for as many turns as it has. */
export function turnMeans(record: StepRecord, numTurns: number, prefix = ''): string {
	const parts: string[] = [];
	for (let turn = 1; turn <= numTurns; turn++) {
		const value = metric(record, `${prefix}turn_${turn}/reward_mean`);
		parts.push(`turn_${turn} ${value === undefined ? '  —  ' : formatNumber(value).padEnd(5)}`);
	}
	return parts.join('  ');
}

/** Prints training events as they come. `clock` returns milliseconds. */
export class ProgressPrinter {
	#terminal: Terminal;
	#numTurns: number;
	#clock: () => number;
	#startedAt: number;
	#totalSteps = 0;
	#firstStep = 0;
	#drawn = false;

	constructor(terminal: Terminal, numTurns: number, clock: () => number) {
		this.#terminal = terminal;
		this.#numTurns = numTurns;
		this.#clock = clock;
		this.#startedAt = clock();
	}

	#clearLine(): void {
		if (this.#drawn) this.#terminal.err('\r\u001b[2K');
		this.#drawn = false;
	}

	#line(text: string): void {
		this.#clearLine();
		this.#terminal.err(`${text}\n`);
	}

	#draw(step: number, text: string, part: number): void {
		if (!this.#terminal.interactive || this.#totalSteps === 0) return;
		const done = step - 1 + part;
		const spent = this.#clock() - this.#startedAt;
		const since = done - this.#firstStep;
		const left = since > 0 ? (spent / since) * (this.#totalSteps - done) : undefined;
		const line = `${bar(done / this.#totalSteps, 24)} ${Math.min(step, this.#totalSteps)}/${this.#totalSteps}  ${text}${left === undefined ? '' : `  ${formatDuration(left)} left`}`;
		this.#terminal.err(`\r\u001b[2K${line.slice(0, Math.max(20, this.#terminal.columns - 1))}`);
		this.#drawn = true;
	}

	handle(event: TrainingEvent): void {
		switch (event.kind) {
			case 'started':
				this.#totalSteps = event.totalSteps;
				this.#firstStep = event.resumedFromStep;
				this.#startedAt = this.#clock();
				this.#line(`device: ${event.device} (${event.deviceDetail})`);
				if (event.resumedFromStep > 0)
					this.#line(`resumed after step ${event.resumedFromStep} of ${event.totalSteps}`);
				break;
			case 'phase':
				this.#draw(
					Math.max(1, event.step),
					event.detail === '' ? event.phase : `${event.phase} ${event.detail}`,
					event.total > 0 ? (0.9 * event.done) / event.total : 0,
				);
				break;
			case 'step': {
				const { record } = event;
				const seconds = metric(record, 'time/step');
				this.#line(
					`step ${String(record.step).padStart(String(this.#totalSteps).length)}/${this.#totalSteps}  ${turnMeans(record, this.#numTurns)}  env_step ${record.envStep}${seconds === undefined ? '' : `  ${seconds.toFixed(1)} s`}`,
				);
				break;
			}
			case 'evaluation':
				this.#line(
					`evaluation at step ${event.record.step}  ${turnMeans(event.record, this.#numTurns, 'eval/')}`,
				);
				break;
			case 'checkpoint':
				if (!event.record.isFinal)
					this.#line(`checkpoint of step ${event.record.step}: ${event.record.path}`);
				break;
			case 'log':
				if (event.level !== 'info') this.#line(`${event.level}: ${event.text}`);
				break;
			case 'paused':
			case 'stopped':
			case 'finished':
			case 'failed':
				this.#clearLine();
				break;
		}
	}
}
