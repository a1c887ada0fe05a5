import type { ErrorValue } from '../../src-main/contract/errors.ts';
import type {
	Bridge,
	RequestResults,
	TreeOutline,
	TreeSummary,
} from '../../src-main/contract/requests.ts';
import { samePlace, type TreePlace } from '../logic/tree/place.ts';

export type NodeDetail = RequestResults['trees.node'];

const listLimit = 2000;

/** What the rollouts view has read: the trees of a run, one tree's outline, one node with its texts. */
export class Rollouts {
	trees = $state.raw<TreeSummary[]>([]);
	listed = $state(false);
	outline = $state.raw<TreeOutline | null>(null);
	place = $state.raw<TreePlace | null>(null);
	node = $state.raw<NodeDetail | null>(null);
	error = $state.raw<ErrorValue | null>(null);
	readonly #bridge: Bridge;
	#listRound = 0;
	#treeRound = 0;
	#nodeRound = 0;

	constructor(bridge: Bridge) {
		this.#bridge = bridge;
	}

	/** All logged trees of a run, newest last. */
	async list(runId: string): Promise<void> {
		const round = ++this.#listRound;
		const reply = await this.#bridge.request('trees.list', { runId, limit: listLimit });
		if (round !== this.#listRound) return;
		this.listed = true;
		if (reply.ok) {
			this.error = null;
			this.trees = reply.result.trees.toSorted(
				(a, b) =>
					a.step - b.step || a.purpose.localeCompare(b.purpose) || a.itemIndex - b.itemIndex,
			);
		} else this.error = reply.error;
	}

	/** Opens one tree; the same one again is not read twice. */
	async open(place: TreePlace): Promise<void> {
		if (samePlace(place, this.place) && this.outline !== null) return;
		const round = ++this.#treeRound;
		this.place = place;
		const reply = await this.#bridge.request('trees.outline', place);
		if (round !== this.#treeRound) return;
		this.node = null;
		if (reply.ok) {
			this.error = null;
			this.outline = reply.result;
		} else {
			this.outline = null;
			this.error = reply.error;
		}
	}

	async openNode(place: TreePlace, node: number): Promise<void> {
		const round = ++this.#nodeRound;
		const reply = await this.#bridge.request('trees.node', { ...place, node });
		if (round !== this.#nodeRound) return;
		if (reply.ok) this.node = reply.result;
		else this.error = reply.error;
	}
}
