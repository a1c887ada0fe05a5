/** Passes messages on, but not the same one over and over: the first three, then each tenth power. */
export class RepeatedMessages {
	readonly #tell: (message: string) => void;
	readonly #counts = new Map<string, number>();

	constructor(tell: (message: string) => void) {
		this.#tell = tell;
	}

	tell(message: string): void {
		// Messages that differ each time would fill the memory; then the count begins anew.
		if (this.#counts.size >= 1000) this.#counts.clear();
		const count = (this.#counts.get(message) ?? 0) + 1;
		this.#counts.set(message, count);
		if (count <= 3) this.#tell(message);
		else if (/^10+$/u.test(String(count))) this.#tell(`${message} (${count} times so far)`);
	}
}
