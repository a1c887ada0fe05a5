/** One connection to the database: prepared statements, transactions with patience, errors in plain words. */
import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { GroveError } from '../contract/errors.ts';
import { isBusy, toStoreError } from './store-error.ts';

export interface ConnectionOptions {
	path: string;
	readOnly: boolean;
	/** Makes the file, with space given back on request (incremental vacuum); else it must exist. */
	create?: boolean;
	/** What SQLite opens, where that is not the path itself. */
	copy?: string;
	/** Told once when the connection is closed. */
	onClosed?: (() => void) | undefined;
	/** `full`: survives a power cut after every step. `normal`: a power cut may undo the last steps, never part of one. */
	durability: 'normal' | 'full';
	/** How long a writer waits for another program's lock before it gives up, in milliseconds. */
	patienceMs: number;
	/** Told when a writer has waited for some time, and again as it goes on. */
	onWaiting?: ((waitedMs: number) => void) | undefined;
}

/** Longest single wait inside SQLite; between two of them `onWaiting` is told. */
const waitMs = 2000;
const pauseMs = 20;
/** From this size on the log is cut on purpose. */
const logLimitBytes = 24 * 1024 * 1024;

export type Statement<P extends unknown[], R> = Database.Statement<P, R>;

export class Connection {
	readonly path: string;
	readonly readOnly: boolean;
	readonly #db: Database.Database;
	readonly #statements = new Map<string, Database.Statement>();
	readonly #patienceMs: number;
	readonly #onWaiting: ((waitedMs: number) => void) | undefined;
	readonly #onClosed: (() => void) | undefined;

	constructor(options: ConnectionOptions) {
		this.path = options.path;
		this.readOnly = options.readOnly;
		this.#patienceMs = options.patienceMs;
		this.#onWaiting = options.onWaiting;
		this.#onClosed = options.onClosed;
		this.#db = new Database(options.copy ?? options.path, {
			readonly: options.readOnly,
			fileMustExist: options.create !== true,
			timeout: Math.min(waitMs, options.patienceMs),
		});
		try {
			this.#patiently(() => {
				if (options.create === true) {
					// Three nodes of a usual tree share a page; of 4 KiB each would take one.
					this.#db.pragma('page_size = 8192');
					this.#db.pragma('auto_vacuum = INCREMENTAL');
				}
				if (!options.readOnly) {
					this.#db.pragma('journal_mode = WAL');
					this.#db.pragma(`synchronous = ${options.durability === 'full' ? 'FULL' : 'NORMAL'}`);
					// In pages: seldom enough that a step rarely pays for it, often enough to bound the log.
					this.#db.pragma('wal_autocheckpoint = 2000');
					this.#db.pragma(`journal_size_limit = ${logLimitBytes}`);
				}
				this.#db.pragma('foreign_keys = ON');
				// Sorting must not depend on the size of the temporary folder.
				this.#db.pragma('temp_store = MEMORY');
				this.#db.pragma('cache_size = -65536');
			});
		} catch (error) {
			this.#db.close();
			this.#onClosed?.();
			throw error;
		}
	}

	/** Prepared once and kept. `P`: the bound parameters, `R`: one row. */
	prepare<P extends unknown[], R>(sql: string): Statement<P, R> {
		let statement = this.#statements.get(sql);
		if (statement === undefined) {
			statement = this.#db.prepare(sql);
			this.#statements.set(sql, statement);
		}
		// The shape of a row is known only to whoever wrote the SQL.
		return statement as unknown as Statement<P, R>;
	}

	/** As prepare, rows as arrays: for large results. */
	prepareRows<P extends unknown[], R extends unknown[]>(sql: string): Statement<P, R> {
		const name = `rows:${sql}`;
		let statement = this.#statements.get(name);
		if (statement === undefined) {
			statement = this.#db.prepare(sql).raw(true);
			this.#statements.set(name, statement);
		}
		return statement as unknown as Statement<P, R>;
	}

	/** One number by a statement that is not kept, written for the occasion; NaN for none. */
	number(sql: string): number {
		const value: unknown = this.#db.prepare(sql).pluck(true).get();
		return typeof value === 'number' ? value : NaN;
	}

	exec(sql: string): void {
		this.#db.exec(sql);
	}

	/** The first value of a pragma. */
	pragma(text: string): unknown {
		return this.#db.pragma(text, { simple: true });
	}

	/**
	 * Runs `work` in a transaction: wholly done, or not at all. Takes the write lock at once, so that it
	 * can wait for it (a read that turns into a write cannot). Throws 'store' after the patience is spent.
	 */
	write<T>(work: () => T): T {
		return this.#guarded(() => {
			if (this.#db.inTransaction) return work();
			if (this.readOnly) {
				throw new GroveError('store', {
					what: 'the database is open for reading only',
					where: this.path,
					fix: 'give yourself the right to write the file and its folder, or choose another with --db',
				});
			}
			this.#patiently(() => this.#run('BEGIN IMMEDIATE'));
			return this.#finish(work);
		});
	}

	/** Runs `work` on one state of the database. Must be short: it keeps the log from being cut. */
	read<T>(work: () => T): T {
		return this.#guarded(() => {
			if (this.#db.inTransaction) return work();
			this.#run('BEGIN');
			return this.#finish(work);
		});
	}

	#run(sql: string): void {
		this.prepare<[], never>(sql).run();
	}

	#finish<T>(work: () => T): T {
		try {
			const result = work();
			this.#run('COMMIT');
			return result;
		} catch (error) {
			// A full disk may have ended the transaction already.
			if (this.#db.inTransaction) this.#run('ROLLBACK');
			throw error;
		}
	}

	#guarded<T>(work: () => T): T {
		try {
			return work();
		} catch (error) {
			throw toStoreError(error, this.path);
		}
	}

	#patiently(work: () => void): void {
		const start = performance.now();
		for (;;) {
			try {
				work();
				return;
			} catch (error) {
				const waitedMs = performance.now() - start;
				if (!isBusy(error) || waitedMs >= this.#patienceMs) throw error;
				if (waitedMs >= waitMs / 2) this.#onWaiting?.(waitedMs);
				// SQLite does not wait for some locks (recovery of the log).
				Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
			}
		}
	}

	/** A copy of the whole database into a new file, while others read and write. Throws 'conflict' where a file is there. */
	async backup(target: string): Promise<void> {
		if (existsSync(target)) {
			throw new GroveError('conflict', {
				what: 'there is a file already, which a backup does not replace',
				where: target,
				fix: 'name another file',
			});
		}
		try {
			await this.#db.backup(target);
		} catch (error) {
			throw toStoreError(error, this.path);
		}
	}

	/** Moves the log into the database file and cuts it, unless somebody reads right now. */
	checkpoint(): void {
		if (this.readOnly) return;
		try {
			this.#db.pragma('wal_checkpoint(TRUNCATE)');
		} catch (error) {
			// Somebody reads: the next one will do it.
			if (!isBusy(error)) throw toStoreError(error, this.path);
		}
	}

	/** As checkpoint, where the log has grown beyond what readers of a moment explain. Waits for nobody. */
	cutLogIfLarge(): void {
		const log = statSync(`${this.path}-wal`, { throwIfNoEntry: false });
		if (log === undefined || log.size < logLimitBytes) return;
		this.#db.pragma('busy_timeout = 0');
		try {
			this.checkpoint();
		} finally {
			this.#db.pragma(`busy_timeout = ${Math.min(waitMs, this.#patienceMs)}`);
		}
	}

	close(): void {
		if (!this.#db.open) return;
		this.#statements.clear();
		this.#db.close();
		this.#onClosed?.();
	}
}
