import type { ErrorValue } from '../../src-main/contract/errors.ts';
import type { Bridge, RequestParams, SearchHit } from '../../src-main/contract/requests.ts';

export type SearchOrder = RequestParams<'rollouts.search'>['order'];

export interface SearchFilters {
	query: string;
	/** Null: all runs. */
	runId: string | null;
	turn: number | null;
	/** From 0. */
	agent: number | null;
	minReward: number | null;
	maxReward: number | null;
	order: SearchOrder;
}

const pageSize = 50;
const pauseMs = 150;

/** Joint completions and prompts that match; more are read as the list is scrolled. */
export class RolloutSearch {
	hits = $state.raw<SearchHit[]>([]);
	total = $state(0);
	totalIsLowerBound = $state(false);
	busy = $state(false);
	error = $state.raw<ErrorValue | null>(null);
	readonly #bridge: Bridge;
	#filters: SearchFilters | null = null;
	#round = 0;
	#timer = 0;

	constructor(bridge: Bridge) {
		this.#bridge = bridge;
	}

	/** Begins anew, shortly after the last key was pressed. */
	search(filters: SearchFilters): void {
		this.#filters = filters;
		this.#round++;
		this.busy = true;
		window.clearTimeout(this.#timer);
		this.#timer = window.setTimeout(() => void this.#read(0), pauseMs);
	}

	async more(): Promise<void> {
		if (this.busy || this.hits.length >= this.total) return;
		this.busy = true;
		await this.#read(this.hits.length);
	}

	async #read(offset: number): Promise<void> {
		const filters = this.#filters;
		if (filters === null) return;
		const round = this.#round;
		const { query, runId, turn, agent, minReward, maxReward, order } = filters;
		const reply = await this.#bridge.request('rollouts.search', {
			query,
			...(runId === null ? {} : { runIds: [runId] }),
			...(turn === null ? {} : { turn }),
			...(agent === null ? {} : { agent }),
			...(minReward === null ? {} : { minReward }),
			...(maxReward === null ? {} : { maxReward }),
			order: query === '' && order === 'relevance' ? 'newest' : order,
			limit: pageSize,
			offset,
		});
		if (round !== this.#round) return;
		this.busy = false;
		if (reply.ok) {
			this.error = null;
			this.hits = offset === 0 ? reply.result.hits : [...this.hits, ...reply.result.hits];
			this.total = reply.result.total;
			this.totalIsLowerBound = reply.result.totalIsLowerBound;
		} else this.error = reply.error;
	}
}
