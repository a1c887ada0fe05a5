import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** Characters gathered before they are written. */
const chunk = 256 * 1024;

/** Writes a text file in pieces. Between two pieces the program does other things. */
export class FileWriter {
	readonly #stream: WriteStream;
	#waiting = '';

	constructor(path: string) {
		this.#stream = createWriteStream(path, { encoding: 'utf8', mode: 0o600 });
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
		return this.#stream.bytesWritten;
	}

	abandon(): void {
		this.#stream.destroy();
	}
}

/** Lets `write` fill a new file. Returns its size in bytes. */
export async function writeFileInPieces(
	path: string,
	write: (file: FileWriter) => Promise<void>,
): Promise<number> {
	const file = new FileWriter(path);
	try {
		await write(file);
		return await file.finish();
	} catch (error) {
		file.abandon();
		throw error;
	}
}
