/**
 * Colours for values on trees: sequential (dark blue to yellow, after cividis: safe for colour-blind eyes)
 * for rewards and returns, diverging (blue, grey, orange) around 0 for advantages. As `rgb(...)` text.
 */
export type ScaleKind = 'sequential' | 'diverging';

const sequential = [
	[0, 34, 78],
	[53, 69, 108],
	[102, 105, 112],
	[148, 142, 119],
	[200, 184, 102],
	[254, 232, 56],
] as const;

const diverging = [
	[33, 102, 172],
	[114, 169, 207],
	[206, 210, 214],
	[238, 164, 92],
	[179, 88, 6],
] as const;

type Colour = readonly [red: number, green: number, blue: number];

function colourAt(stops: readonly Colour[], share: number): Colour {
	const position = Math.min(1, Math.max(0, share)) * (stops.length - 1);
	const low = stops[Math.floor(position)] ?? [0, 0, 0];
	const high = stops[Math.ceil(position)] ?? low;
	const part = position - Math.floor(position);
	const channel = (at: 0 | 1 | 2): number => Math.round(low[at] + (high[at] - low[at]) * part);
	return [channel(0), channel(1), channel(2)];
}

/** Relative luminance of an sRGB colour, 0 to 1 (WCAG 2.2). */
function luminance([red, green, blue]: Colour): number {
	const linear = (channel: number): number => {
		const share = channel / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	};
	return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Where black and white contrast alike, both 4.58 : 1. */
const middleLuminance = Math.sqrt(1.05 * 0.05) - 0.05;

export interface ValueScale {
	kind: ScaleKind;
	low: number;
	high: number;
	/** Colour of a value; null for what is not scored. */
	colour(value: number | null): string | null;
	/** Black or white, whichever is read better on that colour. */
	ink(value: number | null): string;
}

/** A scale over the finite values given. A single value (or none) sits in the middle. */
export function valueScale(values: Iterable<number>, kind: ScaleKind): ValueScale {
	let low = Infinity;
	let high = -Infinity;
	for (const value of values) {
		if (!Number.isFinite(value)) continue;
		low = Math.min(low, value);
		high = Math.max(high, value);
	}
	if (low > high) [low, high] = [0, 0];
	if (kind === 'diverging') {
		high = Math.max(Math.abs(low), Math.abs(high));
		low = -high;
	}
	const share = (value: number): number => (high > low ? (value - low) / (high - low) : 0.5);
	const stops = kind === 'sequential' ? sequential : diverging;
	return {
		kind,
		low,
		high,
		colour: (value) => {
			if (value === null || Number.isNaN(value)) return null;
			const [red, green, blue] = colourAt(stops, share(value));
			return `rgb(${red} ${green} ${blue})`;
		},
		ink: (value) => {
			if (value === null || Number.isNaN(value)) return 'inherit';
			return luminance(colourAt(stops, share(value))) > middleLuminance ? '#000' : '#fff';
		},
	};
}
