/**
 * Which examples each step takes. Every example comes once per epoch: the last batch of an epoch takes
 * what is left. The position is kept as (epoch, examples visited), so that a fork may change the batch
 * size and still visit each example once.
 */
import { Random } from '../contract/random.ts';

export interface Position {
	/** 0-based. */
	epoch: number;
	/** Examples of this epoch already visited. */
	visited: number;
}

export interface OrderRule {
	/** Examples in the dataset; at least 1. */
	examples: number;
	promptsPerStep: number;
	epochs: number;
	maxSteps: number | null;
	shuffle: boolean;
	seed: number;
}

/** Rows of the dataset in the order of one epoch. */
function epochOrder(rule: OrderRule, epoch: number): number[] {
	const rows = Array.from({ length: rule.examples }, (_, row) => row);
	return rule.shuffle ? Random.from(rule.seed, 'order', epoch).shuffled(rows) : rows;
}

export interface Batch {
	epoch: number;
	/** 0-based number of the batch within its epoch. */
	index: number;
	rows: number[];
	/** Whether this batch ends its epoch. */
	endsEpoch: boolean;
	next: Position;
}

export function batchAt(rule: OrderRule, position: Position): Batch {
	const { epoch, visited } = position;
	const end = Math.min(visited + rule.promptsPerStep, rule.examples);
	const endsEpoch = end === rule.examples;
	return {
		epoch,
		index: Math.floor(visited / rule.promptsPerStep),
		rows: epochOrder(rule, epoch).slice(visited, end),
		endsEpoch,
		next: endsEpoch ? { epoch: epoch + 1, visited: 0 } : { epoch, visited: end },
	};
}

/** Steps of the whole run, given that `done` steps led to `position`. */
export function totalSteps(
	rule: OrderRule,
	done = 0,
	position: Position = { epoch: 0, visited: 0 },
): number {
	const batches = (examples: number): number => Math.ceil(examples / rule.promptsPerStep);
	const remaining =
		position.epoch >= rule.epochs
			? 0
			: batches(rule.examples - position.visited) +
				(rule.epochs - position.epoch - 1) * batches(rule.examples);
	return Math.max(done, Math.min(done + remaining, rule.maxSteps ?? Infinity));
}

/** How far a position is into the run, in epochs, e.g. 0.25. */
export function epochsDone(position: Position, rule: OrderRule): number {
	return position.epoch + position.visited / rule.examples;
}
