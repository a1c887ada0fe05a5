/** Points made of the points of several metrics that were logged at the same step. */
import { metricsIn, type Expression } from '../contract/expression.ts';
import { pointValues } from '../contract/expression-value.ts';
import type { MetricPoints } from './context.ts';

/**
 * Finds the value of one column at given steps, which must not fall from call to call. Of several points
 * at one step the last counts; NaN where there is none.
 */
export function valueAtStep({ step, value }: Pick<MetricPoints, 'step' | 'value'>) {
	let at = 0;
	return (wanted: number): number => {
		while (at + 1 < step.length && (step[at + 1] as number) <= wanted) at++;
		return step[at] === wanted ? (value[at] as number) : NaN;
	};
}

/** Whether a column has a point at each of the given steps, which must not fall from call to call. */
function pointAtStep({ step }: Pick<MetricPoints, 'step'>) {
	let at = 0;
	return (wanted: number): boolean => {
		while (at < step.length && (step[at] as number) < wanted) at++;
		return step[at] === wanted;
	};
}

/** The points for which `keep` holds, in their order. */
function filterPoints(points: MetricPoints, keep: (index: number) => boolean): MetricPoints {
	const kept: number[] = [];
	for (let i = 0; i < points.step.length; i++) if (keep(i)) kept.push(i);
	if (kept.length === points.step.length) return points;
	const pick = (column: Float64Array): Float64Array =>
		Float64Array.from(kept, (index) => column[index] as number);
	return {
		step: pick(points.step),
		envStep: pick(points.envStep),
		epoch: pick(points.epoch),
		wallTimeMs: pick(points.wallTimeMs),
		value: pick(points.value),
	};
}

/**
 * The points of an expression: one at each step at which all of its metrics have one, placed where its
 * first metric is. None for an expression without metrics.
 */
export function derivedPoints(
	expression: Expression,
	pointsOf: (key: string) => MetricPoints,
): MetricPoints {
	const [first = '', ...others] = metricsIn(expression);
	const columns = new Map([first, ...others].map((key) => [key, pointsOf(key)]));
	const all = columns.get(first) ?? pointsOf(first);
	const present = others.map((key) => pointAtStep(columns.get(key) ?? all));
	const shared = filterPoints(all, (index) => {
		const step = all.step[index] as number;
		// Every cursor moves at every step.
		const everywhere = present.map((has) => has(step)).every(Boolean);
		return everywhere && all.step[index + 1] !== step;
	});
	const valueOf = new Map([...columns].map(([key, points]) => [key, valueAtStep(points)]));
	const next = pointValues(expression);
	const value = new Float64Array(shared.step.length);
	for (let i = 0; i < value.length; i++) {
		const step = shared.step[i] as number;
		const places = { step, env_step: shared.envStep[i] ?? NaN, epoch: shared.epoch[i] ?? NaN };
		value[i] = next({
			metric: (key) => valueOf.get(key)?.(step) ?? NaN,
			place: (name) => places[name],
		});
	}
	return { ...shared, value };
}

/** The points with the finite values of another metric at the same steps as their x; points without one are left out. */
export function pointsAgainst(
	points: MetricPoints,
	other: MetricPoints,
): { x: Float64Array; points: MetricPoints } {
	const valueAt = valueAtStep(other);
	const x = points.step.map(valueAt);
	const kept = filterPoints(points, (index) => Number.isFinite(x[index]));
	return { x: x.filter((value) => Number.isFinite(value)), points: kept };
}
