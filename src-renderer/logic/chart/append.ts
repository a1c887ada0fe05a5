import type { Series } from '../../../src-main/contract/requests.ts';

function grown(array: Float64Array, value: number): Float64Array {
	const copy = new Float64Array(array.length + 1);
	copy.set(array);
	copy[array.length] = value;
	return copy;
}

/**
 * The series with one more point behind its end (or its last point replaced, for an equal x), for
 * lines without smoothing. Null where the point lies before the end: such a line must be read again.
 */
export function appendPoint(series: Series, x: number, y: number): Series | null {
	const lastX = series.x.at(-1);
	if (lastX !== undefined && x < lastX) return null;
	const nonFinite = series.nonFinite + (Number.isFinite(y) ? 0 : 1);
	if (x === lastX) {
		const values = series.y.slice();
		values[values.length - 1] = y;
		return { ...series, y: values, smooth: values, nonFinite };
	}
	const values = grown(series.y, y);
	return {
		...series,
		x: grown(series.x, x),
		y: values,
		smooth: values,
		total: series.total + 1,
		nonFinite,
	};
}
