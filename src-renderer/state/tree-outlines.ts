import type { Bridge, TreeOutline } from '../../src-main/contract/requests.ts';
import type { TreePlace } from '../logic/tree/place.ts';

/** Nodes of the outlines that are kept, all together. */
const keptNodes = 200_000;
/** Outlines that are read at the same time. */
const atOnce = 4;

/** Outlines for thumbnails: each is read once, a few at a time, those asked for last first; the oldest are let go. */
export class TreeOutlines {
	readonly #bridge: Bridge;
	readonly #kept = new Map<string, TreeOutline>();
	readonly #waiting: { place: TreePlace; done: (outline: TreeOutline | null) => void }[] = [];
	#nodes = 0;
	#reading = 0;

	constructor(bridge: Bridge) {
		this.#bridge = bridge;
	}

	/** Null where it cannot be read. Calls back at once if it is known; returns the "off". */
	read(place: TreePlace, done: (outline: TreeOutline | null) => void): () => void {
		const known = this.#kept.get(keyOf(place));
		if (known !== undefined) {
			done(known);
			return () => undefined;
		}
		const entry = { place, done };
		this.#waiting.push(entry);
		this.#next();
		return () => {
			const at = this.#waiting.indexOf(entry);
			if (at >= 0) this.#waiting.splice(at, 1);
		};
	}

	#next(): void {
		while (this.#reading < atOnce) {
			const entry = this.#waiting.pop();
			if (entry === undefined) return;
			this.#reading++;
			void this.#read(entry.place).then((outline) => {
				this.#reading--;
				entry.done(outline);
				this.#next();
			});
		}
	}

	async #read({ runId, step, itemIndex, purpose }: TreePlace): Promise<TreeOutline | null> {
		const reply = await this.#bridge.request('trees.outline', { runId, step, itemIndex, purpose });
		if (!reply.ok) return null;
		this.#keep(reply.result);
		return reply.result;
	}

	#keep(outline: TreeOutline): void {
		const key = keyOf(outline);
		if (this.#kept.has(key)) return;
		this.#kept.set(key, outline);
		this.#nodes += outline.nodes;
		for (const [oldest, { nodes }] of this.#kept) {
			if (this.#nodes <= keptNodes || oldest === key) return;
			this.#kept.delete(oldest);
			this.#nodes -= nodes;
		}
	}
}

function keyOf({ runId, purpose, step, itemIndex }: TreePlace): string {
	return `${runId}/${purpose}/${step}/${itemIndex}`;
}
