import type { PushName, Pushes } from '../contract/requests.ts';
import type { PushFrame } from '../contract/frames.ts';

export type Push = { [P in PushName]: { name: P; payload: Pushes[P] } }[PushName];

/** A push as it travels, whichever its name. */
export function pushFrame(push: Push): PushFrame {
	return { kind: 'push', ...push };
}

/** Hands what happens to whoever listens: each client of a shell, a menu, a test. */
export class Publisher {
	readonly #listeners = new Set<(push: Push) => void>();

	publish<P extends PushName>(name: P, payload: Pushes[P]): void {
		const push = { name, payload } as Push;
		for (const listener of this.#listeners) listener(push);
	}

	/** Returns the "off". */
	listen(listener: (push: Push) => void): () => void {
		this.#listeners.add(listener);
		return () => {
			this.#listeners.delete(listener);
		};
	}

	get listeners(): number {
		return this.#listeners.size;
	}
}
