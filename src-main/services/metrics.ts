/** Lines of charts, and what is behind a point of one. */
import type { RequestParams, RequestResults, Series } from '../contract/requests.ts';
import type { ServiceContext } from './context.ts';
import type { Line } from './series-cache.ts';
import { pick, smoothAt } from './smoothing.ts';
import { rangeOf, thin, withNeighbours } from './thinning.ts';

export function metricKeys(
	{ runIds }: RequestParams<'metrics.keys'>,
	{ records }: ServiceContext,
): RequestResults['metrics.keys'] {
	return records.metricKeys(runIds);
}

/**
 * One line as it is sent: smoothed on all stored points, then thinned. Includes the neighbour on each
 * side of the range, so that a line reaches the edge of a zoomed chart; `total` and `nonFinite` do not count these.
 */
function seriesOf(
	line: Line,
	runId: string,
	key: string,
	params: Pick<RequestParams<'metrics.series'>, 'smoothing' | 'from' | 'to' | 'buckets'>,
): Series {
	const { x, y } = line;
	const range = rangeOf(x, params.from, params.to);
	const { indices, exact } = thin(x, y, range, params.buckets);
	const drawn = withNeighbours(indices, range, x.length);
	let nonFinite = 0;
	for (let i = range.start; i < range.end; i++) if (!Number.isFinite(y[i])) nonFinite++;
	return {
		runId,
		key,
		x: pick(x, drawn),
		y: pick(y, drawn),
		smooth: smoothAt(x, y, params.smoothing, drawn),
		total: range.end - range.start,
		exact,
		nonFinite,
	};
}

/** A line per run and key that has points at all, runs in the order asked for. */
export function metricSeries(
	params: RequestParams<'metrics.series'>,
	{ records, series }: Pick<ServiceContext, 'records' | 'series'>,
): RequestResults['metrics.series'] {
	const lines: Series[] = [];
	for (const runId of new Set(params.runIds)) {
		for (const key of new Set(params.keys)) {
			const line = series.line(records, runId, key, params.x);
			if (line.x.length > 0) lines.push(seriesOf(line, runId, key, params));
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
