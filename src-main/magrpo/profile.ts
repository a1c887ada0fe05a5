/**
 * Everything in which the two profiles differ, in one place: the default follows what we think right,
 * `compat: comlrl` repeats the reference library, so that results can be compared one to one.
 */
import type { RunConfig } from '../contract/config.ts';

export interface Profile {
	/** Cross mode: what a completion is credited with from the returns of the tuples it takes part in. */
	crossCredit: 'mean' | 'sum';
	/** Smallest divisor when advantages are normalised. */
	stdFloor: number;
	/**
	 * `to-eos`: every real token up to the first end token, which is included. `padded`: completions are
	 * padded to the longest of their group, and all columns but the last are scored.
	 */
	scoring: 'to-eos' | 'padded';
	/** One optimizer step over all turns of the buffer, or one group of steps per turn, first turn first. */
	grouping: 'all-turns' | 'by-turn';
	/** Whether a batch without any advantage still takes an AdamW step (momentum and decay move weights). */
	stepsWithoutSignal: boolean;
	/** What feedback is told of earlier prompts: the text seen by the model, or later turns before formatting. */
	promptHistory: 'seen' | 'reference';
	/** Whether turn metrics are those of the step's trees, or of each drained group at its own env step. */
	turnMetrics: 'step' | 'drain';
	evaluation: {
		stopsEarly: boolean;
		afterLastUpdate: boolean;
		/** A fixed random subset by the run's seed, or the first examples (and at least one). */
		examples: 'seeded' | 'first';
	};
}

export function profileOf(config: RunConfig): Profile {
	switch (config.compat) {
		case 'none':
			return {
				crossCredit: 'mean',
				stdFloor: 1e-4,
				scoring: 'to-eos',
				grouping: 'all-turns',
				stepsWithoutSignal: false,
				promptHistory: 'seen',
				turnMetrics: 'step',
				evaluation: { stopsEarly: true, afterLastUpdate: true, examples: 'seeded' },
			};
		case 'comlrl':
			return {
				crossCredit: 'sum',
				stdFloor: 1e-6,
				scoring: 'padded',
				grouping: 'by-turn',
				stepsWithoutSignal: true,
				promptHistory: 'reference',
				turnMetrics: 'drain',
				evaluation: { stopsEarly: false, afterLastUpdate: false, examples: 'first' },
			};
	}
}
