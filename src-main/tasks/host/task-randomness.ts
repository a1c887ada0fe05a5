import { Random } from '../../contract/random.ts';

/**
 * Gives `Math.random` of the task's process a stream of its own for every call, named by the run's seed
 * and the call, so that a reward that draws from it repeats with the run.
 */
export class TaskRandomness {
	readonly #seed: string;
	#call: readonly (string | number)[] = [];
	#stream: Random | null = null;

	constructor(seed: string) {
		this.#seed = seed;
		Math.random = () => {
			this.#stream ??= Random.from(this.#seed, 'task', ...this.#call);
			return this.#stream.uniform();
		};
	}

	begin(...call: readonly (string | number)[]): void {
		this.#call = call;
		this.#stream = null;
	}
}
