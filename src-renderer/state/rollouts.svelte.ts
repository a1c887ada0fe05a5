import type { ErrorValue } from '../../src-main/contract/errors.ts';
import type {
	Bridge,
	RequestResults,
	TreeOutline,
	TreeSummary,
} from '../../src-main/contract/requests.ts';
import { placeOf, samePlace, type TreePlace } from '../logic/tree/place.ts';

export type NodeDetail = RequestResults['trees.node'];

/** Trees read at once; older ones on demand. */
const pageSize = 2000;

function inOrder(a: TreeSummary, b: TreeSummary): number {
	return a.step - b.step || a.purpose.localeCompare(b.purpose) || a.itemIndex - b.itemIndex;
}

function keyOf({ purpose, step, itemIndex }: TreeSummary): string {
	return `${purpose}/${step}/${itemIndex}`;
}

/** What the rollouts view has read: the trees of a run, one tree's outline, one node with its texts. */
export class Rollouts {
	/** The run that `trees` belong to. */
	runId = $state<string | null>(null);
	/** Oldest first. */
	trees = $state.raw<TreeSummary[]>([]);
	/** There may be older trees than those of the list. */
	hasOlder = $state(false);
	outline = $state.raw<TreeOutline | null>(null);
	/** A node with the tree that it belongs to: while another tree is shown already, it is still the old one. */
	shown = $state.raw<{ node: NodeDetail; outline: TreeOutline } | null>(null);
	error = $state.raw<ErrorValue | null>(null);
	readonly #bridge: Bridge;
	#listRound = 0;
	#treeRound = 0;
	#nodeRound = 0;

	constructor(bridge: Bridge) {
		this.#bridge = bridge;
	}

	/** Reads the newest trees of a run. */
	async list(runId: string): Promise<void> {
		const round = ++this.#listRound;
		const reply = await this.#bridge.request('trees.list', { runId, limit: pageSize });
		if (round !== this.#listRound) return;
		if (this.runId !== runId) {
			this.runId = runId;
			this.trees = [];
			this.outline = null;
			this.shown = null;
		}
		if (reply.ok) {
			this.error = null;
			this.hasOlder = reply.result.trees.length === pageSize;
			this.trees = reply.result.trees.toSorted(inOrder);
		} else this.error = reply.error;
	}

	/** Adds the trees of the listed run from a step on, as they are now: what a live run has logged. */
	async listFrom(fromStep: number): Promise<void> {
		await this.#extend({ fromStep });
	}

	/** Adds the page before the oldest listed tree. */
	async listOlder(): Promise<void> {
		const oldest = this.trees[0];
		if (oldest === undefined) return;
		const found = await this.#extend({ toStep: oldest.step });
		// A page that brought nothing new was the last one.
		if (found !== null) this.hasOlder = found > 0;
	}

	/** How many trees are new; null where it failed or is out of date. */
	async #extend(range: { fromStep?: number; toStep?: number }): Promise<number | null> {
		const runId = this.runId;
		if (runId === null) return null;
		const round = this.#listRound;
		const reply = await this.#bridge.request('trees.list', { runId, limit: pageSize, ...range });
		if (round !== this.#listRound) return null;
		if (!reply.ok) {
			this.error = reply.error;
			return null;
		}
		const before = this.trees.length;
		const merged = new Map(
			[...this.trees, ...reply.result.trees].map((tree) => [keyOf(tree), tree]),
		);
		this.trees = [...merged.values()].sort(inOrder);
		return merged.size - before;
	}

	/** Opens a tree; the same one again is not read twice, and one that is `known` not at all. */
	async open(place: TreePlace, known: TreeOutline | null = null): Promise<void> {
		if (this.outline !== null && samePlace(place, this.outline)) return;
		const round = ++this.#treeRound;
		if (known !== null) {
			this.outline = known;
			return;
		}
		const reply = await this.#bridge.request('trees.outline', placeOf(place));
		if (round !== this.#treeRound) return;
		this.outline = reply.ok ? reply.result : null;
		this.error = reply.ok ? null : reply.error;
	}

	/** Reads a node of a tree with its texts. */
	async openNode(outline: TreeOutline, node: number): Promise<void> {
		const round = ++this.#nodeRound;
		const reply = await this.#bridge.request('trees.node', { ...placeOf(outline), node });
		if (round !== this.#nodeRound) return;
		if (reply.ok) this.shown = { node: reply.result, outline };
		else this.error = reply.error;
	}
}
