/** Rows to examples: columns renamed, every row checked, all that is wrong told with place and key. */
import type { Complaint } from '../../contract/errors.ts';
import { GroveError } from '../../contract/errors.ts';
import { nearestName } from '../../contract/nearest-name.ts';
import { describeValue } from '../host/describe-value.ts';
import { findNonJson } from '../host/json-value.ts';
import { promptText, readPrompt } from '../host/read-prompt.ts';
import type { TaskItem } from '../task.ts';
import type { RawRow } from './raw-row.ts';

/** More complaints than this are counted, not listed. */
const mostComplaints = 20;

export interface ItemRules {
	/** Names the data in messages: a file, or "prompts". */
	where: string;
	/** Columns that every row must have, as texts (`prompt`: a text or messages). */
	requires: readonly string[];
	/** From the name that the task wants to the column of the file. */
	columns: Readonly<Record<string, string>>;
}

/** Throws GroveError 'bad-input' with every complaint (up to 20). */
export function makeItems(rows: readonly RawRow[], rules: ItemRules): TaskItem[] {
	const complaints: Complaint[] = [];
	const items: TaskItem[] = [];
	const placeOfId = new Map<string, string>();
	let failures = 0;
	for (const [index, row] of rows.entries()) {
		const found = makeItem(row, index, rules);
		const problem =
			'complaint' in found ? found.complaint : sameId(found.item, row, placeOfId, rules);
		if (problem !== null) {
			failures += 1;
			if (complaints.length < mostComplaints) complaints.push(problem);
		} else if ('item' in found) items.push(found.item);
	}
	if (failures > complaints.length) {
		const more = failures - complaints.length;
		complaints.push({ where: rules.where, what: `${more} more rows are not usable` });
	}
	if (complaints.length > 0) throw new GroveError('bad-input', complaints);
	return items;
}

function makeItem(
	{ place, value }: RawRow,
	index: number,
	rules: ItemRules,
): { item: TaskItem } | { complaint: Complaint } {
	const where = `${rules.where}, ${place}`;
	const isBare = typeof value === 'string' || Array.isArray(value);
	const row = isBare ? { prompt: value } : value;
	if (typeof row !== 'object' || row === null) {
		return {
			complaint: {
				where,
				what: 'a row is an object, a text or a list of messages',
				given: describeValue(value),
			},
		};
	}
	const deep = findNonJson(row);
	if (deep !== null)
		return { complaint: { where: `${where}: ${deep.path.slice(0, 80)}`, what: deep.what } };
	const fields = renamed(row as Record<string, unknown>, rules.columns);
	for (const column of rules.requires) {
		const problem = columnProblem(fields, column, rules.columns);
		if (problem !== null) return { complaint: { where: `${where}: ${column}`, ...problem } };
	}
	const id = idOf(fields, index);
	if (typeof id !== 'string') return { complaint: { where: `${where}: id`, ...id } };
	return { item: { index, id, prompt: titleOf(fields, rules.requires), fields } };
}

function renamed(
	row: Readonly<Record<string, unknown>>,
	columns: Readonly<Record<string, string>>,
): Record<string, unknown> {
	const sources = Object.values(columns);
	const entries = Object.entries(row).filter(
		([name]) => !sources.includes(name) && !Object.hasOwn(columns, name),
	);
	for (const [wanted, source] of Object.entries(columns)) {
		if (Object.hasOwn(row, source)) entries.push([wanted, row[source]]);
	}
	return Object.fromEntries(entries);
}

function columnProblem(
	fields: Readonly<Record<string, unknown>>,
	column: string,
	columns: Readonly<Record<string, string>>,
): Omit<Complaint, 'where'> | null {
	if (!Object.hasOwn(fields, column)) {
		const there = Object.keys(fields).slice(0, 20);
		const source = Object.hasOwn(columns, column) ? columns[column] : undefined;
		const near = nearestName(column, there);
		return {
			what: source === undefined ? 'is missing' : `its column ${JSON.stringify(source)} is missing`,
			expected:
				near === undefined ? `a column ${column}` : `a column ${column} (perhaps ${near} is meant)`,
			given: there.length === 0 ? 'no columns' : `the columns ${there.join(', ').slice(0, 200)}`,
			fix: source === undefined ? `rename it, or map it with columns: {${column}: …}` : undefined,
		};
	}
	const value = fields[column];
	if (column === 'prompt') {
		const read = readPrompt(value);
		return read.ok
			? null
			: { what: read.problem, expected: 'a text or a list of messages {role, content}' };
	}
	if (typeof value === 'string' && value !== '') return null;
	return { what: 'is not usable', expected: 'a text', given: describeValue(value) };
}

function idOf(
	fields: Readonly<Record<string, unknown>>,
	index: number,
): string | Omit<Complaint, 'where'> {
	const id = fields.id;
	if (id === undefined || id === null || id === '') return String(index);
	if (typeof id === 'string' && id.length <= 1000) return id;
	if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
	return {
		what: 'is not usable as a name of the row',
		expected: 'a text up to 1000 characters, or a whole number below 2^53',
		given: describeValue(id),
	};
}

function titleOf(fields: Readonly<Record<string, unknown>>, requires: readonly string[]): string {
	const prompt = readPrompt(fields.prompt);
	if (prompt.ok) return promptText(prompt.prompt);
	const first = fields[requires[0] ?? ''];
	return typeof first === 'string' ? first : JSON.stringify(fields).slice(0, 200);
}

function sameId(
	item: TaskItem,
	row: RawRow,
	placeOfId: Map<string, string>,
	rules: ItemRules,
): Complaint | null {
	const earlier = placeOfId.get(item.id);
	placeOfId.set(item.id, earlier ?? row.place);
	if (earlier === undefined) return null;
	return {
		where: `${rules.where}, ${row.place}: id`,
		what: `the id ${JSON.stringify(item.id)} is already that of ${earlier}`,
		expected: 'a different id for every row, or none',
	};
}
