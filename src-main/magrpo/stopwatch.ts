/** Adds up the time that pieces of work took, by a clock that is given. */
export interface Stopwatch {
	time<T>(work: () => Promise<T>): Promise<T>;
	seconds(): number;
}

/** `clock` tells milliseconds. */
export function stopwatch(clock: () => number): Stopwatch {
	let total = 0;
	return {
		async time(work) {
			const before = clock();
			try {
				return await work();
			} finally {
				total += clock() - before;
			}
		},
		seconds: () => total / 1000,
	};
}
