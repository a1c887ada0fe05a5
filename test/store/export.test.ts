/** Exports of metrics and rollouts: every row, in full precision, and harmless in a spreadsheet. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src-main/contract/random.ts';
import type { RolloutTree } from '../../src-main/contract/tree.ts';
import { decode } from '../../src-main/contract/wire.ts';
import type { Store } from '../../src-main/store/index.ts';
import { csvNumber, csvText, textOfCell } from '../../src-main/store/csv-format.ts';
import { fillStore, sampleTree, smallFill } from '../support/fill-store.ts';
import { readCsv } from '../support/read-csv.ts';
import { temporaryStore } from '../support/temporary-store.ts';

const fill = { ...smallFill, runs: 2, steps: 7, keys: 5 };

async function exportOf(
	store: Store,
	runIds: string[],
	format: 'csv' | 'jsonl',
	what: 'metrics' | 'rollouts',
): Promise<{ text: string; rows: number }> {
	const folder = join(dirname(store.path), 'exports');
	const { path, rows, bytes } = await store.exportRuns(
		{ runIds, format, what, checkpoints: false },
		folder,
	);
	const text = readFileSync(path, 'utf8');
	expect(bytes).toBe(Buffer.byteLength(text));
	return { text, rows };
}

const emptyTree: RolloutTree = {
	...sampleTree(
		Random.from('export'),
		{ ...fill, generations: 2, turns: 1 },
		{ step: 1, epoch: 0, itemIndex: 0, purpose: 'train' },
		0,
		0.5,
	),
};

/** The tree with other texts. */
function withTexts(texts: { prompt: string; completion: string; title: string }): RolloutTree {
	return {
		...emptyTree,
		title: texts.title,
		itemId: texts.title,
		nodes: emptyTree.nodes.map((node) => ({
			...node,
			agents: node.agents.map((agent) => ({
				...agent,
				prompt: texts.prompt,
				rawPrompt: texts.prompt,
				completions: agent.completions.map((own) => ({ ...own, text: texts.completion })),
			})),
		})),
	};
}

function recordTrees(store: Store, id: string, trees: RolloutTree[]): void {
	store.recorder(id).record({
		kind: 'step',
		record: {
			step: 50,
			epoch: 0,
			epochProgress: 1,
			envStep: 50,
			wallTimeMs: 1,
			trees: trees.map((tree, itemIndex) => ({ ...tree, step: 50, itemIndex })),
			metrics: [],
		},
	});
}

describe('metrics', () => {
	const odd = [
		NaN,
		Infinity,
		-Infinity,
		-0,
		2 ** 53,
		5e-324,
		1.7976931348623157e308,
		0.1 + 0.2,
		-1,
	];

	async function filled(): Promise<{ store: Store; ids: string[] }> {
		const store = await temporaryStore();
		const ids = fillStore(store, fill);
		const recorder = store.recorder(ids[0] ?? '');
		for (const [index, value] of odd.entries()) {
			recorder.record({
				kind: 'step',
				record: {
					step: 100 + index,
					epoch: 0,
					epochProgress: index === 0 ? NaN : 0.5,
					envStep: 2 ** 53 - 100 + index,
					wallTimeMs: 1.5,
					trees: [],
					metrics: [{ key: '=odd,"key"\n', value }],
				},
			});
		}
		return { store, ids };
	}

	it('as CSV give every stored point again', async () => {
		const { store, ids } = await filled();
		const { text, rows } = await exportOf(store, ids, 'csv', 'metrics');
		const table = readCsv(text);
		expect(table).toHaveLength(rows);
		let points = 0;
		for (const id of ids) {
			for (const { key } of store.metricKeys([id]).keys) {
				const stored = store.metricPoints(id, key);
				points += stored.value.length;
				const own = table.filter((row) => row.run === id && textOfCell(row.key ?? '') === key);
				const column = (name: string): Float64Array =>
					Float64Array.from(own, (row) => Number(row[name]));
				expect(column('value')).toEqual(stored.value);
				expect(column('step')).toEqual(stored.step);
				expect(column('env_step')).toEqual(stored.envStep);
				expect(column('epoch')).toEqual(stored.epoch);
				expect(column('time_ms')).toEqual(stored.wallTimeMs);
			}
		}
		expect(points).toBe(rows);
	});

	it('as JSON lines give every stored point again, in strict JSON', async () => {
		const { store, ids } = await filled();
		const { text, rows } = await exportOf(store, ids, 'jsonl', 'metrics');
		const lines = text.trimEnd().split('\n');
		const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
		const heads = parsed.filter((line) => line.kind === 'run');
		expect(heads.map((head) => head.id)).toEqual(ids);
		const points = parsed.filter((line) => line.kind === 'point');
		expect(points).toHaveLength(rows);
		const own = points.filter((point) => point.key === '=odd,"key"\n');
		expect(own.map((point) => Number(point.value))).toEqual(odd);
	});

	it('leave out values that a newer one of the same place replaced', async () => {
		const { store, ids } = await filled();
		const [id = ''] = ids;
		const again = { epoch: 0, epochProgress: 0.5, wallTimeMs: 3, trees: [] };
		for (const value of [7, 8]) {
			store.recorder(id).record({
				kind: 'step',
				record: {
					...again,
					step: 103,
					envStep: 2 ** 53 - 97,
					metrics: [{ key: '=odd,"key"\n', value }],
				},
			});
		}
		const table = readCsv((await exportOf(store, ids, 'csv', 'metrics')).text);
		const values = table.filter((row) => row.step === '103').map((row) => row.value);
		expect(values).toEqual(['8']);
		expect([...store.metricPoints(id, '=odd,"key"\n').value]).toEqual(
			odd.map((value, index) => (index === 3 ? 8 : value)),
		);
	});
});

