/** The application's own log, and what of it may be shown to others. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const rotateBytes = 1024 * 1024;
const filesKept = 3;
const longestEntry = 8_000;

export type LogLevel = 'info' | 'warning' | 'error';

export class LogFile {
	readonly #path: string;
	readonly #now: () => Date;

	/** Older parts lie beside `path` as `.1`, `.2`. */
	constructor(path: string, now: () => Date = () => new Date()) {
		this.#path = path;
		this.#now = now;
	}

	#rotate(): void {
		for (let i = filesKept - 1; i >= 1; i--) {
			const older = i === 1 ? this.#path : `${this.#path}.${i - 1}`;
			try {
				renameSync(older, `${this.#path}.${i}`);
			} catch {
				// Not there yet.
			}
		}
	}

	/** Appends one entry. A log that cannot be written must not bring the application down. */
	write(level: LogLevel, text: string): void {
		const entry = { time: this.#now().toISOString(), level, text: text.slice(0, longestEntry) };
		try {
			mkdirSync(dirname(this.#path), { recursive: true });
			const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
			if (size > rotateBytes) this.#rotate();
			appendFileSync(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
		} catch {
			return;
		}
	}

	/** The last entries, oldest first; unreadable lines are left out. */
	last(count: number): { time: string; level: string; text: string }[] {
		let text: string;
		try {
			text = readFileSync(this.#path, 'utf8');
		} catch {
			return [];
		}
		const entries: { time: string; level: string; text: string }[] = [];
		for (const line of text.split('\n').slice(-count - 1)) {
			try {
				entries.push(JSON.parse(line) as { time: string; level: string; text: string });
			} catch {
				// A line that was cut off.
			}
		}
		return entries;
	}
}
