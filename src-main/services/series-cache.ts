import type { XAxis } from '../contract/requests.ts';
import type { MetricPoints } from './context.ts';

/** One line as it is drawn: x ascending, both of one length. */
export interface Line {
	x: Float64Array;
	y: Float64Array;
}

/** Where lines come from; a part of the store. */
export interface LineSource {
	pointsRevision(runId: string): number;
	metricPoints(runId: string, key: string): MetricPoints;
	firstPointMs(runId: string): number | null;
}

/** The order in which x ascends (equal ones keep theirs), or null where it does already. */
function ascendingOrder(x: Float64Array): Int32Array | null {
	let sorted = true;
	for (let i = 1; i < x.length && sorted; i++) sorted = (x[i] as number) >= (x[i - 1] as number);
	if (sorted) return null;
	return Int32Array.from(x.keys()).sort((a, b) => (x[a] as number) - (x[b] as number) || a - b);
}

function lineOf(points: MetricPoints, axis: XAxis, firstMs: number): Line {
	const y = points.value;
	const x =
		axis === 'relative'
			? points.wallTimeMs.map((time) => (time - firstMs) / 1000)
			: axis === 'wall'
				? points.wallTimeMs
				: points[axis];
	const order = ascendingOrder(x);
	if (order === null) return { x, y };
	return {
		x: Float64Array.from(order, (index) => x[index] as number),
		y: Float64Array.from(order, (index) => y[index] as number),
	};
}

/**
 * Lines read from the store, kept until their run has new points. Holds at most `limitBytes`; the line
 * unused for longest goes first.
 */
export class SeriesCache {
	readonly #limitBytes: number;
	#bytes = 0;
	readonly #lines = new Map<string, { revision: number; line: Line }>();

	constructor(limitBytes = 64 * 1024 * 1024) {
		this.#limitBytes = limitBytes;
	}

	get bytes(): number {
		return this.#bytes;
	}

	#remove(name: string): void {
		const held = this.#lines.get(name);
		if (held === undefined) return;
		this.#lines.delete(name);
		this.#bytes -= held.line.x.byteLength + held.line.y.byteLength;
	}

	line(source: LineSource, runId: string, key: string, axis: XAxis): Line {
		const name = JSON.stringify([runId, axis, key]);
		const revision = source.pointsRevision(runId);
		const held = this.#lines.get(name);
		if (held?.revision === revision) {
			// Moved to the end: the map's order is that of the last use.
			this.#lines.delete(name);
			this.#lines.set(name, held);
			return held.line;
		}
		this.#remove(name);
		const firstMs = axis === 'relative' ? (source.firstPointMs(runId) ?? 0) : 0;
		const line = lineOf(source.metricPoints(runId, key), axis, firstMs);
		this.#lines.set(name, { revision, line });
		this.#bytes += line.x.byteLength + line.y.byteLength;
		for (const oldest of this.#lines.keys()) {
			if (this.#bytes <= this.#limitBytes || oldest === name) break;
			this.#remove(oldest);
		}
		return line;
	}

	clear(): void {
		this.#lines.clear();
		this.#bytes = 0;
	}
}
