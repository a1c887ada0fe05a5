/**
 * Sentence templates with slots: `{name}` takes a value of the bag, `{a name}` puts the article before it.
 * A slot that holds a list gives each of its values at most once to one answer, so that an answer
 * never says the same thing twice; values may hold slots themselves.
 */
import type { Random } from '../../../src-main/contract/random.ts';

export type Bag = Readonly<Record<string, string | readonly string[]>>;

export function pick<T>(random: Random, items: readonly T[]): T {
	const item = items[random.integer(items.length)];
	if (item === undefined) throw new Error('pick from an empty list');
	return item;
}

const vowelSound = /^(?!uni|use|one\b|once\b)[aeiou]|^(?:hour|honest)/iu;

export function withArticle(noun: string): string {
	return `${vowelSound.test(noun) ? 'an' : 'a'} ${noun}`;
}

export function capitalised(text: string): string {
	return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const slot = /\{(a )?([a-zA-Z]+)\}/gu;

/** Fills the templates of one answer; remembers what it has given already. */
export class Filler {
	readonly #bag: Bag;
	readonly #random: Random;
	readonly #given = new Map<string, Set<string>>();

	constructor(bag: Bag, random: Random) {
		this.#bag = bag;
		this.#random = random;
	}

	/** Whether every list that the template draws from still has enough fresh values. */
	fits(template: string): boolean {
		const wanted = new Map<string, number>();
		for (const [, , name = ''] of template.matchAll(slot)) {
			wanted.set(name, (wanted.get(name) ?? 0) + 1);
		}
		return [...wanted].every(([name, count]) => {
			const held = this.#bag[name];
			const given = this.#given.get(name)?.size ?? 0;
			return held === undefined || typeof held === 'string' || held.length - given >= count;
		});
	}

	fill(template: string): string {
		return template.replaceAll(slot, (_, article: string | undefined, name: string) => {
			const value = this.#value(name);
			return article === undefined ? value : withArticle(value);
		});
	}

	/** One template as a sentence with a capital. */
	sentence(template: string): string {
		return capitalised(this.fill(template));
	}

	#value(name: string): string {
		const held = this.#bag[name];
		if (held === undefined) throw new Error(`no value for the slot {${name}}`);
		if (typeof held === 'string') return this.fill(held);
		const given = this.#given.get(name) ?? new Set<string>();
		this.#given.set(name, given);
		const value = pick(
			this.#random,
			held.filter((option) => !given.has(option)),
		);
		given.add(value);
		return this.fill(value);
	}
}
