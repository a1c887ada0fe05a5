/**
 * JSON that keeps what JSON loses: NaN, infinities, −0 and typed arrays. Used by the WebSocket and by
 * process messages; `decode(encode(x))` equals `x` for every value of the contract.
 *
 * An object with a single key that begins with `$` is a tag; a plain object of that form is itself
 * tagged as `{"$object": {...}}`, so that a user's own `$number` key survives.
 */
const arrayKinds = {
	$f64: Float64Array,
	$f32: Float32Array,
	$i32: Int32Array,
	$u8: Uint8Array,
} as const;
type TypedArray = Float64Array | Float32Array | Int32Array | Uint8Array;

function tagOf(array: TypedArray): keyof typeof arrayKinds {
	if (array instanceof Float64Array) return '$f64';
	if (array instanceof Float32Array) return '$f32';
	return array instanceof Int32Array ? '$i32' : '$u8';
}

function toBase64(array: TypedArray): string {
	// Large arrays go from Node to the window; there Node's own encoder is some fifty times faster.
	if (typeof Buffer !== 'undefined')
		return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
	const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
	let binary = '';
	// In slices: a spread of a large array would exceed the limit of arguments.
	for (let at = 0; at < bytes.length; at += 0x8000) {
		binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
	}
	return btoa(binary);
}

function fromBase64(tag: keyof typeof arrayKinds, text: string): TypedArray {
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
	return new arrayKinds[tag](bytes.buffer);
}

function isTagged(value: object): boolean {
	const keys = Object.keys(value);
	return keys.length === 1 && (keys[0] ?? '').startsWith('$');
}

function pack(value: unknown): unknown {
	if (typeof value === 'number') {
		if (Number.isFinite(value) && !Object.is(value, -0)) return value;
		return { $number: Object.is(value, -0) ? '-0' : String(value) };
	}
	if (typeof value !== 'object' || value === null) return value;
	if (
		value instanceof Float64Array ||
		value instanceof Float32Array ||
		value instanceof Int32Array ||
		value instanceof Uint8Array
	) {
		return { [tagOf(value)]: toBase64(value) };
	}
	if (Array.isArray(value)) return value.map(pack);
	const packed: Record<string, unknown> = {};
	for (const [name, part] of Object.entries(value)) {
		// defineProperty: a key named __proto__ must stay a key.
		if (part !== undefined)
			Object.defineProperty(packed, name, {
				value: pack(part),
				enumerable: true,
				configurable: true,
				writable: true,
			});
	}
	return isTagged(packed) ? { $object: packed } : packed;
}

function unpackObject(value: object): Record<string, unknown> {
	const result: Record<string, unknown> = {};
	for (const [name, part] of Object.entries(value)) {
		Object.defineProperty(result, name, {
			value: unpack(part),
			enumerable: true,
			configurable: true,
			writable: true,
		});
	}
	return result;
}

function unpack(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(unpack);
	if (isTagged(value)) {
		const [tag, content] = Object.entries(value)[0] ?? [];
		if (tag === '$number' && typeof content === 'string') return Number(content);
		if (tag === '$object' && typeof content === 'object' && content !== null)
			return unpackObject(content as object);
		if (tag !== undefined && Object.hasOwn(arrayKinds, tag) && typeof content === 'string') {
			return fromBase64(tag as keyof typeof arrayKinds, content);
		}
	}
	return unpackObject(value);
}

export function encode(value: unknown): string {
	return JSON.stringify(pack(value));
}

/** Throws SyntaxError on malformed text; the caller owns the answer to that. */
export function decode(text: string): unknown {
	return unpack(JSON.parse(text));
}
