import type { StepRecord } from '../contract/events.ts';
import type { MetricKeys } from './metric-keys.ts';
import type { Moment } from './moments.ts';

/** The points of a step: one moment, or several where some belong to other env steps (compat logging). Within a write. */
export function momentsOf(record: StepRecord, keys: MetricKeys): Moment[] {
	const byEnvStep = new Map<number, Map<number, number>>();
	for (const { key, value, envStep = record.envStep } of record.metrics) {
		let own = byEnvStep.get(envStep);
		if (own === undefined) {
			own = new Map();
			byEnvStep.set(envStep, own);
		}
		// Logged twice at one place: the newest wins.
		own.set(keys.intern(key), value);
	}
	return [...byEnvStep]
		.sort(([a], [b]) => a - b)
		.map(([envStep, values]) => ({
			step: record.step,
			envStep,
			epoch: record.epochProgress,
			wallTimeMs: record.wallTimeMs,
			keys: [...values.keys()],
			values: [...values.values()],
		}));
}
