import { drawnValues, type ChartLine, type ValueMark } from '../../logic/chart/line.ts';
import { linearTicks, logTicks, tickLabel, type TickKind } from '../../logic/chart/ticks.ts';
import type { AxisRange } from '../../logic/chart/range.ts';
import { withAlpha, type ChartInk } from '../../logic/palette.ts';
import {
	Chart,
	type LineChartObject,
	type LineConfiguration,
	type LineDataset,
} from './chart-js.ts';

/** All that decides a chart's picture. */
export interface Picture {
	lines: readonly ChartLine[];
	x: AxisRange;
	y: AxisRange;
	logX: boolean;
	logY: boolean;
	xKind: TickKind;
	ink: ChartInk;
	/** Id of the line to bring forward; the others fade. */
	focus: string | null;
	font: string;
}

interface Extras {
	marks: { color: string; marks: ValueMark[] }[];
	bands: { color: string; line: ChartLine }[];
}

/** Canvas extras of each chart, drawn by the plugin below. */
const extrasOf = new WeakMap<Chart, Extras>();

function datasetsOf(picture: Picture): { datasets: LineDataset[]; extras: Extras } {
	const extras: Extras = { marks: [], bands: [] };
	const faint: LineDataset[] = [];
	const strong: LineDataset[] = [];
	for (const line of picture.lines) {
		const faded = picture.focus !== null && picture.focus !== line.id;
		const color = faded ? withAlpha(line.color, 0.18) : line.color;
		const drawn = drawnValues(line.x, line.y, picture);
		const base = {
			borderDash: [...line.dash],
			borderJoinStyle: 'round' as const,
			pointHitRadius: 0,
			pointHoverRadius: 0,
			spanGaps: false,
		};
		if (line.raw !== null && !faded) {
			const raw = drawnValues(line.x, line.raw, picture);
			faint.push({
				...base,
				data: raw.points,
				borderDash: [],
				borderColor: withAlpha(line.color, 0.22),
				borderWidth: 1,
				pointRadius: 0,
			});
		}
		const lonely = new Set(drawn.lonely);
		const radii =
			lonely.size === 0 ? 0 : drawn.points.map((_, index) => (lonely.has(index) ? 2.5 : 0));
		strong.push({
			...base,
			data: drawn.points,
			borderColor: color,
			borderWidth: picture.focus === line.id ? 2.4 : 1.6,
			pointRadius: radii,
			pointBackgroundColor: color,
			pointBorderWidth: 0,
		});
		if (drawn.marks.length > 0) extras.marks.push({ color, marks: drawn.marks });
		if (line.band !== null)
			extras.bands.push({ color: withAlpha(line.color, faded ? 0.05 : 0.15), line });
	}
	return { datasets: [...faint, ...strong], extras };
}

function drawBands(chart: Chart, { bands }: Extras): void {
	const { ctx, scales } = chart;
	const { x, y } = scales;
	if (x === undefined || y === undefined) return;
	for (const { color, line } of bands) {
		if (line.band === null) continue;
		const { low, high } = line.band;
		ctx.fillStyle = color;
		let from = 0;
		while (from < line.x.length) {
			while (from < line.x.length && !Number.isFinite((low[from] ?? NaN) + (high[from] ?? NaN)))
				from++;
			let to = from;
			while (to < line.x.length && Number.isFinite((low[to] ?? NaN) + (high[to] ?? NaN))) to++;
			if (to > from) {
				ctx.beginPath();
				for (let i = from; i < to; i++) {
					ctx.lineTo(x.getPixelForValue(line.x[i] ?? 0), y.getPixelForValue(high[i] ?? 0));
				}
				for (let i = to - 1; i >= from; i--) {
					ctx.lineTo(x.getPixelForValue(line.x[i] ?? 0), y.getPixelForValue(low[i] ?? 0));
				}
				ctx.closePath();
				ctx.fill();
			}
			from = to;
		}
	}
}

