/** Reads the members of what a task file exports, each checked; complaints are gathered, not thrown. */
import type { Complaint } from '../../contract/errors.ts';
import { nearestName } from '../../contract/nearest-name.ts';
import { describeValue } from './describe-value.ts';

/** A function of the task as the host calls it. */
export type TaskFunction = (...parameters: unknown[]) => unknown;

export function isTaskFunction(value: unknown): value is TaskFunction {
	return typeof value === 'function';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export class MemberReader {
	readonly complaints: Complaint[] = [];
	readonly #given: Readonly<Record<string, unknown>>;
	readonly #where: string;

	/** `where` names the file in complaints. */
	constructor(given: Readonly<Record<string, unknown>>, where: string) {
		this.#given = given;
		this.#where = where;
	}

	complain(member: string, what: string, expected: string, value: unknown): void {
		const where = `${this.#where}: ${member}`;
		this.complaints.push({ where, what, expected, given: describeValue(value) });
	}

	/** Members that look like a mistyped known one. Others are the author's own affair. */
	refuseMistyped(known: readonly string[]): void {
		for (const key of Object.keys(this.#given)) {
			if (known.includes(key)) continue;
			const near = nearestName(key, known);
			if (near === undefined || this.has(near)) continue;
			this.complaints.push({
				where: `${this.#where}: ${key}`,
				what: 'unknown member of a task',
				expected: `perhaps ${near}`,
				given: key,
			});
		}
	}

	has(member: string): boolean {
		return this.any(member) !== undefined;
	}

	/** Null counts as left out. */
	any(member: string): unknown {
		return this.#given[member] ?? undefined;
	}

	text(member: string, longest: number): string | null {
		const value = this.any(member);
		if (value === undefined) return null;
		if (typeof value === 'string' && value.trim() !== '' && value.length <= longest) return value;
		this.complain(member, 'is not usable', `a text of 1 to ${longest} characters`, value);
		return null;
	}

	count(member: string, most: number): number | null {
		const value = this.any(member);
		if (value === undefined) return null;
		if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) {
			return value;
		}
		this.complain(member, 'is not usable', `a whole number from 1 to ${most}`, value);
		return null;
	}

	function(member: string): TaskFunction | null {
		const value = this.any(member);
		if (value === undefined) return null;
		if (isTaskFunction(value)) return value;
		this.complain(member, 'is not a function', 'a function', value);
		return null;
	}

	functions(member: string): TaskFunction[] {
		const value = this.any(member);
		if (value === undefined) return [];
		const list: unknown[] = Array.isArray(value) ? value : [value];
		return list.filter((entry): entry is TaskFunction => {
			if (isTaskFunction(entry)) return true;
			this.complain(member, 'is not a function', 'a function, or a list of them', entry);
			return false;
		});
	}

	record(member: string): Record<string, unknown> | null {
		const value = this.any(member);
		if (value === undefined) return null;
		if (isRecord(value)) return value;
		this.complain(member, 'is not an object', 'an object', value);
		return null;
	}

	texts(member: string): string[] | null {
		const value = this.any(member);
		if (value === undefined) return null;
		if (Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== '')) {
			return value as string[];
		}
		this.complain(member, 'is not a list of texts', 'a list of texts', value);
		return null;
	}
}
