import fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GroveError } from '../../src-main/contract/errors.ts';
import { type DataConfig, loadDatasets } from '../../src-main/tasks/datasets/load-datasets.ts';
import { parseCsv } from '../../src-main/tasks/datasets/parse-csv.ts';
import { sliceBounds } from '../../src-main/tasks/datasets/slice.ts';
import type { DataSpec } from '../../src-main/tasks/host/protocol.ts';
import type { TaskItem } from '../../src-main/tasks/task.ts';
import { messageOf, writeFiles } from './task-files.ts';

const nothing: DataConfig = {
	prompts: null,
	train_data: null,
	train_slice: null,
	eval_data: null,
	eval_slice: null,
	columns: {},
};

async function load(
	config: Partial<DataConfig>,
	more: { folder?: string; train?: DataSpec; eval?: DataSpec; requires?: string[] } = {},
): Promise<{ train: TaskItem[]; eval: TaskItem[] }> {
	return loadDatasets({
		config: { ...nothing, ...config },
		baseFolder: more.folder ?? '/',
		taskName: 'test',
		own: { train: more.train ?? null, eval: more.eval ?? null },
		requires: more.requires ?? ['prompt'],
		fallback: null,
	});
}

/** Loads one file of this name and content. */
async function loadFile(
	name: string,
	content: string | Uint8Array,
	config: Partial<DataConfig> = {},
): Promise<TaskItem[]> {
	const folder = writeFiles({ [name]: content });
	return (await load({ train_data: name, ...config }, { folder })).train;
}

const row = (id: number): string => `{"id": "p${id}", "prompt": "Say ${id}."}`;

