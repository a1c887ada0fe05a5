/** The bytes of each token of a byte-level tokenizer, whose vocabulary writes bytes as printable characters. */
import { isJsonObject, type JsonObject } from './json-file.ts';

/** Character → byte of the byte-level alphabet: printable Latin-1 stands for itself, the rest from U+0100 on in order. */
function byteAlphabet(): Map<string, number> {
	const alphabet = new Map<string, number>();
	let next = 256;
	for (let byte = 0; byte < 256; byte++) {
		const isPrintable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
		alphabet.set(String.fromCodePoint(isPrintable ? byte : next++), byte);
	}
	return alphabet;
}

function isByteLevel(decoder: unknown): boolean {
	if (!isJsonObject(decoder)) return false;
	if (decoder.type === 'ByteLevel') return true;
	return (
		decoder.type === 'Sequence' &&
		Array.isArray(decoder.decoders) &&
		decoder.decoders.length === 1 &&
		isByteLevel(decoder.decoders[0])
	);
}

/** Null where the tokenizer is not byte-level. */
export function tokenBytesOf(
	json: JsonObject,
	tokens: ReadonlyMap<number, string>,
): ((id: number) => Uint8Array) | null {
	if (!isByteLevel(json.decoder)) return null;
	const alphabet = byteAlphabet();
	const added = new Set<number>();
	if (Array.isArray(json.added_tokens))
		for (const entry of json.added_tokens)
			if (isJsonObject(entry) && typeof entry.id === 'number') added.add(entry.id);
	return (id) => {
		const token = tokens.get(id) ?? '';
		// Added tokens are written as they are.
		if (added.has(id)) return new TextEncoder().encode(token);
		return Uint8Array.from([...token].map((char) => alphabet.get(char) ?? 0x3f));
	};
}
