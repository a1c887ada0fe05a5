/** What a part of the bench gives back: figures with a name, a unit, and what they are held against. */
export interface Figure {
	name: string;
	value: number;
	unit: string;
	/** `ratio`: against a limit or a rival measured in the same run; these are what `bench:check` compares. */
	kind: 'ratio' | 'absolute';
	/** The goal, if the issue or the README names one. */
	goal?: { atLeast?: number; atMost?: number };
	note?: string;
}

export interface PartResult {
	part: string;
	/** Set where the part could not run here, with the reason. */
	skipped?: string;
	figures: Figure[];
	seconds: number;
}

export type Measure = () => Promise<Figure[]>;

/** Median of several; throws on none. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted[Math.floor((sorted.length - 1) / 2)];
	const other = sorted[Math.ceil((sorted.length - 1) / 2)];
	if (middle === undefined || other === undefined) throw new Error('median of nothing');
	return (middle + other) / 2;
}

/** Milliseconds of one call. */
export async function timed(work: () => unknown): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

/** Whether a figure reaches its goal; true without one. */
export function reaches(figure: Figure): boolean {
	const { atLeast, atMost } = figure.goal ?? {};
	return (
		(atLeast === undefined || figure.value >= atLeast) &&
		(atMost === undefined || figure.value <= atMost)
	);
}

/** Thrown by a part that cannot run on this machine, with the reason to print. */
export class CannotMeasure extends Error {}
