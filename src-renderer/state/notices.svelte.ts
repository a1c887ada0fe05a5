import type { ErrorValue } from '../../src-main/contract/errors.ts';

export interface Notice {
	id: number;
	level: 'info' | 'warning' | 'error';
	text: string;
	/** What to do about it, if anything. */
	detail: string | null;
	action: { label: string; run: () => void } | null;
	atMs: number;
}

const shownMs = 6_000;
const kept = 100;

/** Notifications: the newest float as toasts, all of them stay readable in the list. */
export class Notices {
	all = $state.raw<Notice[]>([]);
	floating = $state.raw<Notice[]>([]);
	unread = $state(0);
	#nextId = 1;

	add(
		level: Notice['level'],
		text: string,
		more: { detail?: string; action?: Notice['action'] } = {},
	): void {
		const notice: Notice = {
			id: this.#nextId++,
			level,
			text,
			detail: more.detail ?? null,
			action: more.action ?? null,
			atMs: Date.now(),
		};
		this.all = [notice, ...this.all].slice(0, kept);
		this.floating = [...this.floating, notice].slice(-4);
		this.unread++;
		// An error stays until it is dismissed: it may hold what to do.
		if (level !== 'error') window.setTimeout(() => this.dismiss(notice.id), shownMs);
	}

	fail(what: string, error: ErrorValue): void {
		const fix = error.complaints.map((complaint) => complaint.fix).find((text) => text != null);
		const reason = error.complaints[0]?.what ?? error.message;
		this.add('error', `${what}: ${reason}`, fix === undefined ? {} : { detail: fix });
	}

	dismiss(id: number): void {
		this.floating = this.floating.filter((notice) => notice.id !== id);
	}

	clear(): void {
		this.all = [];
		this.floating = [];
		this.unread = 0;
	}
}
