/** Reads what ByteWriter wrote. Throws RangeError where the bytes end too early, as damaged ones do. */
export class ByteReader {
	readonly #bytes: Buffer;
	#at = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	get atEnd(): boolean {
		return this.#at >= this.#bytes.length;
	}

	byte(): number {
		const value = this.#bytes[this.#at];
		if (value === undefined) throw new RangeError('packed bytes end too early');
		this.#at++;
		return value;
	}

	count(): number {
		let value = 0;
		let scale = 1;
		for (;;) {
			const byte = this.byte();
			value += (byte & 0x7f) * scale;
			if (byte < 0x80) return value;
			scale *= 0x80;
			if (scale > 2 ** 56) throw new RangeError('packed count is too long');
		}
	}

	signed(): number {
		const value = this.count();
		return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
	}

	number(): number {
		const value = this.count();
		return value === 0 ? this.float64() : value - 1;
	}

	float64(): number {
		const value = this.#bytes.readDoubleLE(this.#at);
		this.#at += 8;
		return value;
	}

	float32(): number {
		const value = this.#bytes.readFloatLE(this.#at);
		this.#at += 4;
		return value;
	}

	text(): string {
		return this.bytes(this.count()).toString('utf8');
	}

	/** A view, not a copy. */
	bytes(length: number): Buffer {
		const end = this.#at + length;
		if (end > this.#bytes.length) throw new RangeError('packed bytes end too early');
		const view = this.#bytes.subarray(this.#at, end);
		this.#at = end;
		return view;
	}
}
