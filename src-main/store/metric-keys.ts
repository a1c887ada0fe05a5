import type { Connection } from './connection.ts';

/** Metric names and their numbers. Any text is a name; lone surrogates count as U+FFFD. */
export class MetricKeys {
	readonly #connection: Connection;
	/** Numbers that a commit has made lasting, or that this transaction made. */
	readonly #numbers = new Map<string, number>();

	constructor(connection: Connection) {
		this.#connection = connection;
	}

	/** The number of a name that some run has used, or undefined. */
	find(key: string): number | undefined {
		return this.#connection
			.prepare<[string], { id: number }>('SELECT id FROM metric_keys WHERE key = ?')
			.get(key.toWellFormed())?.id;
	}

	/** The number of a name, giving it one if it is new. Within a write. */
	intern(key: string): number {
		const held = this.#numbers.get(key);
		if (held !== undefined) return held;
		const found = this.find(key);
		const number =
			found ??
			Number(
				this.#connection
					.prepare<[string], never>('INSERT INTO metric_keys (key) VALUES (?)')
					.run(key.toWellFormed()).lastInsertRowid,
			);
		this.#numbers.set(key, number);
		return number;
	}

	/** After a transaction that was undone: what it interned may be gone. */
	forget(): void {
		this.#numbers.clear();
	}

	/** All names by number. */
	names(): Map<number, string> {
		const rows = this.#connection
			.prepareRows<[], [number, string]>('SELECT id, key FROM metric_keys')
			.all();
		return new Map(rows);
	}
}