/** NaN: a small cross on the floor; infinities: a triangle at the end they point to. */
function drawMarks(chart: Chart, { marks }: Extras): void {
	const { ctx, chartArea, scales } = chart;
	const { x } = scales;
	if (x === undefined) return;
	ctx.lineWidth = 1.4;
	for (const { color, marks: list } of marks) {
		ctx.strokeStyle = color;
		ctx.fillStyle = color;
		let lastPixel = Number.NEGATIVE_INFINITY;
		for (const mark of list) {
			const px = x.getPixelForValue(mark.x);
			if (px < chartArea.left || px > chartArea.right || px - lastPixel < 3) continue;
			lastPixel = px;
			ctx.beginPath();
			if (mark.kind === 'nan') {
				const py = chartArea.bottom - 5;
				ctx.moveTo(px - 2.5, py - 2.5);
				ctx.lineTo(px + 2.5, py + 2.5);
				ctx.moveTo(px + 2.5, py - 2.5);
				ctx.lineTo(px - 2.5, py + 2.5);
				ctx.stroke();
			} else {
				const up = mark.kind === '+inf';
				const tip = up ? chartArea.top + 2 : chartArea.bottom - 2;
				const base = up ? tip + 6 : tip - 6;
				ctx.moveTo(px, tip);
				ctx.lineTo(px - 4, base);
				ctx.lineTo(px + 4, base);
				ctx.closePath();
				ctx.fill();
			}
		}
	}
}

Chart.register({
	id: 'grove-extras',
	beforeDatasetsDraw(chart) {
		const extras = extrasOf.get(chart);
		if (extras === undefined) return;
		const { ctx, chartArea } = chart;
		ctx.save();
		ctx.beginPath();
		ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
		ctx.clip();
		drawBands(chart, extras);
		ctx.restore();
	},
	afterDatasetsDraw(chart) {
		const extras = extrasOf.get(chart);
		if (extras !== undefined) drawMarks(chart, extras);
	},
});

function optionsOf(picture: Picture): NonNullable<LineConfiguration['options']> {
	const { ink, x, y, logX, logY, xKind } = picture;
	const font = { family: picture.font, size: 11 };
	return {
		animation: false,
		responsive: true,
		maintainAspectRatio: false,
		parsing: false,
		normalized: true,
		events: [],
		layout: { padding: { top: 6, right: 10, bottom: 0, left: 0 } },
		scales: {
			x: {
				type: logX ? 'logarithmic' : 'linear',
				min: x.min,
				max: x.max,
				grid: { display: false },
				border: { color: ink.axis },
				ticks: { color: ink.text, font, maxRotation: 0, autoSkipPadding: 12 },
				afterBuildTicks(axis) {
					// Dates are long, counts are short.
					const wanted = Math.max(2, Math.floor(axis.width / (xKind === 'count' ? 50 : 90)));
					const places = logX ? logTicks(x, wanted) : linearTicks(x, wanted, xKind);
					axis.ticks = places.map((value) => ({ value }));
				},
				afterTickToLabelConversion(axis) {
					for (const tick of axis.ticks) tick.label = tickLabel(tick.value, xKind, x.max - x.min);
				},
			},
			y: {
				type: logY ? 'logarithmic' : 'linear',
				min: y.min,
				max: y.max,
				grid: { color: ink.grid, tickLength: 0 },
				border: { display: false },
				ticks: { color: ink.text, font, padding: 8 },
				afterBuildTicks(axis) {
					const wanted = Math.max(2, Math.floor(axis.height / 42));
					const places = logY ? logTicks(y, wanted) : linearTicks(y, wanted, 'number');
					axis.ticks = places.map((value) => ({ value }));
				},
				afterTickToLabelConversion(axis) {
					for (const tick of axis.ticks)
						tick.label = tickLabel(tick.value, 'number', y.max - y.min);
				},
				afterFit(axis) {
					// One width in every chart, so that charts below each other share their x places.
					axis.width = Math.max(axis.width, 46);
				},
			},
		},
	};
}

/** A new chart on a canvas. The caller destroys it. */
export function createChart(canvas: HTMLCanvasElement, picture: Picture): LineChartObject {
	const { datasets, extras } = datasetsOf(picture);
	const chart: LineChartObject = new Chart(canvas, {
		type: 'line',
		data: { datasets },
		options: optionsOf(picture),
	});
	extrasOf.set(chart, extras);
	if (extras.marks.length > 0 || extras.bands.length > 0) chart.draw();
	return chart;
}

/** Draws another picture on the same canvas, without animation. */
export function updateChart(chart: LineChartObject, picture: Picture): void {
	const { datasets, extras } = datasetsOf(picture);
	extrasOf.set(chart, extras);
	chart.data.datasets = datasets;
	chart.options = optionsOf(picture);
	chart.update('none');
}
