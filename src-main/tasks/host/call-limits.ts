/**
 * Waiting for the promises of task code, each with its own time limit. Time is counted in looks of a timer,
 * and a look counts at most twice its interval: after the machine slept, limits do not strike all at once.
 */
import { type JournalWriter, type Phase, phases } from './journal.ts';

interface Pending {
	phase: Phase;
	index: number;
	elapsedMs: number;
	strike: () => void;
}

export class TimeLimitError extends Error {}

export class CallLimits {
	/** True once a limit struck: what was given up may still be running in this process. */
	struck = false;
	readonly #limitMs: number;
	readonly #journal: JournalWriter;
	readonly #pending = new Set<Pending>();
	#timer: NodeJS.Timeout | null = null;
	#lastLook = 0;
	readonly #now = performance.now.bind(performance);
	readonly #setInterval = setInterval;
	readonly #clearInterval = clearInterval;

	constructor(limitMs: number, journal: JournalWriter) {
		this.#limitMs = limitMs;
		this.#journal = journal;
	}

	/** The value of a promise or thenable. Throws TimeLimitError where it takes too long. */
	async settle(value: PromiseLike<unknown>, phase: Phase, index: number): Promise<unknown> {
		return new Promise((resolve, reject) => {
			const entry: Pending = {
				phase,
				index,
				elapsedMs: 0,
				strike: () => {
					this.struck = true;
					finish();
					reject(new TimeLimitError());
				},
			};
			const finish = (): void => {
				this.#pending.delete(entry);
				if (this.#pending.size === 0) this.#stop();
			};
			this.#pending.add(entry);
			this.#start();
			Promise.resolve(value).then(
				(result) => {
					finish();
					resolve(result);
				},
				(error: unknown) => {
					finish();
					// eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever the task threw
					reject(error);
				},
			);
		});
	}

	/** Tells the journal that nothing runs but promises, and for how long the oldest has. */
	markWaiting(): void {
		let oldest: Pending | null = null;
		for (const entry of this.#pending) {
			if (oldest === null || entry.elapsedMs > oldest.elapsedMs) oldest = entry;
		}
		if (oldest !== null) {
			this.#journal.wait(phases.indexOf(oldest.phase), oldest.index, oldest.elapsedMs);
		}
	}

	#start(): void {
		if (this.#timer !== null) return;
		const every = Math.min(250, Math.max(5, this.#limitMs / 20));
		this.#lastLook = this.#now();
		this.#timer = this.#setInterval(() => {
			this.#look(every);
		}, every);
	}

	#stop(): void {
		if (this.#timer !== null) this.#clearInterval(this.#timer);
		this.#timer = null;
	}

	#look(every: number): void {
		const now = this.#now();
		const passed = Math.min(now - this.#lastLook, 2 * every);
		this.#lastLook = now;
		for (const entry of this.#pending) {
			entry.elapsedMs += passed;
			if (entry.elapsedMs > this.#limitMs) entry.strike();
		}
		this.markWaiting();
	}
}
