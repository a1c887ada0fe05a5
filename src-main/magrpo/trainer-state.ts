/**
 * All that the trainer itself remembers between two steps, as a plain JSON value. Together with the
 * policies' own training state it is a checkpoint: going on from it repeats what would have come, bit for bit.
 * No generator state is needed: every random stream is named by the run's seed and what it is for.
 */
import { GroveError } from '../contract/errors.ts';
import type { Position } from './data-order.ts';
import { type EpochSums, noEpochSums } from './epoch-means.ts';
import type { NodeSample } from './node-samples.ts';
import type { ThrottleState } from './throttle.ts';
import type { WarningState } from './run-warnings.ts';

export interface AgentCounters {
	/** Optimizer steps taken. */
	updates: number;
	/** Optimizer steps not taken: nothing to learn, or a non-finite loss or gradient. */
	skipped: number;
	/** Non-finite updates since the last good one. */
	badInRow: number;
}

export interface TrainerState {
	version: 1;
	/** Steps done. */
	step: number;
	envStep: number;
	position: Position;
	/** Nodes that wait for an update. */
	buffer: readonly NodeSample[];
	/** One per agent. */
	agents: readonly AgentCounters[];
	/** Examples left out so far. */
	promptsSkipped: number;
	/** Of the epoch in progress. */
	epochSums: EpochSums;
	throttle: ThrottleState;
	warnings: WarningState;
	/** Set when the last step and the final evaluation are done. */
	finished: boolean;
}

export function initialState(agents: number): TrainerState {
	return {
		version: 1,
		step: 0,
		envStep: 0,
		position: { epoch: 0, visited: 0 },
		buffer: [],
		agents: Array.from({ length: agents }, () => ({ updates: 0, skipped: 0, badInRow: 0 })),
		promptsSkipped: 0,
		epochSums: noEpochSums,
		throttle: { byKey: {}, shared: null },
		warnings: { given: [], window: null },
		finished: false,
	};
}

/**
 * The state a run goes on from. A fork may bring another configuration: the step count goes on, and an
 * epoch that is now shorter than what was visited counts as done. Throws GroveError 'conflict' where
 * the state does not fit at all.
 */
export function resumedState(state: TrainerState, agents: number, examples: number): TrainerState {
	const version: number = state.version;
	if (version !== 1) {
		throw new GroveError('conflict', {
			where: 'checkpoint',
			what: 'the trainer state has a version that this Grove does not know',
			expected: '1',
			given: String(version),
		});
	}
	if (state.agents.length !== agents) {
		throw new GroveError('conflict', {
			where: 'checkpoint',
			what: 'the checkpoint and the configuration differ in the number of agents',
			expected: `${state.agents.length}, as in the checkpoint`,
			given: String(agents),
			fix: 'set num_agents as in the run that the checkpoint is from',
		});
	}
	const { epoch, visited } = state.position;
	return visited < examples ? state : { ...state, position: { epoch: epoch + 1, visited: 0 } };
}
