/** A duration in its two largest units: 45 s, 3 min 20 s, 2 h 5 min, 3 d 4 h. Never negative. */
export function formatDuration(seconds: number | null | undefined): string {
	if (seconds == null || !Number.isFinite(seconds)) return '–';
	const whole = Math.max(0, seconds);
	if (whole < 1) return whole === 0 ? '0 s' : `${Math.max(1, Math.round(whole * 1000))} ms`;
	if (whole < 10) return `${whole.toFixed(1).replace(/\.0$/, '')} s`;
	const s = Math.round(whole);
	if (s < 60) return `${s} s`;
	if (s < 3600) return join(Math.floor(s / 60), 'min', s % 60, 's');
	if (s < 86_400) return join(Math.floor(s / 3600), 'h', Math.floor((s % 3600) / 60), 'min');
	return join(Math.floor(s / 86_400), 'd', Math.floor((s % 86_400) / 3600), 'h');
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
	return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** Local date and time, sortable: 2026-03-09 14:05. */
export function formatDateTime(ms: number | null | undefined, withSeconds = false): string {
	if (ms == null || !Number.isFinite(ms)) return '–';
	const date = new Date(ms);
	if (Number.isNaN(date.getTime())) return '–';
	const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
	const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`;
	return `${day} ${time}${withSeconds ? `:${pad(date.getSeconds())}` : ''}`;
}

/** How long ago, coarsely: just now, 5 min ago, 3 h ago, 2 d ago; then the date. */
export function formatAgo(ms: number | null | undefined, nowMs: number): string {
	if (ms == null) return '–';
	const seconds = (nowMs - ms) / 1000;
	if (seconds < 60) return 'just now';
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
	if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
	if (seconds < 7 * 86_400) return `${Math.floor(seconds / 86_400)} d ago`;
	return formatDateTime(ms).slice(0, 10);
}
