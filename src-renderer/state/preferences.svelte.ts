import type { Bridge } from '../../src-main/contract/requests.ts';
import { isRecord } from '../logic/json.ts';

const kind = 'preference';
const saveAfterMs = 400;

/**
 * What the person set and expects to find again: one JSON value per name, kept in the workspace.
 * Reading before the stored values have come gives the fallback; `ready` tells.
 */
export class Preferences {
	ready = $state(false);
	#values = $state.raw<ReadonlyMap<string, unknown>>(new Map());
	#timers = new Map<string, number>();
	readonly #bridge: Bridge;

	constructor(bridge: Bridge) {
		this.#bridge = bridge;
	}

	async load(): Promise<void> {
		const reply = await this.#bridge.request('saved.list', { kind });
		if (reply.ok) {
			const values = new Map<string, unknown>();
			for (const { name, value } of reply.result.entries) {
				try {
					values.set(name, JSON.parse(value) as unknown);
				} catch {
					// A value that another version wrote and this one cannot read counts as unset.
				}
			}
			this.#values = new Map([...values, ...this.#values]);
		}
		this.ready = true;
	}

	/** The value of a name if it has the expected form, else the fallback. */
	get<T>(name: string, is: (value: unknown) => value is T, fallback: T): T {
		const value = this.#values.get(name);
		return is(value) ? value : fallback;
	}

	set(name: string, value: unknown): void {
		this.#values = new Map(this.#values).set(name, value);
		window.clearTimeout(this.#timers.get(name));
		this.#timers.set(
			name,
			window.setTimeout(() => {
				void this.#bridge.request('saved.put', { kind, name, value: JSON.stringify(value) });
			}, saveAfterMs),
		);
	}
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isTexts = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every(isText);
export const isNumbersByName = (value: unknown): value is Record<string, number> =>
	isRecord(value) && Object.values(value).every(isNumber);
/** For a fixed set of words. */
export const isOneOf =
	<const W extends string>(words: readonly W[]) =>
	(value: unknown): value is W =>
		(words as readonly unknown[]).includes(value);
