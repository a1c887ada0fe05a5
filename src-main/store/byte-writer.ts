/** A growing buffer for the packed columns of the database. Numbers are little-endian. */
export class ByteWriter {
	#bytes: Buffer;
	#length = 0;

	constructor(capacity = 1024) {
		this.#bytes = Buffer.allocUnsafe(capacity);
	}

	get length(): number {
		return this.#length;
	}

	#reserve(count: number): number {
		const start = this.#length;
		const needed = start + count;
		if (needed > this.#bytes.length) {
			const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
			this.#bytes.copy(larger, 0, 0, start);
			this.#bytes = larger;
		}
		this.#length = needed;
		return start;
	}

	byte(value: number): void {
		const at = this.#reserve(1);
		this.#bytes[at] = value;
	}

	/** A whole number from 0 to 2^53 − 1, seven bits a byte. Throws RangeError on any other. */
	count(value: number): void {
		if (!Number.isSafeInteger(value) || value < 0) {
			throw new RangeError(`${value} is not a count`);
		}
		if (value < 0x80) {
			this.byte(value);
			return;
		}
		let rest = value;
		while (rest >= 0x80) {
			// Not `&`: it would cut at 32 bits.
			this.byte((rest % 0x80) | 0x80);
			rest = Math.floor(rest / 0x80);
		}
		this.byte(rest);
	}

	/** A whole number of either sign, twice of which is below 2^53. */
	signed(value: number): void {
		this.count(value < 0 ? -value * 2 - 1 : value * 2);
	}

	/** Any number; a whole one from 0 in few bytes. */
	number(value: number): void {
		const isWhole = Number.isInteger(value) && !Object.is(value, -0);
		const isShort = isWhole && value >= 0 && value < Number.MAX_SAFE_INTEGER;
		this.count(isShort ? value + 1 : 0);
		if (!isShort) this.float64(value);
	}

	float64(value: number): void {
		const at = this.#reserve(8);
		this.#bytes.writeDoubleLE(value, at);
	}

	float32(value: number): void {
		const at = this.#reserve(4);
		this.#bytes.writeFloatLE(value, at);
	}

	/** UTF-8 with its length before it; lone surrogates become U+FFFD. */
	text(value: string): void {
		const bytes = Buffer.byteLength(value, 'utf8');
		this.count(bytes);
		const at = this.#reserve(bytes);
		this.#bytes.write(value, at, bytes, 'utf8');
	}

	bytes(value: Uint8Array): void {
		const at = this.#reserve(value.byteLength);
		this.#bytes.set(value, at);
	}

	/** What was written so far, as a copy. */
	finish(): Buffer {
		return Buffer.from(this.#bytes.subarray(0, this.#length));
	}
}
