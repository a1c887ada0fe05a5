/**
 * Colours of runs: eight hues after Okabe and Ito that colour-blind eyes tell apart, each in a shade
 * with at least 3:1 contrast on the light and on the dark ground. Past the eighth slot the hues come
 * again with another dash, so that identity never rests on colour alone.
 */
interface Shade {
	light: string;
	dark: string;
}

const hues: readonly Shade[] = [
	{ light: '#0069b3', dark: '#4fa9ea' },
	{ light: '#c45a00', dark: '#ff9147' },
	{ light: '#00805c', dark: '#35c79b' },
	{ light: '#a8478a', dark: '#e48cc4' },
	{ light: '#8a7400', dark: '#e5d352' },
	{ light: '#2a8ab8', dark: '#8ad3f7' },
	{ light: '#b3261e', dark: '#ff8279' },
	{ light: '#50565f', dark: '#b9c0ca' },
];

const dashes: readonly (readonly number[])[] = [[], [6, 3], [2, 2.5], [9, 3, 2, 3], [4, 1.5]];

export interface RunLook {
	color: string;
	/** Canvas and SVG dash pattern in px; empty for a solid line. */
	dash: readonly number[];
}

/** The look of a colour slot; any whole number from 0 has one. */
export function runLook(colorIndex: number, dark: boolean): RunLook {
	const slot = Math.max(0, Math.trunc(colorIndex));
	const hue = hues[slot % hues.length] ?? { light: '#50565f', dark: '#b9c0ca' };
	const dash = dashes[Math.floor(slot / hues.length) % dashes.length] ?? [];
	return { color: dark ? hue.dark : hue.light, dash };
}

/** Colours that a canvas needs, which cannot read CSS variables. */
export interface ChartInk {
	text: string;
	grid: string;
	axis: string;
	cursor: string;
	ground: string;
}

export function chartInk(dark: boolean, contrast: boolean): ChartInk {
	if (dark) {
		return {
			text: contrast ? '#f4f5f5' : '#a9aeb5',
			grid: contrast ? '#4a5056' : '#24282c',
			axis: contrast ? '#c9ced4' : '#3a4046',
			cursor: '#8b9098',
			ground: '#16181b',
		};
	}
	return {
		text: contrast ? '#111214' : '#5d6168',
		grid: contrast ? '#b9bcc0' : '#efeeeb',
		axis: contrast ? '#33363b' : '#d2d0ca',
		cursor: '#767b83',
		ground: '#ffffff',
	};
}

/** `#rrggbb` with an alpha from 0 to 1, as `#rrggbbaa`. */
export function withAlpha(color: string, alpha: number): string {
	const byte = Math.round(Math.min(1, Math.max(0, alpha)) * 255);
	return `${color}${byte.toString(16).padStart(2, '0')}`;
}
