import type { Terminal } from './command.ts';

/**
 * Strict JSON for programs: NaN and infinities, which JSON has no number for, as the text of their
 * names; typed arrays as lists.
 */
export function toJson(value: unknown): string {
	return JSON.stringify(value, (_, part: unknown) => {
		if (typeof part === 'number' && !Number.isFinite(part)) return String(part);
		if (part instanceof Float64Array || part instanceof Int32Array || part instanceof Uint8Array)
			return [...part];
		return part;
	});
}

/** One JSON value and a line end. */
export function printJson(terminal: Terminal, value: unknown): void {
	terminal.out(`${toJson(value)}\n`);
}

/** An object whose last key holds a list, written entry by entry: a list may be longer than a text can be. */
export function printJsonList(
	terminal: Terminal,
	head: Readonly<Record<string, unknown>>,
	key: string,
	entries: Iterable<unknown>,
): void {
	const start = toJson(head).slice(0, -1);
	terminal.out(`${start}${start === '{' ? '' : ','}${JSON.stringify(key)}:[`);
	let separator = '\n';
	for (const entry of entries) {
		terminal.out(separator + toJson(entry));
		separator = ',\n';
	}
	terminal.out('\n]}\n');
}