describe('JSONL', () => {
	it('reads rows in order, with byte order mark, CRLF and blank lines', async () => {
		const items = await loadFile('a.jsonl', `\ufeff${row(0)}\r\n\r\n   \r\n${row(1)}\r\n${row(2)}`);
		expect(items).toMatchObject([
			{ index: 0, id: 'p0', prompt: 'Say 0.' },
			{ index: 1, id: 'p1' },
			{ index: 2, id: 'p2', fields: { prompt: 'Say 2.' } },
		]);
	});

	it.each([
		[
			'a missing key',
			`${row(0)}\n${row(1)}\n{"promt": "typo"}`,
			/line 3: prompt.*missing[^]*promt/u,
		],
		[
			'a wrong type',
			`${row(0)}\n{"prompt": 12}\n{"prompt": null}`,
			/line 2: prompt[^]*line 3: prompt/u,
		],
		['a row that is a text in a list', '{"prompt": "x"}\n["p04", "list"]', /line 2: prompt/u],
		['a trailing comma', '{"prompt": "x",}', /line 1: not valid JSON/u],
		['a line that is cut off', `${row(0)}\n{"id": "p1", "prompt": "Pro`, /line 2: not valid JSON/u],
		['equal ids', `${row(0)}\n${row(1)}\n${row(0)}`, /line 3: id.*already that of line 1/u],
		['one JSON list', '[\n {"prompt": "x"}\n]', /name it \.json/u],
		['no rows', '', /no rows/u],
		['only blank lines', '\n \n', /no rows/u],
		['an id beyond 2^53', '{"id": 12345678901234567890, "prompt": "x"}', /line 1: id/u],
		['an empty prompt', '{"prompt": ""}', /line 1: prompt.*empty/u],
	])('refuses %s, with file, line and key', async (_, text, expected) => {
		const message = await messageOf(() => loadFile('rows.jsonl', text));
		expect(message).toMatch(expected);
		expect(message).toContain('rows.jsonl');
	});

	it('refuses Latin-1 with the line of the first such byte, and UTF-16 by name', async () => {
		const latin = Buffer.from('{"prompt": "a"}\n{"prompt": "Grüße"}\n', 'latin1');
		expect(await messageOf(() => loadFile('a.jsonl', latin))).toMatch(/line 2: .*not UTF-8/u);
		const utf16 = Buffer.from(`\ufeff${row(0)}`, 'utf16le');
		expect(await messageOf(() => loadFile('a.jsonl', utf16))).toContain('UTF-16');
	});

	it('lists many bad rows up to twenty, and counts the others', async () => {
		const text = Array.from({ length: 30 }, () => '{"x": 1}').join('\n');
		const error: unknown = await loadFile('a.jsonl', text).catch((thrown: unknown) => thrown);
		if (!(error instanceof GroveError)) throw new Error('nothing was thrown');
		expect(error.complaints).toHaveLength(21);
		expect(error.message).toContain('10 more rows');
	});

	it('survives values nested a hundred thousand deep', async () => {
		const deep = `{"prompt": "x", "y": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
		expect(await messageOf(() => loadFile('a.jsonl', deep))).toMatch(
			/line 1|too (deep|much)|nested/u,
		);
	});

	it('keeps a column called __proto__ a column', async () => {
		const [item] = await loadFile('a.jsonl', '{"prompt": "x", "__proto__": {"polluted": true}}');
		expect(Object.hasOwn(item?.fields ?? {}, '__proto__')).toBe(true);
		expect('polluted' in {}).toBe(false);
	});
});

describe('JSON', () => {
	it('reads texts, objects and messages', async () => {
		const items = await loadFile(
			'a.json',
			'["plain", {"prompt": "two"}, [{"role": "user", "content": "hi"}]]',
		);
		expect(items.map(({ prompt }) => prompt)).toEqual(['plain', 'two', 'hi']);
	});

	it('names row and line of a bad row', async () => {
		const text = '[\n{"prompt": "a]["},\n\n{"prompt": 3}\n]';
		expect(await messageOf(() => loadFile('a.json', text))).toContain('row 2 (line 4): prompt');
	});

	it('refuses what is no list, and tells the line of broken JSON', async () => {
		expect(await messageOf(() => loadFile('a.json', '{"prompt": "x"}'))).toContain('no list');
		expect(await messageOf(() => loadFile('a.json', '[\n"a",\n]'))).toContain('line 3');
	});
});

describe('prompts of every shape', () => {
	const rows: [string, unknown, boolean][] = [
		['plain text', 'plain text', true],
		['messages', [{ role: 'user', content: 'hi' }], true],
		['a number as content', [{ role: 'user', content: 42 }], false],
		['no messages', [], false],
		['empty text', '', false],
		['an object', { prompt: { text: 'hi' } }, false],
		['an unknown role', [{ role: 'wizard', content: 'hi' }], false],
		['the assistant first', [{ role: 'assistant', content: 'I go first' }], true],
		['no content', [{ role: 'user' }], false],
		['null', null, false],
		['a number', 7, false],
		['a list of lists', [['user', 'hi']], false],
		['content in parts', [{ role: 'user', content: [{ type: 'text', text: 'parts' }] }], false],
		[
			'two system messages',
			[
				{ role: 'system', content: 'a' },
				{ role: 'system', content: 'b' },
			],
			true,
		],
	];

	it.each(rows)('%s', async (_, value, accepted) => {
		const loading = load({}, { train: { kind: 'rows', rows: ['first', value] } });
		if (accepted) expect((await loading).train).toHaveLength(2);
		else await expect(loading).rejects.toThrow('row 2');
	});
});

describe('CSV', () => {
	it('reads quotes, separators and line breaks in cells, with line numbers', async () => {
		const text = '\ufeffid,prompt\r\n1,"He said ""hi"", then\r\nleft"\r\n\r\n2,plain\r\n';
		expect(await loadFile('a.csv', text)).toMatchObject([
			{ id: '1', prompt: 'He said "hi", then\r\nleft' },
			{ id: '2', prompt: 'plain' },
		]);
		expect(await messageOf(() => loadFile('a.csv', `${text}3\n`))).toContain('line 6');
	});

	it.each([
		['a quote that never closes', 'prompt\n"abc\n', 'line 2'],
		['text after a quote', 'prompt\n"abc"d\n', 'line 2'],
		['a column twice', 'prompt,prompt\na,b\n', 'twice'],
		['an empty cell', 'prompt\n""\n', 'prompt'],
		['only a header', 'prompt\n', 'no rows'],
	])('refuses %s', async (_, text, expected) => {
		expect(await messageOf(() => loadFile('a.csv', text))).toContain(expected);
	});

	it('gives back any cells that were quoted', () => {
		const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ';', 'ü') });
		fc.assert(
			fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (records) => {
				const quoted = records.map((cells) =>
					cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(','),
				);
				const result = parseCsv(['"x","y"', ...quoted].join('\r\n'), ',');
				if (!result.ok) throw new Error(result.what);
				expect(result.rows.map(({ value }) => value)).toEqual(records.map(([x, y]) => ({ x, y })));
			}),
		);
	});
});

describe('columns', () => {
	it('are renamed to what the task wants', async () => {
		const folder = writeFiles({ 'a.csv': 'question,prompt,abstract_text\nq1,p1,t1\n' });
		const { train } = await load(
			{ train_data: 'a.csv', columns: { prompt: 'question', abstract: 'abstract_text' } },
			{ folder, requires: ['prompt', 'abstract'] },
		);
		expect(train[0]?.fields).toEqual({ prompt: 'q1', abstract: 't1' });
	});

	it('that are mapped but missing are named', async () => {
		const folder = writeFiles({ 'a.csv': 'q,b\nx,y\n' });
		const message = await messageOf(() =>
			load({ train_data: 'a.csv', columns: { prompt: 'question' } }, { folder }),
		);
		expect(message).toContain('"question"');
		expect(message).toContain('q, b');
	});
});

describe('slices', () => {
	it.each([
		['[:3]', [0, 3]],
		['[7:]', [7, 10]],
		['[-2:]', [8, 10]],
		['[2:5]', [2, 5]],
		['[:-8]', [0, 2]],
		['[:]', [0, 10]],
		[':4', [0, 4]],
		['[:100]', [0, 10]],
		['[ 1 : 2 ]', [1, 2]],
	])('%s of ten rows', (text, bounds) => {
		expect(sliceBounds(text, 10, 'train_slice')).toEqual(bounds);
	});

	it.each(['[::2]', '[a:]', '10', '[:10%]', 'train[:5]', '', '[1:', '1:]', '[0.5:]'])(
		'%s is none',
		(text) => {
			expect(() => sliceBounds(text, 10, 'train_slice')).toThrow('train_slice');
		},
	);

	it('take the rows that a list would give', () => {
		const bound = fc.option(fc.integer({ min: -30, max: 30 }));
		fc.assert(
			fc.property(bound, bound, fc.integer({ min: 0, max: 20 }), (start, end, length) => {
				const rows = Array.from({ length }, (_, index) => index);
				const [from, to] = sliceBounds(`[${start ?? ''}:${end ?? ''}]`, length, 'x');
				expect(rows.slice(from, to)).toEqual(rows.slice(start ?? 0, end ?? length));
			}),
		);
	});

	it('keep the row numbers, cut evaluation from the training file, and refuse to leave nothing', async () => {
		const folder = writeFiles({ 'a.jsonl': [0, 1, 2, 3, 4].map(row).join('\n') });
		const config = { train_data: 'a.jsonl', train_slice: '[2:]', eval_slice: '[:2]' };
		const data = await load(config, { folder });
		expect(data.train.map(({ index }) => index)).toEqual([2, 3, 4]);
		expect(data.eval.map(({ index }) => index)).toEqual([0, 1]);
		const none = load({ ...config, train_slice: '[9:]' }, { folder });
		await expect(none).rejects.toThrow('leaves none of the 5 rows');
	});
});

describe('where data come from', () => {
	const own: DataSpec = { kind: 'rows', rows: ['own'] };

	it('prompts before a file before the task', async () => {
		const folder = writeFiles({ 'a.jsonl': row(1), 'b.jsonl': row(2) });
		const prompts = await load(
			{ prompts: ['inline'], train_data: 'a.jsonl' },
			{ folder, train: own },
		);
		expect(prompts.train[0]?.prompt).toBe('inline');
		const file = await load(
			{ train_data: 'a.jsonl', eval_data: 'b.jsonl' },
			{ folder, train: own },
		);
		expect(file.train[0]?.prompt).toBe('Say 1.');
		expect(file.eval[0]?.prompt).toBe('Say 2.');
		expect((await load({}, { train: own, eval: own })).eval).toHaveLength(1);
		await expect(load({})).rejects.toThrow('no data');
	});

	it('refuses folders, missing files and unknown kinds', async () => {
		const folder = writeFiles({ 'a.txt': 'x', 'b.json/c': '' });
		await expect(load({ train_data: 'a.txt' }, { folder })).rejects.toThrow('.jsonl');
		await expect(load({ train_data: 'b.json' }, { folder })).rejects.toThrow('folder');
		await expect(load({ train_data: join('x', 'y.csv') }, { folder })).rejects.toThrow('y.csv');
	});
});
