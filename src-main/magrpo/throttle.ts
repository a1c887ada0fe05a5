/** Thins metrics out by `logging_steps`, the smallest distance in env steps between two stored points. */
import type { MetricValue } from '../contract/events.ts';

export interface ThrottleState {
	/** Env step of the last stored point per key; stays empty while everything is stored. */
	byKey: Readonly<Record<string, number>>;
	/** Of the one counter that all turn metrics of the reference share; null before the first point. */
	shared: number | null;
}

/** Each key by itself, so that no turn starves another. */
export function throttleByKey(
	values: readonly MetricValue[],
	envStep: number,
	loggingSteps: number,
	state: ThrottleState,
): { kept: MetricValue[]; state: ThrottleState } {
	if (loggingSteps <= 1) return { kept: [...values], state };
	const last = new Map(Object.entries(state.byKey));
	const kept = values.filter(({ key }) => {
		const before = last.get(key);
		if (before !== undefined && envStep - before < loggingSteps) return false;
		last.set(key, envStep);
		return true;
	});
	return { kept, state: { ...state, byKey: Object.fromEntries(last) } };
}

/** Metrics that belong together at an env step of their own. */
export interface LogEntry {
	envStep: number;
	values: readonly MetricValue[];
}

/** As the reference (magrpo.md 3.4): one counter for all turns, entries in the order of their env steps. */
export function throttleShared(
	entries: readonly LogEntry[],
	loggingSteps: number,
	state: ThrottleState,
): { kept: MetricValue[]; state: ThrottleState } {
	const kept: MetricValue[] = [];
	let last = state.shared;
	for (const { envStep, values } of entries.toSorted((a, b) => a.envStep - b.envStep)) {
		if (loggingSteps > 1 && last !== null && envStep - last < loggingSteps) continue;
		last = envStep;
		kept.push(...values.map((value) => ({ ...value, envStep })));
	}
	return { kept, state: { ...state, shared: last } };
}
