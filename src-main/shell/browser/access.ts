/**
 * Who may use the browser shell: whoever holds the random token of the start address. The token is
 * exchanged for a cookie that scripts cannot read and other sites' requests do not carry.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Wrong tokens that one address may try in a minute. */
const triesPerMinute = 20;
const addressesKept = 1000;
const minuteMs = 60_000;

/** Compares in a time that depends on neither text. */
function equal(a: string, b: string): boolean {
	const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(a), digest(b));
}

export type Admission = 'granted' | 'wrong' | 'too-many-tries';

export class Access {
	readonly token: string;
	readonly cookieName: string;
	readonly #cookie: string;
	readonly #secure: boolean;
	readonly #now: () => number;
	/** Handed to a browser on the command line, where other users may read it: works once. */
	readonly #once = new Set<string>();
	readonly #tries = new Map<string, { count: number; sinceMs: number }>();

	/** `name` tells servers on one machine apart: cookies do not know ports. */
	constructor(options: {
		token?: string | undefined;
		name: string;
		secure: boolean;
		now?: () => number;
	}) {
		this.token = options.token ?? randomBytes(32).toString('base64url');
		this.cookieName = `grove-${options.name}`;
		this.#secure = options.secure;
		this.#now = options.now ?? performance.now.bind(performance);
		// Derived from the token: with a given token, a page outlives a restart of the server.
		this.#cookie = createHmac('sha256', this.token).update('session').digest('base64url');
	}

	/** A token that is accepted a single time. */
	onceToken(): string {
		const token = randomBytes(32).toString('base64url');
		this.#once.add(token);
		return token;
	}

	/** Judges a token from a start address. */
	admit(token: string, address: string): Admission {
		const now = this.#now();
		const tries = this.#tries.get(address);
		const recent = tries !== undefined && now - tries.sinceMs < minuteMs ? tries.count : 0;
		if (recent >= triesPerMinute) return 'too-many-tries';
		if (equal(token, this.token) || this.#once.delete(token)) return 'granted';
		this.#tries.set(address, {
			count: recent + 1,
			sinceMs: recent === 0 ? now : (tries?.sinceMs ?? now),
		});
		const oldest = this.#tries.keys().next().value;
		if (this.#tries.size > addressesKept && oldest !== undefined) this.#tries.delete(oldest);
		return 'wrong';
	}

	setCookieHeader(): string {
		const secure = this.#secure ? '; Secure' : '';
		return `${this.cookieName}=${this.#cookie}; Path=/; HttpOnly; SameSite=Strict${secure}`;
	}

	/** Whether a Cookie header carries ours. */
	holds(cookieHeader: string | undefined): boolean {
		for (const part of (cookieHeader ?? '').split(';')) {
			const at = part.indexOf('=');
			if (part.slice(0, at).trim() === this.cookieName)
				return equal(part.slice(at + 1).trim(), this.#cookie);
		}
		return false;
	}
}