describe('rollouts', () => {
	it('as CSV have one row per joint completion and agent', async () => {
		const store = await temporaryStore();
		const ids = fillStore(store, fill);
		const { text, rows } = await exportOf(store, ids, 'csv', 'rollouts');
		const table = readCsv(text);
		const summaries = ids.flatMap((runId) => store.listTrees({ runId, limit: 1000 }).trees);
		const joints = summaries.reduce((sum, tree) => sum + tree.joints, 0);
		expect(rows).toBe(joints * fill.agents);
		expect(table).toHaveLength(rows);
		for (const tree of summaries.slice(0, 5)) {
			const { node } = store.treeNode({ ...tree, node: tree.nodes - 1 });
			for (const [index, joint] of node.joints.entries()) {
				for (const [agent, pick] of joint.picks.entries()) {
					const own = table.filter(
						(row) =>
							row.run === tree.runId &&
							row.purpose === tree.purpose &&
							row.step === String(tree.step) &&
							row.node === String(node.index) &&
							row.joint === String(index) &&
							row.agent === String(agent),
					);
					const completion = node.agents[agent]?.completions[pick];
					expect(own).toHaveLength(1);
					expect(own[0]).toMatchObject({
						completion: completion?.text,
						prompt: node.agents[agent]?.prompt,
						reward: String(joint.reward),
						return: String(joint.return),
						advantage: String(completion?.advantage),
						tokens: String(completion?.tokenIds.length),
						turn: String(node.turn),
					});
				}
			}
		}
	});

	it('as JSON lines are the trees as they were recorded', async () => {
		const store = await temporaryStore();
		const [id = ''] = fillStore(store, { ...fill, runs: 1, steps: 1 });
		const tree = withTexts({
			prompt: 'a\u2028b',
			completion: '"\\ \u0000 🌳 é',
			title: '</script>',
		});
		recordTrees(store, id, [tree]);
		const { text } = await exportOf(store, [id], 'jsonl', 'rollouts');
		const lines = text.trimEnd().split('\n').map(decode);
		expect(lines.at(-1)).toEqual({
			kind: 'tree',
			run: id,
			tree: { ...tree, step: 50, itemIndex: 0 },
		});
	});

	it('give any text again, whatever it holds', async () => {
		const store = await temporaryStore();
		const [id = ''] = fillStore(store, { ...fill, runs: 1, steps: 1, treesPerStep: 0 });
		const any = fc.string({ unit: 'binary', maxLength: 40 });
		const cells = fc.sample(
			fc.record({
				prompt: any,
				completion: fc
					.tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", '＝', ''), any)
					.map((parts) => parts.join('')),
				title: fc.string({ unit: 'grapheme' }),
			}),
			60,
		);
		recordTrees(store, id, cells.map(withTexts));
		const table = readCsv((await exportOf(store, [id], 'csv', 'rollouts')).text);
		for (const [itemIndex, texts] of cells.entries()) {
			const row = table.find((own) => own.item_index === String(itemIndex));
			expect(textOfCell(row?.completion ?? '')).toBe(texts.completion.toWellFormed());
			expect(textOfCell(row?.prompt ?? '')).toBe(texts.prompt.toWellFormed());
			expect(textOfCell(row?.item_id ?? '')).toBe(texts.title.toWellFormed());
		}
	});
});

describe('a cell', () => {
	it('never begins as a formula and stands for the same text again', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				const [row] = readCsv(`a,b\r\n${csvText(text)},x\r\n`);
				expect(row?.b).toBe('x');
				expect(row?.a ?? '').not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/u);
				expect(textOfCell(row?.a ?? '')).toBe(text.toWellFormed());
			}),
		);
	});

	it('holds every number exactly', () => {
		fc.assert(
			fc.property(fc.double(), (value) => {
				expect(Number(csvNumber(value))).toBe(value);
			}),
		);
		expect(csvNumber(null)).toBe('');
	});
});

describe('the file', () => {
	it('is named after the run, never a path, and never replaces another', async () => {
		const store = await temporaryStore();
		const ids = fillStore(store, fill);
		const [id = ''] = ids;
		store.updateRuns({ ids: [id], patch: { name: '../../größe: 森/..\\x' } });
		const params = { format: 'csv', what: 'metrics', checkpoints: false } as const;
		const folder = join(dirname(store.path), 'out');
		const [first, second] = await Promise.all([
			store.exportRuns({ ...params, runIds: [id] }, folder),
			store.exportRuns({ ...params, runIds: [id] }, folder),
		]);
		const both = await store.exportRuns({ ...params, runIds: ids }, folder);
		const names = [first, second, both].map((written) => written.fileName).sort();
		expect(names).toEqual([
			'2-runs-metrics.csv',
			'größe-森-x-fill-7-0-2-metrics.csv',
			'größe-森-x-fill-7-0-metrics.csv',
		]);
		expect(readdirSync(folder).sort()).toEqual(names);
		expect(readFileSync(first.path, 'utf8')).toBe(readFileSync(second.path, 'utf8'));
	});
});
