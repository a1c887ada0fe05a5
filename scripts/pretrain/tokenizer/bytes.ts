/**
 * The printable stand-ins of byte-level BPE: every byte is written as one visible character, so that
 * vocabularies are readable text. Bytes that are visible in Latin-1 stand for themselves, the others
 * are moved up from U+0100 in order.
 */
function isVisible(byte: number): boolean {
	return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

/** Stand-in of each byte, index 0 to 255. */
export const byteSymbols: readonly string[] = (() => {
	let moved = 0;
	return Array.from({ length: 256 }, (_, byte) =>
		String.fromCodePoint(isVisible(byte) ? byte : 0x100 + moved++),
	);
})();

const encoder = new TextEncoder();

/** A text's UTF-8 bytes as stand-ins. */
export function toSymbols(text: string): string[] {
	return Array.from(encoder.encode(text), (byte) => byteSymbols[byte] ?? '');
}
