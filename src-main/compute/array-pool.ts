/**
 * Float arrays that are used again. Left to the garbage collector, activations would double the memory and
 * their pages would be zeroed over and over.
 */
export class ArrayPool {
	/** Free arrays by capacity. */
	readonly #free = new Map<number, Float32Array[]>();
	/** Whole array behind each view that was handed out. */
	readonly #wholes = new WeakMap<Float32Array, Float32Array>();
	#bytes = 0;

	/** Bytes owned, in use or free. */
	get bytes(): number {
		return this.#bytes;
	}

	/** An array of this many elements with whatever its last user left in it. */
	take(size: number): Float32Array {
		const capacity = capacityFor(size);
		let whole = this.#free.get(capacity)?.pop();
		if (whole === undefined) {
			whole = new Float32Array(capacity);
			this.#bytes += whole.byteLength;
		}
		const view = whole.subarray(0, size);
		this.#wholes.set(view, whole);
		return view;
	}

	/** Gives back what `take` returned; the array must not be used afterwards. */
	give(view: Float32Array): void {
		const whole = this.#wholes.get(view);
		if (whole === undefined) throw new Error('the array does not come from this pool');
		this.#wholes.delete(view);
		const list = this.#free.get(whole.length);
		if (list === undefined) this.#free.set(whole.length, [whole]);
		else list.push(whole);
	}

	/** Leaves all free arrays to the garbage collector. */
	trim(): void {
		for (const list of this.#free.values()) {
			for (const whole of list) this.#bytes -= whole.byteLength;
		}
		this.#free.clear();
	}
}

/** Sizes are rounded up to an eighth of their power of two, so that similar batches share arrays. */
function capacityFor(size: number): number {
	const step = Math.max(256, 2 ** (Math.floor(Math.log2(Math.max(1, size))) - 3));
	return Math.max(step, Math.ceil(size / step) * step);
}
