import { arch, cpus, release, totalmem } from 'node:os';
import { basename } from 'node:path';

export interface DiagnosticsFacts {
	version: string;
	gpu: object;
	entries: readonly { time: string; level: string; text: string }[];
}

/**
 * What of a log entry is ours: the request or event it begins with, the kind of error, and the places in
 * our code. Messages may quote a person's texts, paths and names, and are left out.
 */
function withoutTexts(text: string): string[] {
	const [head = '', ...rest] = text.split('\n');
	const event = /^"?([a-z][\w.-]{0,40})"?/iu.exec(head)?.[1] ?? '';
	const kind = /\b([A-Z]\w{0,40}Error)\b/u.exec(head)?.[1] ?? '';
	const places = rest.flatMap((line) => {
		const match = /^\s+at (?:(?:async )?([\w.#<>$ ]{1,80}) \()?(.+?):(\d+):\d+\)?$/u.exec(line);
		if (match === null) return [];
		const [, name, file = '', place = ''] = match;
		return [`    at ${name ?? '?'} (${basename(file)}:${place})`];
	});
	return [[event, kind].filter((part) => part !== '').join(' '), ...places];
}

/** A text for a bug report, without the person's texts. */
export function diagnosticsText({ version, gpu, entries }: DiagnosticsFacts): string {
	const { node, electron, chrome } = process.versions;
	return [
		`Grove ${version}`,
		`Electron ${electron}, Chromium ${chrome}, Node ${node}`,
		`${process.platform} ${release()} ${arch()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
		`Graphics: ${JSON.stringify(gpu)}`,
		'',
		...entries.flatMap(({ time, level, text }) => {
			const [head = '', ...places] = withoutTexts(text);
			return [`${time} ${level} ${head}`, ...places];
		}),
		'',
	].join('\n');
}
