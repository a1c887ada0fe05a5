/** What was thrown, and where in the user's files, from any value and without ever throwing. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeValue } from './describe-value.ts';

const longestMessage = 2000;
const deepestCause = 3;

export interface Explained {
	/** "Error: cannot parse the answer", or what else was thrown. */
	message: string;
	/** "task.ts:8:42", relative to the task's folder; null where no line of the user's is known. */
	where: string | null;
	code: string | null;
}

function readText(from: object, key: string): string | null {
	try {
		const value: unknown = (from as Record<string, unknown>)[key];
		return typeof value === 'string' ? value : null;
	} catch {
		return null;
	}
}

function readAny(from: object, key: string): unknown {
	try {
		return (from as Record<string, unknown>)[key];
	} catch {
		return undefined;
	}
}

function messageOf(thrown: unknown, depth = 0): string {
	if (typeof thrown !== 'object' || thrown === null) return describeValue(thrown);
	const message = readText(thrown, 'message');
	if (message === null) return describeValue(thrown);
	const name = readText(thrown, 'name') ?? 'Error';
	let text = `${name}: ${message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message}`;
	if (depth >= deepestCause) return text;
	const errors = readAny(thrown, 'errors');
	if (Array.isArray(errors)) {
		for (let i = 0; i < Math.min(errors.length, 3); i++) {
			text += `${i === 0 ? ' (' : '; '}${messageOf(errors[i], depth + 1)}`;
		}
		if (errors.length > 0) text += ')';
	}
	const cause = readAny(thrown, 'cause');
	if (cause !== undefined) text += `, caused by ${messageOf(cause, depth + 1)}`;
	return text;
}

function shownPath(place: string, folder: string): string {
	try {
		const path = place.startsWith('file:') ? fileURLToPath(place) : place;
		const near = relative(folder, path);
		return near === '' || near.startsWith('..') ? path : near;
	} catch {
		return place;
	}
}

/** The first line of a stack that is not Node's own and not ours; a syntax error's stack begins with its place. */
export function placeOfStack(
	stack: string,
	folder: string,
	ownFolder: string | null,
): string | null {
	const lines = stack.split('\n');
	const head = /^(?:file:\/\/)?(\/.*|[A-Za-z]:[\\/].*):(\d+)$/u.exec((lines[0] ?? '').trim());
	if (head !== null) {
		return `${shownPath((lines[0] ?? '').trim().replace(/:\d+$/u, ''), folder)}:${head[2] ?? ''}`;
	}
	for (const line of lines) {
		const frame = /^\s+at (?:.*\()?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/u.exec(
			line,
		);
		if (frame === null) continue;
		const [, place = '', row = '', column = ''] = frame;
		if (ownFolder !== null && place.startsWith(ownFolder)) continue;
		return `${shownPath(place, folder)}:${row}:${column}`;
	}
	return null;
}

/** `folder`: of the task. `ownFolder`: URL of Grove's own host files, which are never named. */
export function explainThrown(thrown: unknown, folder: string, ownFolder: string): Explained {
	try {
		const isObject = typeof thrown === 'object' && thrown !== null;
		const stack = isObject ? readText(thrown, 'stack') : null;
		return {
			message: messageOf(thrown),
			where: stack === null ? null : placeOfStack(stack, folder, ownFolder),
			code: isObject ? readText(thrown, 'code') : null,
		};
	} catch {
		return { message: 'a value that cannot be shown', where: null, code: null };
	}
}
