export interface SparkPaths {
	/** SVG path of the line; gaps interrupt it. */
	line: string;
	/** The same closed down to the floor. */
	area: string;
	/** Last finite point; null without one. */
	end: { x: number; y: number } | null;
}

/** Paths of a small line without axes, 2 px inside of `width` × `height`. Missing and non-finite values are gaps. */
export function sparkPaths(
	values: readonly (number | null)[],
	width: number,
	height: number,
): SparkPaths {
	const finite = values.filter(
		(value): value is number => value !== null && Number.isFinite(value),
	);
	if (finite.length === 0) return { line: '', area: '', end: null };
	const low = Math.min(...finite);
	const high = Math.max(...finite);
	const xOf = (index: number): number =>
		values.length < 2 ? width - 3 : 2 + (index / (values.length - 1)) * (width - 5);
	const yOf = (value: number): number =>
		high === low ? height / 2 : height - 3 - ((value - low) / (high - low)) * (height - 6);
	const round = (value: number): number => Math.round(value * 10) / 10;

	let line = '';
	let area = '';
	let end: SparkPaths['end'] = null;
	let startX: number | null = null;
	const close = (): void => {
		if (startX !== null && end !== null) area += `L${end.x} ${height}L${startX} ${height}Z`;
		startX = null;
	};
	values.forEach((value, index) => {
		if (value === null || !Number.isFinite(value)) {
			close();
			return;
		}
		const point = { x: round(xOf(index)), y: round(yOf(value)) };
		const command = `${startX === null ? 'M' : 'L'}${point.x} ${point.y}`;
		startX ??= point.x;
		line += command;
		area += command;
		end = point;
	});
	close();
	return { line, area, end };
}
