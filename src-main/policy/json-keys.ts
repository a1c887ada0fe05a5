/**
 * Checks JSON text and finds a key that stands twice in the root object, which `JSON.parse` would not tell
 * (the last one wins in silence). Deep nesting is refused before it can exhaust the stack.
 */
export type JsonKeys = { ok: true; duplicate: string | null } | { ok: false; problem: string };

const maxDepth = 64;

export function scanJsonKeys(text: string): JsonKeys {
	const seen = new Set<string>();
	let duplicate: string | null = null;
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		const char = text[at];
		if (char === '{' || char === '[') {
			depth++;
			if (depth > maxDepth) return { ok: false, problem: `nested deeper than ${maxDepth} levels` };
		} else if (char === '}' || char === ']') depth--;
		else if (char === '"') {
			const start = at;
			for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
			if (depth !== 1 || !/^\s*:/u.test(text.slice(at + 1, at + 32))) continue;
			let key: unknown;
			try {
				key = JSON.parse(text.slice(start, at + 1));
			} catch {
				continue;
			}
			if (typeof key !== 'string') continue;
			if (seen.has(key)) duplicate ??= key;
			seen.add(key);
		}
	}
	try {
		JSON.parse(text);
	} catch (error) {
		return {
			ok: false,
			problem: error instanceof Error ? error.message.slice(0, 120) : 'malformed',
		};
	}
	return { ok: true, duplicate };
}
