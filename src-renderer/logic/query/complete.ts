/** What may stand at the cursor of a query. */
import { quote, tokenize, QueryError, type Token } from './tokens.ts';

export interface Completion {
	/** What is put in the place of [start, end). */
	text: string;
	start: number;
	end: number;
	kind: 'field' | 'operator' | 'value' | 'word';
}

export interface Vocabulary {
	fields: readonly string[];
	/** Values that runs have under a field; numbers as they are written. */
	values: (field: string) => readonly (string | number)[];
}

const most = 12;
const afterField = ['=', '!=', '<', '<=', '>', '>=', '~', 'has', 'is null', 'is not null'];
const afterCondition = ['and', 'or'];

/** Those that begin as the word at the cursor, before those that hold it elsewhere. */
export function completeQuery(text: string, cursor: number, vocabulary: Vocabulary): Completion[] {
	const tokens = tokensBefore(text.slice(0, cursor));
	if (tokens === null) return [];
	const last = tokens.at(-1);
	const touches =
		last !== undefined && last.end === cursor && last.kind !== 'open' && last.kind !== 'close';
	const current = touches ? last : undefined;
	const before = touches ? tokens.slice(0, -1) : tokens;
	const start = current?.start ?? cursor;
	const typed = (current?.value ?? '').toLowerCase();
	const offer = (kind: Completion['kind'], options: readonly string[]): Completion[] =>
		rank(options, typed).map((option) => ({ text: option, start, end: cursor, kind }));
	const state = stateAfter(before);
	if (state.expects === 'condition')
		return [...offer('field', vocabulary.fields), ...offer('word', ['not'])].slice(0, most);
	if (state.expects === 'operator')
		return [...offer('operator', afterField), ...offer('word', afterCondition)].slice(0, most);
	if (state.expects === 'value')
		return offer(
			'value',
			vocabulary
				.values(state.field)
				.map((value) => (typeof value === 'number' ? String(value) : quote(value))),
		).slice(0, most);
	return offer('word', afterCondition);
}

function tokensBefore(text: string): Token[] | null {
	try {
		return tokenize(text);
	} catch (error) {
		if (!(error instanceof QueryError)) throw error;
		// Within a text that is still being written: complete it as a value.
		const open = text.lastIndexOf('"');
		const rest = text.slice(0, open);
		try {
			return [
				...tokenize(rest),
				{ kind: 'text', value: text.slice(open + 1), start: open, end: text.length },
			];
		} catch {
			return null;
		}
	}
}

function rank(options: readonly string[], typed: string): string[] {
	const bare = (option: string): string => option.replace(/^"/u, '').toLowerCase();
	const first = options.filter((option) => bare(option).startsWith(typed));
	const others = options.filter(
		(option) => !first.includes(option) && bare(option).includes(typed),
	);
	return [...first, ...others];
}

type State = { expects: 'condition' | 'operator' | 'join' } | { expects: 'value'; field: string };

/** What the tokens so far leave open. */
function stateAfter(tokens: readonly Token[]): State {
	let state: State = { expects: 'condition' };
	let field = '';
	for (const token of tokens) {
		const word = token.kind === 'word' ? token.value.toLowerCase() : '';
		if (token.kind === 'open' || ['and', 'or', 'not'].includes(word))
			state = { expects: 'condition' };
		else if (token.kind === 'close') state = { expects: 'join' };
		else if (token.kind === 'operator' || word === 'has') state = { expects: 'value', field };
		else if (state.expects === 'value') state = { expects: 'join' };
		else if (word === 'is') state = { expects: 'join' };
		else {
			field = token.value;
			state = { expects: 'operator' };
		}
	}
	return state;
}
