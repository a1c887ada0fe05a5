/**
 * What one client has not been sent yet. A slow client makes it no longer than a fixed number of entries:
 * of states only the last counts, and where steps or lines had to be left out, the client is told to read
 * everything again, which shows them.
 */
import type { Push } from './publisher.ts';

export interface PushQueueLimits {
	/** Steps and log lines waiting; notices have a tenth of it. */
	entries: number;
	/** Run ids named in one `runs.changed`; more become "all". */
	ids: number;
}

const usualLimits: PushQueueLimits = { entries: 500, ids: 500 };

export class PushQueue {
	readonly #limits: PushQueueLimits;
	#changed: { ids: Set<string> | 'all'; revision: number } | null = null;
	readonly #progress = new Map<string, Push>();
	#steps: Push[] = [];
	#lines: Push[] = [];
	#notices: Push[] = [];

	constructor(limits: PushQueueLimits = usualLimits) {
		this.#limits = limits;
	}

	add(push: Push): void {
		switch (push.name) {
			case 'runs.changed':
				this.#change(push.payload.ids, push.payload.revision);
				break;
			case 'run.progress':
				// Deleted first, so that the map's order is that of the latest word.
				this.#progress.delete(push.payload.runId);
				this.#progress.set(push.payload.runId, push);
				if (this.#progress.size > this.#limits.entries) this.#readAllAgain();
				break;
			case 'run.step':
				this.#steps.push(push);
				if (this.#steps.length > this.#limits.entries) this.#readAllAgain();
				break;
			case 'run.log':
				this.#lines.push(push);
				if (this.#lines.length > this.#limits.entries) this.#readAllAgain();
				break;
			case 'notice':
				this.#notices.push(push);
				if (this.#notices.length > this.#limits.entries / 10) this.#notices.shift();
				break;
		}
	}

	#change(ids: readonly string[], revision: number): void {
		const known = this.#changed?.ids ?? new Set<string>();
		const latest = Math.max(revision, this.#changed?.revision ?? 0);
		if (known === 'all' || ids.length === 0) {
			this.#changed = { ids: 'all', revision: latest };
			return;
		}
		for (const id of ids) known.add(id);
		this.#changed = { ids: known.size > this.#limits.ids ? 'all' : known, revision: latest };
	}

	#readAllAgain(): void {
		this.#steps = [];
		this.#lines = [];
		this.#progress.clear();
		this.#change([], 0);
	}

	get size(): number {
		return (
			(this.#changed === null ? 0 : 1) +
			this.#progress.size +
			this.#steps.length +
			this.#lines.length +
			this.#notices.length
		);
	}

	/** Everything that waits, oldest kinds of change first; the queue is empty afterwards. */
	take(): Push[] {
		const taken: Push[] = [];
		if (this.#changed !== null) {
			const { ids, revision } = this.#changed;
			taken.push({
				name: 'runs.changed',
				payload: { ids: ids === 'all' ? [] : [...ids], revision },
			});
		}
		taken.push(...this.#steps, ...this.#progress.values(), ...this.#lines, ...this.#notices);
		this.#changed = null;
		this.#steps = [];
		this.#progress.clear();
		this.#lines = [];
		this.#notices = [];
		return taken;
	}
}
