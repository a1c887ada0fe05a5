import type { StepRecord } from '../contract/events.ts';
import type { MetricKeys } from './metric-keys.ts';
import type { Moment } from './moments.ts';

/** The points of a step: one moment, or several where some belong to other env steps (compat logging). Within a write. */
export function momentsOf(record: StepRecord, keys: MetricKeys): Moment[] {
	const byEnvStep = new Map<number, { keys: number[]; values: number[] }>();
	for (const { key, value, envStep = record.envStep } of record.metrics) {
		let own = byEnvStep.get(envStep);
		if (own === undefined) {
			own = { keys: [], values: [] };
			byEnvStep.set(envStep, own);
		}
		own.keys.push(keys.intern(key));
		own.values.push(value);
	}
	return [...byEnvStep]
		.sort(([a], [b]) => a - b)
		.map(([envStep, own]) => ({
			step: record.step,
			envStep,
			epoch: record.epochProgress,
			wallTimeMs: record.wallTimeMs,
			...own,
		}));
}
