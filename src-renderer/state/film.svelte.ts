import type { ErrorValue } from '../../src-main/contract/errors.ts';
import type { Bridge, TreeOutline } from '../../src-main/contract/requests.ts';
import { samePlace, type TreePlace } from '../logic/tree/place.ts';

/** Nodes of all frames together: larger trees make a shorter film. */
const mostNodes = 300_000;
const mostFrames = 2000;

/** One prompt's trees at the steps that visited it, oldest first; evenly chosen where there are too many. */
export class Film {
	frames = $state.raw<readonly TreeOutline[]>([]);
	loading = $state(false);
	error = $state.raw<ErrorValue | null>(null);
	readonly #bridge: Bridge;
	#round = 0;

	constructor(bridge: Bridge) {
		this.#bridge = bridge;
	}

	/** `nodes`: of one of its trees, to know how many frames can be held. */
	async load({ runId, itemIndex, purpose }: TreePlace, nodes: number): Promise<void> {
		const round = ++this.#round;
		this.loading = true;
		const limit = Math.max(2, Math.min(mostFrames, Math.floor(mostNodes / Math.max(1, nodes))));
		const reply = await this.#bridge.request('trees.film', { runId, itemIndex, purpose, limit });
		if (round !== this.#round) return;
		this.loading = false;
		this.frames = reply.ok ? reply.result.frames : [];
		this.error = reply.ok ? null : reply.error;
	}

	/** The frame of a place, if the film has it. */
	at(place: TreePlace): TreeOutline | null {
		return this.frames.find((frame) => samePlace(frame, place)) ?? null;
	}
}
