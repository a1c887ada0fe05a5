/** Lines of charts, and what is behind a point of one. */
import { GroveError } from '../contract/errors.ts';
import { parseExpression } from '../contract/expression.ts';
import type { RequestParams, RequestResults, Series } from '../contract/requests.ts';
import type { ServiceContext } from './context.ts';
import { valueAtStep } from './derived-points.ts';
import type { Line, LineWish } from './series-cache.ts';
import { pick, smoothAt } from './smoothing.ts';
import { rangeOf, thin, withNeighbours } from './thinning.ts';

type SeriesParts = Pick<ServiceContext, 'records' | 'series'>;

export function metricKeys(
	{ runIds }: RequestParams<'metrics.keys'>,
	{ records }: ServiceContext,
): RequestResults['metrics.keys'] {
	return records.metricKeys(runIds);
}

/** Nodes behind the points of a turn's metric, by their steps; null for other metrics. */
function nodesAt(
	{ of, runId }: LineWish,
	steps: Float64Array,
	{ records, series }: SeriesParts,
): Float64Array | null {
	const turn = of.kind === 'metric' ? /^turn_[1-9]\d*\//u.exec(of.key)?.[0] : undefined;
	if (turn === undefined) return null;
	const counts = series.line(records, {
		runId,
		of: { kind: 'metric', key: `${turn}nodes` },
		x: { kind: 'axis', axis: 'step' },
	});
	if (counts.x.length === 0) return null;
	// Points against another axis need not come in the order of their steps.
	const order = Int32Array.from(steps.keys()).sort((a, b) => (steps[a] ?? 0) - (steps[b] ?? 0));
	const valueAt = valueAtStep({ step: counts.step, value: counts.y });
	const nodes = new Float64Array(steps.length);
	for (const index of order) nodes[index] = valueAt(steps[index] as number);
	return nodes;
}

/**
 * One line as it is sent: smoothed on all stored points, then thinned. Includes the neighbour on each
 * side of the range, so that a line reaches the edge of a zoomed chart; `total` and `nonFinite` do not count these.
 */
function seriesOf(
	wish: LineWish,
	line: Line,
	params: RequestParams<'metrics.series'>,
	parts: SeriesParts,
): Series {
	const { x, y } = line;
	const range = rangeOf(x, params.from, params.to);
	const { indices, exact } = thin(x, y, range, params.buckets);
	const drawn = withNeighbours(indices, range, x.length);
	let nonFinite = 0;
	for (let i = range.start; i < range.end; i++) if (!Number.isFinite(y[i])) nonFinite++;
	const step = pick(line.step, drawn);
	return {
		runId: wish.runId,
		key: wish.of.kind === 'metric' ? wish.of.key : wish.of.text,
		x: pick(x, drawn),
		step: line.step === x ? null : step,
		y: pick(y, drawn),
		smooth: smoothAt(x, y, params.smoothing, drawn),
		nodes: params.nodes === true ? nodesAt(wish, step, parts) : null,
		total: range.end - range.start,
		exact,
		nonFinite,
	};
}

function readExpression(text: string, index: number): LineWish['of'] {
	const parsed = parseExpression(text);
	if (parsed.ok) return { kind: 'expression', text, read: parsed.expression };
	throw new GroveError('bad-input', {
		where: `metrics.series.expressions.${index}, character ${parsed.problem.at + 1}`,
		what: parsed.problem.what,
		given: text,
	});
}

/** A line per run and key (then per run and expression) that has points at all, runs in the order asked for. */
export function metricSeries(
	params: RequestParams<'metrics.series'>,
	parts: SeriesParts,
): RequestResults['metrics.series'] {
	const wanted: LineWish['of'][] = [
		...[...new Set(params.keys)].map((key) => ({ kind: 'metric' as const, key })),
		...[...new Set(params.expressions)].map(readExpression),
	];
	const x: LineWish['x'] =
		params.xKey === undefined
			? { kind: 'axis', axis: params.x }
			: { kind: 'metric', key: params.xKey };
	const lines: Series[] = [];
	for (const runId of new Set(params.runIds)) {
		for (const of of wanted) {
			const wish = { runId, of, x };
			const line = parts.series.line(parts.records, wish);
			if (line.x.length > 0) lines.push(seriesOf(wish, line, params, parts));
		}
	}
	return { series: lines };
}

export function metricEvidence(
	params: RequestParams<'metrics.evidence'>,
	{ records }: ServiceContext,
): RequestResults['metrics.evidence'] {
	return records.evidence(params);
}

export function metricHistogram(
	params: RequestParams<'metrics.histogram'>,
	{ records }: ServiceContext,
): RequestResults['metrics.histogram'] {
	return records.histogram(params);
}
