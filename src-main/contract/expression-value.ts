/** Computing an expression over metrics, one point after another. */
import type { Expression, FunctionName, Operator, PlaceName } from './expression.ts';

/** What an expression can ask of the point it is computed for. */
export interface ExpressionPoint {
	/** NaN where the metric has no value there. */
	metric: (key: string) => number;
	place: (name: PlaceName) => number;
}

/** Gives the value at the next point; points come in ascending order. */
export type PointValue = (point: ExpressionPoint) => number;

function apply(operator: Operator, left: number, right: number): number {
	switch (operator) {
		case '+':
			return left + right;
		case '-':
			return left - right;
		case '*':
			return left * right;
		case '/':
			return left / right;
		case '%':
			return left % right;
		case '^':
			return left ** right;
	}
}

/** A function that keeps what it has seen; points that are not finite are passed through and not kept. */
function remembering(value: PointValue, next: (kept: number, now: number) => number): PointValue {
	let kept = NaN;
	return (point) => {
		const now = value(point);
		if (!Number.isFinite(now)) return now;
		kept = Number.isNaN(kept) ? now : next(kept, now);
		return kept;
	};
}

/** Change since the finite point before; NaN at the first. */
function delta(value: PointValue): PointValue {
	let before = NaN;
	return (point) => {
		const now = value(point);
		if (!Number.isFinite(now)) return now;
		const change = now - before;
		before = now;
		return change;
	};
}

function call(name: FunctionName, given: readonly PointValue[]): PointValue {
	const value = given[0] ?? (() => NaN);
	const low = given[1] ?? (() => NaN);
	const high = given[2] ?? (() => NaN);
	switch (name) {
		case 'abs':
		case 'sqrt':
		case 'exp':
		case 'log':
		case 'log2':
		case 'log10':
			return (point) => Math[name](value(point));
		case 'min':
		case 'max':
			return (point) => Math[name](...given.map((one) => one(point)));
		case 'clip':
			return (point) => Math.min(Math.max(value(point), low(point)), high(point));
		case 'delta':
			return delta(value);
		case 'cumsum':
			return remembering(value, (kept, now) => kept + now);
		case 'cummax':
			return remembering(value, (kept, now) => Math.max(kept, now));
		case 'cummin':
			return remembering(value, (kept, now) => Math.min(kept, now));
	}
}

/** A fresh computation of an expression: it has seen no point yet. */
export function pointValues(expression: Expression): PointValue {
	switch (expression.kind) {
		case 'number':
			return () => expression.value;
		case 'metric':
			return (point) => point.metric(expression.key);
		case 'place':
			return (point) => point.place(expression.name);
		case 'negative': {
			const of = pointValues(expression.of);
			return (point) => -of(point);
		}
		case 'binary': {
			const left = pointValues(expression.left);
			const right = pointValues(expression.right);
			return (point) => apply(expression.operator, left(point), right(point));
		}
		case 'call':
			return call(expression.name, expression.given.map(pointValues));
	}
}
