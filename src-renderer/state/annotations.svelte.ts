import type { Annotation, Bridge } from '../../src-main/contract/requests.ts';
import { placeOf, samePlace, type TreePlace } from '../logic/tree/place.ts';
import type { Notices } from './notices.svelte.ts';

export interface JointPlace extends TreePlace {
	node: number;
	/** Null: the node itself. */
	joint: number | null;
}

/** What people noted on the rollouts of one run: bookmarks, scores, texts; at most one per place. */
export class Annotations {
	all = $state.raw<readonly Annotation[]>([]);
	readonly #bridge: Bridge;
	readonly #notices: Notices;
	#runId: string | null = null;

	constructor(bridge: Bridge, notices: Notices) {
		this.#bridge = bridge;
		this.#notices = notices;
	}

	async load(runId: string): Promise<void> {
		this.#runId = runId;
		const reply = await this.#bridge.request('annotations.list', { runId });
		if (this.#runId !== runId) return;
		if (reply.ok) this.all = reply.result.annotations;
		else this.#notices.fail('Reading notes', reply.error);
	}

	at(place: JointPlace): Annotation | undefined {
		return this.all.find(
			(one) => samePlace(one, place) && one.node === place.node && one.joint === place.joint,
		);
	}

	/** Changes what is noted at a place; a note that says nothing any more is removed. */
	async put(
		place: JointPlace,
		changes: Partial<Pick<Annotation, 'bookmark' | 'score' | 'text'>>,
	): Promise<void> {
		const before = this.at(place);
		const { bookmark = false, score = null, text = '' } = { ...before, ...changes };
		const isEmpty = !bookmark && score === null && text === '';
		if (isEmpty && before === undefined) return;
		const { node, joint } = place;
		const reply =
			isEmpty && before !== undefined
				? await this.#bridge.request('annotations.remove', { id: before.id })
				: await this.#bridge.request('annotations.put', {
						annotation: {
							...placeOf(place),
							node,
							joint,
							bookmark,
							score,
							text,
							...(before === undefined ? {} : { id: before.id }),
						},
					});
		if (!reply.ok) this.#notices.fail('Saving the note', reply.error);
		await this.load(place.runId);
	}
}
