/**
 * `f"{value:.1f}"` of Python, digit for digit: the exact binary value is rounded, and exact ties go to the
 * even digit, where `toFixed` rounds them up. With one decimal only odd quarters (0.25, 0.75) can be ties.
 */
export function oneDecimal(value: number): string {
	const quarters = value * 4;
	const isTie = Number.isInteger(quarters) && Math.abs(quarters % 2) === 1;
	if (!isTie) return value.toFixed(1);
	// The tie lies between two tenths; the even one of them is the one whose digit is even.
	const below = Math.floor(Math.abs(value) * 10);
	const tenths = below % 2 === 0 ? below : below + 1;
	return `${value < 0 ? '-' : ''}${Math.floor(tenths / 10)}.${tenths % 10}`;
}
