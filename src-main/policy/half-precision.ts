/** 16-bit floats to and from fp32, bit-exact, subnormals, infinities and NaN included. */

const floatView = new Float32Array(1);
const bitsView = new Uint32Array(floatView.buffer);

/** The number that IEEE 754 binary16 bits stand for. */
export function fromHalf(bits: number): number {
	const sign = (bits & 0x8000) === 0 ? 1 : -1;
	const exponent = (bits >>> 10) & 31;
	const fraction = bits & 0x3ff;
	if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
	if (exponent === 0) return sign * fraction * 2 ** -24;
	return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Bits of the nearest half, ties to even; what is too large becomes infinite. */
export function toHalf(value: number): number {
	floatView[0] = value;
	const bits = bitsView[0] ?? 0;
	const sign = (bits >>> 16) & 0x8000;
	const magnitude = bits & 0x7fffffff;
	if (magnitude > 0x7f800000) return sign | 0x7e00;
	if (magnitude >= 0x477ff000) return sign | 0x7c00;
	if (magnitude < 0x38800000) {
		// Subnormal halves are multiples of 2^-24; Math.round would take ties upwards.
		const scaled = Math.abs(value) * 2 ** 24;
		const floor = Math.floor(scaled);
		const rest = scaled - floor;
		return sign | (rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor);
	}
	const rounded = magnitude + 0xfff + ((magnitude >>> 13) & 1);
	return sign | ((rounded - 0x38000000) >>> 13);
}

/** Bits of the nearest bfloat16, ties to even. */
export function toBfloat16(value: number): number {
	floatView[0] = value;
	const bits = bitsView[0] ?? 0;
	if ((bits & 0x7fffffff) > 0x7f800000) return (bits >>> 16) | 0x40;
	return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

let halfTable: Float32Array | undefined;

/** A whole array of binary16 values. */
export function halvesToFloats(halves: Uint16Array): Float32Array {
	halfTable ??= Float32Array.from({ length: 65536 }, (_, bits) => fromHalf(bits));
	const floats = new Float32Array(halves.length);
	for (let i = 0; i < halves.length; i++) floats[i] = halfTable[halves[i] ?? 0] ?? 0;
	return floats;
}

/** A whole array of bfloat16 values: the upper halves of fp32. */
export function bfloat16ToFloats(values: Uint16Array): Float32Array {
	const bits = new Uint32Array(values.length);
	for (let i = 0; i < values.length; i++) bits[i] = (values[i] ?? 0) << 16;
	return new Float32Array(bits.buffer);
}
