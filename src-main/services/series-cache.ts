import type { Expression } from '../contract/expression.ts';
import type { XAxis } from '../contract/requests.ts';
import type { MetricPoints } from './context.ts';
import { derivedPoints, pointsAgainst } from './derived-points.ts';

/** One line as it is drawn: x ascending, all of one length. */
export interface Line {
	x: Float64Array;
	y: Float64Array;
	/** Step of each point. */
	step: Float64Array;
}

/** Which line: what it shows, and against what. */
export interface LineWish {
	runId: string;
	of: { kind: 'metric'; key: string } | { kind: 'expression'; text: string; read: Expression };
	x: { kind: 'axis'; axis: XAxis } | { kind: 'metric'; key: string };
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

function axisOf(points: MetricPoints, axis: XAxis, firstMs: () => number): Float64Array {
	if (axis === 'relative') {
		const first = firstMs();
		return points.wallTimeMs.map((time) => (time - first) / 1000);
	}
	return axis === 'wall' ? points.wallTimeMs : points[axis];
}

function readLine(source: LineSource, { runId, of, x: wanted }: LineWish): Line {
	const pointsOf = (key: string): MetricPoints => source.metricPoints(runId, key);
	const all = of.kind === 'metric' ? pointsOf(of.key) : derivedPoints(of.read, pointsOf);
	const { x, points } =
		wanted.kind === 'metric'
			? pointsAgainst(all, pointsOf(wanted.key))
			: { x: axisOf(all, wanted.axis, () => source.firstPointMs(runId) ?? 0), points: all };
	const order = ascendingOrder(x);
	if (order === null) return { x, y: points.value, step: points.step };
	const sorted = (column: Float64Array): Float64Array =>
		Float64Array.from(order, (index) => column[index] as number);
	return { x: sorted(x), y: sorted(points.value), step: sorted(points.step) };
}

function bytesOf({ x, y, step }: Line): number {
	return x.byteLength + y.byteLength + (step === x ? 0 : step.byteLength);
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
		this.#bytes -= bytesOf(held.line);
	}

	line(source: LineSource, wish: LineWish): Line {
		const { runId, of, x } = wish;
		const name = JSON.stringify([runId, of.kind, of.kind === 'metric' ? of.key : of.text, x]);
		const revision = source.pointsRevision(runId);
		const held = this.#lines.get(name);
		if (held?.revision === revision) {
			// Moved to the end: the map's order is that of the last use.
			this.#lines.delete(name);
			this.#lines.set(name, held);
			return held.line;
		}
		this.#remove(name);
		const line = readLine(source, wish);
		this.#lines.set(name, { revision, line });
		this.#bytes += bytesOf(line);
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
