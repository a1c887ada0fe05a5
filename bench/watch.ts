/** Adds up where time goes by wrapping methods while it watches; the measured code knows nothing of it. */
export class Watch {
	readonly #milliseconds = new Map<string, number>();
	readonly #restore: (() => void)[] = [];

	/** Milliseconds since the last `reset`; 0 for a label that never ran. */
	get(label: string): number {
		return this.#milliseconds.get(label) ?? 0;
	}

	reset(): void {
		this.#milliseconds.clear();
	}

	/** Runs the work under a label; for work that is done when it returns. */
	time<T>(label: string, work: () => T): T {
		const start = performance.now();
		try {
			return work();
		} finally {
			this.#milliseconds.set(label, this.get(label) + performance.now() - start);
		}
	}

	/** Puts another method in place of a prototype's own, until `stop`. */
	replace(
		prototype: object,
		name: string,
		around: (original: () => unknown, args: readonly unknown[]) => unknown,
	): void {
		const original: unknown = Reflect.get(prototype, name);
		if (typeof original !== 'function') throw new Error(`there is no method ${name} to watch`);
		Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]): unknown {
			return around((): unknown => Reflect.apply(original, this, args), args);
		});
		this.#restore.push(() => {
			Reflect.set(prototype, name, original);
		});
	}

	method(prototype: object, name: string, label = name): void {
		this.replace(prototype, name, (original) => this.time(label, original));
	}

	stop(): void {
		for (const restore of this.#restore) restore();
		this.#restore.length = 0;
	}
}
