/** Where something stands among the rollouts: as the address says it, and as the person reads it. */
import { formatRoute, type Route } from '../route.ts';

/** Names a stored tree. */
export interface TreePlace {
	runId: string;
	step: number;
	itemIndex: number;
	purpose: 'train' | 'eval';
}

export function samePlace(a: TreePlace | null, b: TreePlace | null): boolean {
	if (a === null || b === null) return a === b;
	return (
		a.runId === b.runId &&
		a.step === b.step &&
		a.itemIndex === b.itemIndex &&
		a.purpose === b.purpose
	);
}

/** The place alone, of anything that has one. */
export function placeOf({ runId, step, itemIndex, purpose }: TreePlace): TreePlace {
	return { runId, step, itemIndex, purpose };
}

/** Query of the rollouts view for a tree, one of its nodes, and a joint completion there. */
export function placeQuery(
	{ step, itemIndex, purpose }: TreePlace,
	node?: number,
	joint?: number | null,
): Record<string, string[]> {
	return {
		step: [String(step)],
		item: [String(itemIndex)],
		purpose: [purpose],
		...(node === undefined ? {} : { node: [String(node)] }),
		...(joint == null ? {} : { joint: [String(joint)] }),
	};
}

/** Address of a tree, one of its nodes, or a joint completion, as a link; `more` says how it is looked at. */
export function placeHref(
	place: TreePlace,
	node?: number,
	joint?: number | null,
	more: Route['query'] = {},
): string {
	const query = { ...placeQuery(place, node, joint), ...more };
	return formatRoute({ view: 'rollouts', path: [place.runId], query });
}
