/** What a run does now and how long it may take, from the messages of its trainer. */
import type { RunProgress } from '../contract/requests.ts';
import type { FromTrainer } from './trainer-messages.ts';

/** Seconds per step are averaged over this many of the last steps. */
const window = 8;

export class LiveProgress {
	readonly #runId: string;
	#phase: RunProgress['phase'] = 'loading';
	#sinceMs: number;
	#step = 0;
	#totalSteps: number;
	#detail = '';
	#done = 0;
	#total = 0;
	#tokensPerSecond: number | null = null;
	readonly #stepEndsMs: number[] = [];

	constructor(runId: string, totalSteps: number, nowMs: number) {
		this.#runId = runId;
		this.#totalSteps = totalSteps;
		this.#sinceMs = nowMs;
	}

	handle(message: FromTrainer, nowMs: number): void {
		switch (message.kind) {
			case 'started':
				this.#totalSteps = message.totalSteps;
				this.#stepEndsMs.push(nowMs);
				break;
			case 'phase':
				if (message.phase !== this.#phase) this.#sinceMs = nowMs;
				this.#phase = message.phase;
				this.#detail = message.detail;
				this.#done = message.done;
				this.#total = message.total;
				break;
			case 'step': {
				if (message.purpose !== 'train') break;
				this.#step = message.step;
				this.#stepEndsMs.push(nowMs);
				if (this.#stepEndsMs.length > window + 1) this.#stepEndsMs.shift();
				const speed = message.values.find(({ key }) => key === 'speed/generate_tokens_per_second');
				if (speed !== undefined && Number.isFinite(speed.value))
					this.#tokensPerSecond = speed.value;
				break;
			}
			case 'ready':
			case 'checkpoint':
			case 'devices':
			case 'ended':
				break;
		}
	}

	/** At `nowMs`. Time left is unknown before the first step, and never negative. */
	at(nowMs: number): RunProgress {
		const first = this.#stepEndsMs[0];
		const last = this.#stepEndsMs.at(-1);
		const steps = this.#stepEndsMs.length - 1;
		let secondsLeft: number | null = null;
		if (first !== undefined && last !== undefined && steps > 0 && last >= first) {
			const perStep = (last - first) / steps / 1000;
			const spent = Math.max(0, nowMs - last) / 1000;
			secondsLeft = Math.max(
				0,
				perStep * (this.#totalSteps - this.#step) - Math.min(spent, perStep),
			);
		}
		return {
			runId: this.#runId,
			phase: this.#phase,
			step: this.#step,
			totalSteps: this.#totalSteps,
			detail: this.#detail,
			done: this.#done,
			total: this.#total,
			sinceMs: this.#sinceMs,
			secondsLeft,
			tokensPerSecond: this.#tokensPerSecond,
		};
	}
}
