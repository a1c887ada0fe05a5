import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { GroveError } from '../contract/errors.ts';
import type { RunStatus } from '../contract/run-record.ts';
import { toCanonicalJson } from './canonical-json.ts';
import type { Connection } from './connection.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { nextRevision } from './revisions.ts';
import { findRun } from './run-rows.ts';

export interface NewRun {
	/** Default: a fresh one. */
	id?: string;
	project: string;
	name: string;
	/** Default: queued. */
	status?: RunStatus;
	/** Default: now. */
	createdAtMs?: number;
	totalSteps?: number;
	/** Effective configuration, complete with defaults. */
	config: Readonly<Record<string, unknown>>;
	/** The configuration as the person wrote it. */
	configText: string;
	/** `path` and `hash` null for a built-in task; `text` null where no source is at hand. */
	task: { name: string; path: string | null; text: string | null; hash: string | null };
	model: string;
	/** One per agent, in order. */
	agents: readonly { name: string; model: string }[];
	device: string;
	/** Decimal text. */
	seed: string;
	groveVersion: string;
	git?: string | null;
	parentRunId?: string | null;
	forkStep?: number | null;
	notes?: string;
	tags?: readonly string[];
	archived?: boolean;
	/** Who drives it; null: nobody yet. */
	process?: ProcessIdentity | null;
}

/** 12 characters of a–z and 2–7: enough that two runs never share one. */
export function newRunId(): string {
	const letters = 'abcdefghijklmnopqrstuvwxyz234567';
	return Array.from(randomBytes(12), (byte) => letters[byte % 32] ?? 'a').join('');
}

/** Stores a new run; returns its id. Throws 'conflict' where the id is taken. Within a write. */
export function createRun(connection: Connection, run: NewRun, nowMs: number): string {
	const id = run.id ?? newRunId();
	if (findRun(connection, id) !== undefined) {
		throw new GroveError('conflict', { what: 'there is a run with this id already', given: id });
	}
	const color =
		connection
			.prepare<[], { next: number | null }>('SELECT max(color_index) + 1 AS next FROM runs')
			.get()?.next ?? 0;
	const { lastInsertRowid } = connection
		.prepare<[Record<string, string | number | null>], never>(
			`INSERT INTO runs (run_id, project, name, status, color_index, created_ms, total_steps, task_hash, task_name, task_path, model, device, seed, grove_version, git, parent_run_id, fork_step, tags, archived, host, pid, process_start, revision)
			VALUES (@id, @project, @name, @status, @color, @created, @totalSteps, @taskHash, @taskName, @taskPath, @model, @device, @seed, @groveVersion, @git, @parent, @forkStep, @tags, @archived, @host, @pid, @start, @revision)`,
		)
		.run({
			id,
			project: run.project,
			name: run.name,
			status: run.status ?? 'queued',
			color,
			created: run.createdAtMs ?? nowMs,
			totalSteps: run.totalSteps ?? 0,
			taskHash: run.task.hash,
			taskName: run.task.name,
			taskPath: run.task.path,
			model: run.model,
			device: run.device,
			seed: run.seed,
			groveVersion: run.groveVersion,
			git: run.git ?? null,
			parent: run.parentRunId ?? null,
			forkStep: run.forkStep ?? null,
			tags: JSON.stringify(run.tags ?? []),
			archived: run.archived === true ? 1 : 0,
			host: run.process?.host ?? hostname(),
			pid: run.process?.pid ?? null,
			start: run.process?.start ?? null,
			revision: nextRevision(connection),
		});
	connection
		.prepare<[number, string, string, string, string], never>(
			'INSERT INTO run_details (run, config, config_text, notes, agents) VALUES (?, ?, ?, ?, ?)',
		)
		.run(
			Number(lastInsertRowid),
			toCanonicalJson(run.config),
			run.configText,
			run.notes ?? '',
			JSON.stringify(run.agents),
		);
	if (run.task.hash !== null && run.task.text !== null) {
		connection
			.prepare<[string, string], never>(
				'INSERT INTO task_sources (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING',
			)
			.run(run.task.hash, run.task.text);
	}
	// A bundle may bring back what was removed for good.
	connection.prepare<[string], never>('DELETE FROM removed_runs WHERE run_id = ?').run(id);
	return id;
}
