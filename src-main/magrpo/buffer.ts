/**
 * The rollout buffer (magrpo.md 2.9): node samples wait in the order of their env steps until there are
 * enough, then the whole buffer is drained and cut into the batches of the optimizer steps.
 */
import type { Random } from '../contract/random.ts';
import type { NodeSample } from './node-samples.ts';

export interface BufferPlan {
	/** Each drained at once, in this order. */
	drains: NodeSample[][];
	/** What waits for the next step. */
	rest: NodeSample[];
}

/**
 * `size` null takes all trees of a step together. `flush` (end of an epoch, last step) drains what is
 * left, so that no sample is lost.
 */
export function fillBuffer(
	waiting: readonly NodeSample[],
	added: readonly NodeSample[],
	size: number | null,
	flush: boolean,
): BufferPlan {
	const drains: NodeSample[][] = [];
	let buffer = [...waiting];
	for (const sample of added) {
		buffer.push(sample);
		if (size !== null && buffer.length >= size) {
			drains.push(buffer);
			buffer = [];
		}
	}
	if (buffer.length > 0 && (size === null || flush)) {
		drains.push(buffer);
		buffer = [];
	}
	return { drains, rest: buffer };
}

/** The groups of a drain that are trained and logged together. */
export function groupDrain(
	drain: readonly NodeSample[],
	grouping: 'all-turns' | 'by-turn',
): NodeSample[][] {
	if (grouping === 'all-turns') return [[...drain]];
	const turns = [...new Set(drain.map((sample) => sample.turn))].sort((a, b) => a - b);
	return turns.map((turn) => drain.filter((sample) => sample.turn === turn));
}

/** Batches of one optimizer step each; shuffled first where there is more than one. */
export function batchesOf(
	group: readonly NodeSample[],
	batchSize: number | null,
	random: Random,
): NodeSample[][] {
	if (batchSize === null || group.length <= batchSize) return [[...group]];
	const shuffled = random.shuffled(group);
	const batches: NodeSample[][] = [];
	for (let start = 0; start < shuffled.length; start += batchSize) {
		batches.push(shuffled.slice(start, start + batchSize));
	}
	return batches;
}
