/**
 * A Bloom filter over the hashes of texts: says of a hash that it surely is not there, which is the answer
 * for nearly every new text. Sized for `partTexts` of them, with three false alarms in a thousand.
 */
export const partTexts = 16_384;

const bits = 12 * partTexts;
const probes = 8;
const filterBytes = bits / 8;

export class HashFilter {
	readonly bytes: Buffer;

	/** An empty one, or one of stored bytes. Throws RangeError on bytes of another length. */
	constructor(stored: Buffer = Buffer.alloc(filterBytes)) {
		if (stored.length !== filterBytes) throw new RangeError(`a filter of ${stored.length} bytes`);
		this.bytes = stored;
	}

	/** `hash`: at least 8 evenly distributed bytes. */
	add(hash: Buffer): void {
		probe(hash, (place, bit) => {
			this.bytes[place] = (this.bytes[place] ?? 0) | bit;
			return true;
		});
	}

	mayHave(hash: Buffer): boolean {
		return probe(hash, (place, bit) => ((this.bytes[place] ?? 0) & bit) !== 0);
	}
}

/** Visits the places of a hash until one says no. Enhanced double hashing (Dillinger and Manolios, 2004). */
function probe(hash: Buffer, visit: (place: number, bit: number) => boolean): boolean {
	let at = hash.readUInt32LE(0) % bits;
	let step = hash.readUInt32LE(4) % bits;
	for (let i = 0; i < probes; i++) {
		if (!visit(at >>> 3, 1 << (at & 7))) return false;
		at = (at + step) % bits;
		step = (step + i) % bits;
	}
	return true;
}
