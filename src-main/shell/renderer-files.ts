import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/**
 * The files of the renderer's build by address. Only what a walk over the folder found can be served, by
 * exact address, so no spelling of `..` leads out of it; links are not followed.
 */
export class RendererFiles {
	readonly #folder: string;
	#files = new Map<string, string>();

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Looks at the folder again; a build may have replaced its files. */
	#read(): void {
		const entries = readdirSync(this.#folder, { recursive: true, withFileTypes: true });
		this.#files = new Map(
			entries
				.filter((entry) => entry.isFile())
				.map((entry) => {
					const path = join(entry.parentPath, entry.name);
					return [`/${relative(this.#folder, path).split(sep).join('/')}`, path];
				}),
		);
	}

	/** Absolute path of the file at an address such as `/assets/index.js`; undefined where there is none. */
	find(address: string): string | undefined {
		const wanted = address === '/' ? '/index.html' : address;
		if (wanted === '/index.html' || this.#files.size === 0) this.#read();
		return this.#files.get(wanted);
	}
}
