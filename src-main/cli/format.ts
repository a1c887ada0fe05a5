/** Numbers, sizes and tables for people at a terminal. */

/** At most `digits` significant digits, small values never rounded to 0 (1.3e-8 stays). */
export function formatNumber(value: number, digits = 3): string {
	if (Number.isNaN(value)) return 'NaN';
	if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞';
	if (value === 0) return '0';
	const size = Math.abs(value);
	if (size < 1e-3 || size >= 1e7) return value.toExponential(Math.max(0, digits - 1));
	if (Number.isInteger(value)) return String(value);
	return String(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(size + 1))))));
}

export function formatBytes(bytes: number): string {
	const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
	let size = bytes;
	let unit = 0;
	while (size >= 1024 && unit < units.length - 1) {
		size /= 1024;
		unit++;
	}
	return `${unit === 0 ? size : size.toFixed(1)} ${units[unit] ?? ''}`;
}

/** `1 h 02 min`, `3 min 10 s`, `8.4 s`; never negative (a clock set back shows 0). */
export function formatDuration(ms: number): string {
	const seconds = Math.max(0, ms) / 1000;
	if (seconds < 10) return `${seconds.toFixed(1)} s`;
	if (seconds < 60) return `${Math.round(seconds)} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
	return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `2026-01-05 10:30`, local time. */
export function formatTime(ms: number): string {
	const time = new Date(ms);
	const two = (value: number): string => String(value).padStart(2, '0');
	return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/**
 * Text from a model or a file made safe for a terminal: control characters (escape sequences could
 * rewrite the screen) and bidirectional overrides become visible codes; newlines and tabs stay.
 */
export function safeForTerminal(text: string): string {
	return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (char) =>
		char === '\n' || char === '\t'
			? char
			: `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
	);
}

/** Columns aligned by spaces; cells are made safe and shortened to `maxWidth`. */
export function formatTable(
	head: readonly string[],
	rows: readonly (readonly string[])[],
	maxWidth = 40,
): string {
	const cell = (text: string): string => {
		const line = safeForTerminal(text).replaceAll(/[\r\n\t]+/gu, ' ');
		const units = [...line];
		return units.length > maxWidth ? `${units.slice(0, maxWidth - 1).join('')}…` : line;
	};
	const lines = [head, ...rows].map((row) => row.map(cell));
	const widths = head.map((_, column) =>
		Math.max(...lines.map((row) => [...(row[column] ?? '')].length)),
	);
	return (
		lines
			.map((row) =>
				row
					.map((text, column) => text + ' '.repeat((widths[column] ?? 0) - [...text].length))
					.join('  ')
					.trimEnd(),
			)
			.join('\n') + '\n'
	);
}

/** A path as one word of a command line that a person copies: quoted only where it must be. */
export function quoteForShell(path: string, platform: NodeJS.Platform): string {
	if (platform === 'win32') return /^[\w.:\\/-]+$/u.test(path) ? path : `"${path}"`;
	return /^[\w.:/-]+$/u.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
