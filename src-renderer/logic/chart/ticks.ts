import { formatNumber } from '../format-number.ts';
import type { AxisRange } from './range.ts';

/** `count`: whole numbers only, as of steps. */
export type TickKind = 'number' | 'count' | 'seconds' | 'date';

const minute = 60;
const hour = 3_600;
const day = 86_400;
/** Steps that people count time in, in seconds. */
const timeSteps = [
	1,
	2,
	5,
	10,
	15,
	30,
	minute,
	2 * minute,
	5 * minute,
	10 * minute,
	15 * minute,
	30 * minute,
	hour,
	2 * hour,
	3 * hour,
	6 * hour,
	12 * hour,
	day,
	2 * day,
	7 * day,
	14 * day,
	30 * day,
	90 * day,
	365 * day,
];

function niceStep(rough: number): number {
	const power = Math.pow(10, Math.floor(Math.log10(rough)));
	const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= rough * 0.999) ?? 10;
	return factor * power;
}

/** 1, 2, 5, 10, 20, 50, …: the first that is not below `rough`. */
function wholeStep(rough: number): number {
	if (rough <= 1) return 1;
	const power = Math.pow(10, Math.floor(Math.log10(rough)));
	const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough * 0.999) ?? 10;
	return factor * power;
}

function every(step: number, range: AxisRange, offset = 0): number[] {
	const ticks: number[] = [];
	const first = Math.ceil((range.min - offset) / step - 1e-9);
	const last = Math.floor((range.max - offset) / step + 1e-9);
	for (let index = first; index <= last && ticks.length < 60; index++) {
		const tick = index * step + offset;
		ticks.push(Math.abs(tick) < step * 1e-9 ? 0 : tick);
	}
	return ticks;
}

/** Round places for about `wanted` ticks on a linear axis. Dates fall on local midnights and full hours. */
export function linearTicks(range: AxisRange, wanted: number, kind: TickKind): number[] {
	const span = range.max - range.min;
	if (!(span > 0) || !Number.isFinite(span)) return [range.min];
	const rough = span / Math.max(1, wanted);
	if (kind === 'number') return every(niceStep(rough), range);
	if (kind === 'count') return every(wholeStep(rough), range);
	const unit = kind === 'date' ? 1_000 : 1;
	if (rough < unit) return every(niceStep(rough), range);
	const step = (timeSteps.find((candidate) => candidate * unit >= rough) ?? 365 * day) * unit;
	const offset = kind === 'date' ? new Date(range.min).getTimezoneOffset() * 60_000 : 0;
	return every(step, range, offset);
}

/** Powers of ten, with 2 and 5 between them where there is room. */
export function logTicks(range: AxisRange, wanted: number): number[] {
	const low = Math.floor(Math.log10(range.min));
	const high = Math.ceil(Math.log10(range.max));
	const decades = high - low;
	const stride = Math.max(1, Math.ceil(decades / Math.max(1, wanted)));
	const factors = decades <= wanted / 3 ? [1, 2, 5] : [1];
	const ticks: number[] = [];
	for (let power = low; power <= high; power += stride) {
		for (const factor of factors) {
			const tick = factor * Math.pow(10, power);
			if (tick >= range.min * 0.999 && tick <= range.max * 1.001) ticks.push(tick);
		}
	}
	return ticks.length > 0 ? ticks : [range.min, range.max];
}

const pad = (value: number): string => String(value).padStart(2, '0');

function secondsLabel(seconds: number): string {
	const size = Math.abs(seconds);
	const sign = seconds < 0 ? '\u2212' : '';
	if (size < minute) return `${formatNumber(seconds, 3)} s`;
	if (size < hour) {
		const rest = Math.round(size % minute);
		return `${sign}${Math.floor(size / minute)}${rest === 0 ? '' : `:${pad(rest)}`} min`;
	}
	const whole = Math.floor(size / hour);
	const minutes = Math.round((size % hour) / minute);
	return minutes === 0 ? `${sign}${whole} h` : `${sign}${whole}:${pad(minutes)} h`;
}

/** The text at a tick; `span` is the width of the axis, which decides how much of a date is news. */
export function tickLabel(value: number, kind: TickKind, span: number): string {
	if (kind === 'seconds') return secondsLabel(value);
	if (kind === 'number' || kind === 'count') return formatNumber(value, 6);
	const date = new Date(value);
	const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`;
	const dayText = `${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
	if (span < 5 * 60_000) return `${time}:${pad(date.getSeconds())}`;
	if (span < day * 1000) return time;
	if (span < 5 * day * 1000) return `${dayText} ${time}`;
	return `${date.getFullYear()}-${dayText}`;
}
