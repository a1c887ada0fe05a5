/**
 * Seeded randomness as an object that is passed along; nothing in Grove draws from a global source.
 * The generator is xoshiro128** (Blackman and Vigna, 2018), seeded through SplitMix32 from a text,
 * so that independent streams are named, not numbered: `Random.from(seed, 'sample', step, agent)`.
 */
export class Random {
	#a: number;
	#b: number;
	#c: number;
	#d: number;

	private constructor(a: number, b: number, c: number, d: number) {
		this.#a = a;
		this.#b = b;
		this.#c = c;
		this.#d = d;
	}

	/** A stream named by a seed and any further parts. Equal names give equal streams. */
	static from(seed: number | string, ...parts: readonly (number | string)[]): Random {
		// FNV-1a over the UTF-16 units of the joined name; U+001F cannot be typed in a config by accident.
		let hash = 0x811c9dc5;
		for (const char of [seed, ...parts].join('\u001f')) {
			hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
		}
		const next = (): number => {
			hash = (hash + 0x9e3779b9) | 0;
			let z = hash;
			z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
			z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
			return z ^ (z >>> 16);
		};
		return new Random(next(), next(), next(), next() | 1);
	}

	/** The generator in a state that `state` returned. */
	static fromState(state: readonly [number, number, number, number]): Random {
		return new Random(state[0], state[1], state[2], state[3]);
	}

	get state(): [number, number, number, number] {
		return [this.#a, this.#b, this.#c, this.#d];
	}

	/** Uniform 32-bit unsigned integer. */
	uint32(): number {
		const scrambled = Math.imul(this.#b, 5);
		const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9);
		const t = this.#b << 9;
		this.#c ^= this.#a;
		this.#d ^= this.#b;
		this.#b ^= this.#c;
		this.#a ^= this.#d;
		this.#c ^= t;
		this.#d = (this.#d << 11) | (this.#d >>> 21);
		return result >>> 0;
	}

	/** Uniform in [0, 1) with 53 random bits. */
	uniform(): number {
		return ((this.uint32() >>> 5) * 67108864 + (this.uint32() >>> 6)) / 9007199254740992;
	}

	/** Uniform integer in [0, limit). */
	integer(limit: number): number {
		return Math.floor(this.uniform() * limit);
	}

	/** Standard normal, by Box and Muller. */
	normal(): number {
		const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
		return radius * Math.cos(2 * Math.PI * this.uniform());
	}

	/** A new array in random order (Fisher and Yates). */
	shuffled<T>(items: readonly T[]): T[] {
		const result = [...items];
		for (let i = result.length - 1; i > 0; i--) {
			const j = this.integer(i + 1);
			const held = result[i] as T;
			result[i] = result[j] as T;
			result[j] = held;
		}
		return result;
	}
}
