import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

/** Characters gathered before they are written. */
const chunk = 256 * 1024;

/**
 * Writes a file in pieces under a temporary name; it gets its own when it is whole. Between two pieces
 * the program does other things.
 */
export class FileWriter {
	readonly #path: string;
	readonly #draft: string;
	readonly #stream: WriteStream;
	#waiting = '';

	constructor(path: string) {
		this.#path = path;
		this.#draft = `${path}.partial-${process.pid}`;
		this.#stream = createWriteStream(this.#draft, { encoding: 'utf8', mode: 0o600 });
		// Without a listener an error would end the program; `write` and `finish` throw it.
		this.#stream.on('error', () => undefined);
	}

	async write(text: string): Promise<void> {
		this.#waiting += text;
		if (this.#waiting.length >= chunk) await this.#flush();
	}

	async #flush(): Promise<void> {
		const text = this.#waiting;
		this.#waiting = '';
		if (this.#stream.errored !== null) throw this.#stream.errored;
		if (!this.#stream.write(text)) await once(this.#stream, 'drain');
	}

	/** Returns the size of the file in bytes. */
	async finish(): Promise<number> {
		await this.#flush();
		this.#stream.end();
		await finished(this.#stream);
		await rename(this.#draft, this.#path);
		return (await stat(this.#path)).size;
	}

	async abandon(): Promise<void> {
		this.#stream.destroy();
		await rm(this.#draft, { force: true });
	}
}

/** Lets `write` fill a file; leaves nothing behind where it fails. Returns the size in bytes. */
export async function writeFileInPieces(
	path: string,
	write: (file: FileWriter) => Promise<void>,
): Promise<number> {
	const file = new FileWriter(path);
	try {
		await write(file);
		return await file.finish();
	} catch (error) {
		await file.abandon();
		throw error;
	}
}
