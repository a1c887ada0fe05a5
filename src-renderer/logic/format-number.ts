const minus = '\u2212';

function plain(text: string): string {
	return text.startsWith('-') ? `${minus}${text.slice(1)}` : text;
}

/** Trailing zeros after a decimal point carry no news. */
function trimZeros(text: string): string {
	return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * A number for reading, with `digits` significant digits: 0.6125, 12,480, 1.3e−8. Small values keep
 * their digits instead of becoming 0; NaN and the infinities are said as such.
 */
export function formatNumber(value: number | null | undefined, digits = 4): string {
	if (value == null) return '–';
	if (Number.isNaN(value)) return 'NaN';
	if (!Number.isFinite(value)) return value > 0 ? '+∞' : `${minus}∞`;
	if (value === 0) return '0';
	const size = Math.abs(value);
	if (Number.isInteger(value) && size < 1e9) return plain(value.toLocaleString('en-US'));
	if (size >= 1e6 || size < 1e-3) {
		const [mantissa = '', exponent = ''] = value.toExponential(digits - 1).split('e');
		return `${plain(trimZeros(mantissa))}e${plain(exponent.replace('+', ''))}`;
	}
	return plain(trimZeros(value.toPrecision(Math.max(digits, Math.floor(Math.log10(size)) + 1))));
}

/** A difference with its sign: +0.12, −3, ±0. */
export function formatDelta(value: number | null | undefined, digits = 3): string {
	if (value == null || Number.isNaN(value)) return '–';
	if (value === 0) return '±0';
	return value > 0
		? `+${formatNumber(value, digits).replace(/^\+/, '')}`
		: formatNumber(value, digits);
}

/** A share from 0 to 1 as percent, never rounding something to nothing or all. */
export function formatPercent(share: number): string {
	if (!Number.isFinite(share)) return '–';
	const percent = share * 100;
	if (percent > 0 && percent < 1) return '<1 %';
	if (percent > 99 && percent < 100) return '>99 %';
	return `${Math.round(percent)} %`;
}

/** Bytes in binary units: 1.5 GiB. */
export function formatBytes(bytes: number | null | undefined): string {
	if (bytes == null || !Number.isFinite(bytes)) return '–';
	const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
	let size = Math.abs(bytes);
	let unit = 0;
	while (size >= 1024 && unit < units.length - 1) {
		size /= 1024;
		unit++;
	}
	const shown = unit === 0 ? String(size) : trimZeros(size.toPrecision(3));
	return `${bytes < 0 ? minus : ''}${Number(shown) >= 1000 ? Math.round(size) : shown} ${units[unit] ?? ''}`;
}

/** A count in few characters: 950, 12.4k, 3.1M. */
export function formatCount(count: number): string {
	const size = Math.abs(count);
	if (!Number.isFinite(count)) return formatNumber(count);
	if (size < 10_000) return plain(count.toLocaleString('en-US'));
	if (size < 1e6) return plain(`${trimZeros((count / 1e3).toPrecision(3))}k`);
	if (size < 1e9) return plain(`${trimZeros((count / 1e6).toPrecision(3))}M`);
	return plain(`${trimZeros((count / 1e9).toPrecision(3))}G`);
}
