/** Data files are UTF-8, with or without byte order mark. */
import { readFile, stat } from 'node:fs/promises';
import { GroveError } from '../../contract/errors.ts';

const largestFile = 256 * 1024 * 1024;

/** Reads a text file. Throws GroveError 'bad-input' that names the file, and the line of a byte that is not UTF-8. */
export async function readTextFile(path: string): Promise<string> {
	let bytes: Buffer;
	try {
		const facts = await stat(path);
		if (facts.isDirectory()) throw new Error('it is a folder');
		if (facts.size > largestFile) {
			throw new Error(`it has ${facts.size} bytes, more than ${largestFile}`);
		}
		bytes = await readFile(path);
	} catch (error) {
		const given = error instanceof Error ? error.message : undefined;
		throw new GroveError(
			'bad-input',
			{ where: path, what: 'the data file cannot be read', given },
			{ cause: error },
		);
	}
	return decodeText(bytes, path);
}

export function decodeText(bytes: Uint8Array, path: string): string {
	const isUtf16 =
		(bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
	if (!isUtf16) {
		try {
			return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		} catch {
			// Told below, with the line.
		}
	}
	const line = isUtf16 ? 1 : firstBadLine(bytes);
	throw new GroveError('bad-input', {
		where: `${path}, line ${line}`,
		what: 'the file is not UTF-8 text',
		expected: 'UTF-8, with or without byte order mark',
		given: isUtf16 ? 'UTF-16' : 'bytes that are not UTF-8 (perhaps Latin-1)',
		fix: 'save it as UTF-8',
	});
}

function firstBadLine(bytes: Uint8Array): number {
	const decoder = new TextDecoder('utf-8', { fatal: true });
	let line = 1;
	for (let start = 0; start < bytes.length; line++) {
		const found = bytes.indexOf(0x0a, start);
		const end = found === -1 ? bytes.length : found + 1;
		try {
			decoder.decode(bytes.subarray(start, end));
		} catch {
			return line;
		}
		start = end;
	}
	return line;
}
