import type {
	BulkOutcome,
	Reply,
	RequestName,
	RequestParams,
} from '../../src-main/contract/requests.ts';
import type { App } from './app.svelte.ts';

/** What a person does to one run or many; failures become notices, and what can be taken back can be undone. */
export class RunActions {
	readonly #app: App;

	constructor(app: App) {
		this.#app = app;
	}

	async #ask<N extends RequestName>(
		what: string,
		name: N,
		params: RequestParams<N>,
	): Promise<Extract<Reply<N>, { ok: true }>['result'] | null> {
		const reply = await this.#app.bridge.request(name, params);
		if (reply.ok) return reply.result;
		this.#app.notices.fail(what, reply.error);
		return null;
	}

	#report(what: string, outcome: BulkOutcome | null, undo: (() => void) | null): void {
		if (outcome === null) return;
		for (const { error } of outcome.refused) this.#app.notices.fail(what, error);
		if (outcome.done.length === 0) return;
		const count = outcome.done.length === 1 ? '1 run' : `${outcome.done.length} runs`;
		this.#app.notices.add('info', `${what}: ${count}`, {
			action: undo === null ? null : { label: 'Undo', run: undo },
		});
		void this.#app.runs.load();
	}

	async trash(ids: string[]): Promise<void> {
		const outcome = await this.#ask('Moving to the trash', 'runs.trash', { ids });
		this.#report('Moved to the trash', outcome, () => void this.restore(outcome?.done ?? []));
	}

	async restore(ids: string[]): Promise<void> {
		this.#report('Restored', await this.#ask('Restoring', 'runs.restore', { ids }), null);
	}

	async purge(ids: string[]): Promise<void> {
		this.#report('Deleted for good', await this.#ask('Deleting', 'runs.purge', { ids }), null);
	}

	async archive(ids: string[], archived: boolean): Promise<void> {
		const outcome = await this.#ask('Archiving', 'runs.update', { ids, patch: { archived } });
		this.#report(
			archived ? 'Archived' : 'Taken out of the archive',
			outcome,
			() => void this.archive(outcome?.done ?? [], !archived),
		);
	}

	async rename(id: string, name: string): Promise<void> {
		const before = this.#app.runs.byId.get(id)?.name ?? '';
		const outcome = await this.#ask('Renaming', 'runs.update', { ids: [id], patch: { name } });
		this.#report('Renamed', outcome, () => void this.rename(id, before));
	}

	async tag(ids: string[], tag: string): Promise<void> {
		this.#report(
			'Tagged',
			await this.#ask('Tagging', 'runs.update', { ids, patch: {}, addTags: [tag] }),
			null,
		);
	}

	async note(id: string, notes: string): Promise<void> {
		this.#report(
			'Noted',
			await this.#ask('Noting', 'runs.update', { ids: [id], patch: { notes } }),
			null,
		);
	}

	async stop(id: string, now: boolean): Promise<void> {
		if ((await this.#ask('Stopping', 'runs.stop', { id, now })) !== null)
			this.#app.notices.add('info', now ? 'Stopping now' : 'Stopping after this step');
	}

	async pause(id: string): Promise<void> {
		if ((await this.#ask('Pausing', 'runs.pause', { id })) !== null)
			this.#app.notices.add('info', 'Pausing after this step, with a checkpoint');
	}

	async resume(id: string): Promise<void> {
		if ((await this.#ask('Resuming', 'runs.resume', { id })) !== null)
			this.#app.notices.add('info', 'Going on from the last checkpoint');
	}

	async export(
		runIds: string[],
		format: 'bundle' | 'csv' | 'jsonl',
		what: 'metrics' | 'rollouts',
		{ checkpoints = false }: { checkpoints?: boolean } = {},
	): Promise<void> {
		const made = await this.#ask('Exporting', 'export.create', {
			runIds,
			format,
			what,
			checkpoints,
		});
		if (made === null) return;
		this.#app.notices.add('info', `Exported ${made.rows} rows, all there are, to ${made.fileName}`);
		const link = document.createElement('a');
		link.href = made.download;
		link.download = made.fileName;
		link.click();
	}
}
