/** The parts of Chart.js that Grove draws with, registered once. */
import {
	Chart,
	LinearScale,
	LineController,
	LineElement,
	LogarithmicScale,
	PointElement,
	type ChartConfiguration,
	type ChartDataset,
} from 'chart.js';

Chart.register(LineController, LineElement, PointElement, LinearScale, LogarithmicScale);

export { Chart };
export type LineConfiguration = ChartConfiguration<'line', { x: number; y: number }[]>;
export type LineDataset = ChartDataset<'line', { x: number; y: number }[]>;
export type LineChartObject = Chart<'line', { x: number; y: number }[]>;
