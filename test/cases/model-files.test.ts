/** What people reported of model files (C015, C066 to C078). */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readSafetensors, writeSafetensors } from '../../src-main/policy/safetensors.ts';
import {
	floats,
	loadFolder,
	type RawTensor,
	rawTensors,
	safetensorsOf,
	tinyConfigJson,
	weightsFor,
	writeModelFolder,
} from '../support/model-folder.ts';
import { messageOf } from '../tasks/task-files.ts';

const base = mkdtempSync(join(tmpdir(), 'grove-case-models-'));
let count = 0;
const place = (): string => join(base, `model-${++count}`);
afterAll(() => {
	rmSync(base, { recursive: true });
});

async function reading(bytes: Uint8Array): Promise<string> {
	const path = `${place()}.safetensors`;
	writeFileSync(path, bytes);
	const message = await messageOf(() => readSafetensors(path));
	expect(message).toContain(path);
	return message;
}

const good: RawTensor[] = [
	{ name: 'a', dtype: 'F32', shape: [2, 2], bytes: floats(1, 2, 3, 4) },
	{ name: 'b', dtype: 'F32', shape: [2], bytes: floats(5, 6) },
];

/** The good file with its first tensor changed. */
function withFirst(changes: Partial<RawTensor>): Uint8Array {
	return safetensorsOf(good.map((tensor, at) => (at === 0 ? { ...tensor, ...changes } : tensor)));
}

test.each([
	['NaN', NaN],
	['+Infinity', Infinity],
])('C015: a weight of %s is named at load, with its tensor', async (_, value) => {
	const weights = weightsFor();
	weights.get('model.norm.weight')?.data.fill(value, 3, 4);
	const folder = writeModelFolder(place(), {
		'model.safetensors': safetensorsOf(rawTensors(weights)),
	});
	const message = await messageOf(() => loadFolder(folder));
	expect(message).toContain('model.norm.weight');
	expect(message).toMatch(/element 3/u);
	expect(message).toContain(folder);
});

describe('C066: the length of the header', () => {
	test.each([
		['2^60', 1n << 60n],
		['2^63 + 1', (1n << 63n) + 1n],
		['0', 0n],
		['100,000,001', 100_000_001n],
		['one beyond the file', 1000n],
	])('%s is refused in a sentence', async (_, length) => {
		expect(await reading(safetensorsOf(good, { length }))).toMatch(/header.*impossible/su);
	});

	test.each([
		['no bytes', new Uint8Array(0)],
		['five bytes', Uint8Array.of(1, 2, 3, 4, 5)],
	])('a file of %s is too short', async (_, bytes) => {
		expect(await reading(bytes)).toContain('too short');
	});

	test.each([
		['a list', '[1, 2]', 'not a JSON object'],
		['no JSON', 'this is no json!', 'not valid JSON'],
		['too deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'nested'],
	])('a header that is %s is refused', async (_, header, sign) => {
		expect(await reading(safetensorsOf([], { header }))).toContain(sign);
	});
});

test.each([
	[
		'a Git LFS pointer',
		'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
		/git lfs pull/u,
	],
	['an HTML page', '<!DOCTYPE html><html><title>Log in</title></html>', /HTML/u],
	['a zip archive', 'PK\u0003\u0004aaaaaaaaaaaaaaaa', /zip/u],
	['a GGUF file', 'GGUF\u0003\0\0\0aaaaaaaaaaa', /GGUF/u],
])('C067: %s is told for what it is', async (_, text, sign) => {
	expect(await reading(Buffer.from(text))).toMatch(sign);
});

test('C067: a tokenizer that is a pointer, too', async () => {
	const folder = writeModelFolder(place(), {
		'tokenizer.json': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
	});
	expect(await messageOf(() => loadFolder(folder))).toMatch(/tokenizer\.json.*git lfs pull/su);
});

test.each([
	['a shape too large', { shape: [1000, 1000] }, '4000000 bytes'],
	['an end past the file', { offsets: [0, 4096] }, '4096'],
	['a begin after the end', { offsets: [16, 0] }, '16'],
	['a negative offset', { offsets: [-16, 0] }, '-16'],
	['three offsets', { offsets: [0, 8, 16] }, 'pair'],
	['offsets as text', { offsets: ['0', '16'] }, 'pair'],
	['a shape beyond 2^53', { shape: [2 ** 32, 2 ** 32] }, 'F32'],
	['a negative shape', { shape: [-1, 2] }, 'shape'],
	['a fraction in the shape', { shape: [2.5, 2] }, 'shape'],
])('C068: %s is refused with the name of the tensor', async (_, changes, sign) => {
	const message = await reading(withFirst(changes));
	expect(message).toContain(': a:');
	expect(message).toContain(sign);
});

test('C068: overlapping tensors are refused', async () => {
	expect(
		await reading(
			safetensorsOf(
				good.map((tensor) => ({ ...tensor, offsets: tensor.name === 'a' ? [0, 16] : [8, 16] })),
			),
		),
	).toContain('overlap');
});

test('C070: a name that stands twice, and metadata that is no text, are refused', async () => {
	const entry = '{"dtype":"F32","shape":[2],"data_offsets":[0,8]}';
	const twice = `{"a":${entry},"a":${entry}}`;
	expect(
		await reading(
			safetensorsOf([{ name: 'a', dtype: 'F32', shape: [2], bytes: floats(1, 2) }], {
				header: twice,
			}),
		),
	).toContain('twice');
	expect(await reading(safetensorsOf([], { header: '{"__metadata__":{"a":1}}' }))).toContain(
		'__metadata__',
	);
});

test.each(['F8_E4M3', 'I4', 'f32', 'F31', null, '__proto__', 'constructor'])(
	'C071: the type %s is refused by name',
	async (dtype) => {
		const message = await reading(withFirst({ dtype }));
		expect(message).toContain('F32, F16, BF16');
		expect(message).toContain(String(dtype));
	},
);

test('C071: tensors named __proto__ and constructor are tensors', async () => {
	const path = `${place()}.safetensors`;
	writeFileSync(
		path,
		safetensorsOf(
			good.map((tensor, at) => ({ ...tensor, name: at === 0 ? '__proto__' : 'constructor' })),
		),
	);
	const weights = await readSafetensors(path);
	expect([...(weights.get('__proto__')?.data ?? [])]).toEqual([1, 2, 3, 4]);
	await writeSafetensors(path, weights, 'F32');
	expect([...(await readSafetensors(path)).keys()]).toEqual(['__proto__', 'constructor']);
});

describe('C072, C073: tied heads', () => {
	const weights = weightsFor();
	const shared = weights.get('model.embed_tokens.weight');
	if (shared === undefined) throw new Error('no embedding');
	const withHead = (change: number): Uint8Array => {
		const data = Float32Array.from(shared.data);
		data[0] = (data[0] ?? 0) + change;
		return safetensorsOf(
			rawTensors(new Map([...weights, ['lm_head.weight', { ...shared, data }]])),
		);
	};

	test('stored once: loads, and is stored once when saved', async () => {
		const policy = await loadFolder(writeModelFolder(place()));
		const target = place();
		await policy.save(target);
		const config: unknown = JSON.parse(readFileSync(join(target, 'config.json'), 'utf8'));
		expect(config).toMatchObject({ tie_word_embeddings: true });
		const saved = await readSafetensors(join(target, 'model.safetensors'));
		expect([...saved.keys()].filter((name) => name === 'lm_head.weight')).toEqual([]);
		expect(saved.get('model.embed_tokens.weight')?.data).toEqual(shared.data);
		policy.dispose();
	});

	test('stored twice and equal: loads without a word', async () => {
		const policy = await loadFolder(
			writeModelFolder(place(), { 'model.safetensors': withHead(0) }),
		);
		expect(policy.info.notes).toEqual([]);
		policy.dispose();
	});

	test('stored twice and different: says which one counts', async () => {
		const policy = await loadFolder(
			writeModelFolder(place(), { 'model.safetensors': withHead(1) }),
		);
		expect(policy.info.notes.join()).toMatch(/lm_head\.weight.*embedding is used/u);
		policy.dispose();
	});

	test('untied without a head: refused by name', async () => {
		const folder = writeModelFolder(
			place(),
			{ 'model.safetensors': safetensorsOf(rawTensors(weights)) },
			{ ...tinyConfigJson, tie_word_embeddings: false },
		);
		expect(await messageOf(() => loadFolder(folder))).toContain('lm_head.weight');
	});
});

describe('C074: tensors that do not fit', () => {
	const spoilt = (spoil: (tensors: RawTensor[]) => RawTensor[]): string =>
		writeModelFolder(place(), {
			'model.safetensors': safetensorsOf(spoil(rawTensors(weightsFor()))),
		});

	test('a missing one is named', async () => {
		const name = 'model.layers.0.post_attention_layernorm.weight';
		const folder = spoilt((tensors) => tensors.filter((tensor) => tensor.name !== name));
		expect(await messageOf(() => loadFolder(folder))).toContain(name);
	});

	test('one of another shape is named with both shapes', async () => {
		const name = 'model.layers.0.self_attn.k_proj.weight';
		const folder = spoilt((tensors) =>
			tensors.map((tensor) => (tensor.name === name ? { ...tensor, shape: [8, 4] } : tensor)),
		);
		const message = await messageOf(() => loadFolder(folder));
		expect(message).toContain(name);
		expect(message).toContain('[4, 8]');
		expect(message).toContain('[8, 4]');
	});

	test('one too many is noted', async () => {
		const name = 'model.layers.7.extra.weight';
		const folder = spoilt((tensors) => [
			...tensors,
			{ name, dtype: 'F32', shape: [1], bytes: floats(1) },
		]);
		const policy = await loadFolder(folder);
		expect(policy.info.notes.join()).toContain(name);
		policy.dispose();
	});
});

describe('C075: weights in parts', () => {
	const tensors = rawTensors(weightsFor());
	const half = Math.floor(tensors.length / 2);
	const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'] as const;
	const index = JSON.stringify({
		metadata: {},
		weight_map: Object.fromEntries(
			tensors.map(({ name }, at) => [name, at < half ? names[0] : names[1]]),
		),
	});
	const parts = {
		[names[0]]: safetensorsOf(tensors.slice(0, half)),
		[names[1]]: safetensorsOf(tensors.slice(half)),
	};
	const folderWith = (files: Record<string, string | Uint8Array | null>): string =>
		writeModelFolder(place(), { 'model.safetensors.index.json': index, ...parts, ...files });

	test('whole: loads', async () => {
		(await loadFolder(folderWith({}))).dispose();
	});

	test.each([
		['one is missing', { [names[1]]: null }, /00002-of-00002.*missing.*incomplete/su],
		['one is empty', { [names[1]]: '' }, /00002-of-00002.*empty.*incomplete/su],
		[
			'the index is cut',
			{ 'model.safetensors.index.json': index.slice(0, 300) },
			/index\.json.*cut off/su,
		],
		[
			'the index points outside',
			{ 'model.safetensors.index.json': index.replace(names[0], '../../../etc/hosts') },
			/outside the model folder/u,
		],
	])('%s: says so', async (_, files, sign) => {
		expect(await messageOf(() => loadFolder(folderWith(files)))).toMatch(sign);
	});
});

test('C077: half precision becomes fp32 exactly', async () => {
	const path = `${place()}.safetensors`;
	// ±0, the smallest subnormal, the smallest normal, 1, the largest, ±infinity.
	const f16 = [0x0000, 0x8000, 0x0001, 0x0400, 0x3c00, 0x7bff, 0x7c00, 0xfc00];
	const bf16 = [0x0000, 0x8000, 0x0001, 0x0080, 0x3f80, 0x7f7f, 0x7f80, 0xff80];
	const bytes = (bits: number[]): Uint8Array => new Uint8Array(Uint16Array.from(bits).buffer);
	writeFileSync(
		path,
		safetensorsOf([
			{ name: 'f16', dtype: 'F16', shape: [8], bytes: bytes(f16) },
			{ name: 'bf16', dtype: 'BF16', shape: [8], bytes: bytes(bf16) },
			{ name: 'nan', dtype: 'F16', shape: [2], bytes: bytes([0x7e01, 0xfe00]) },
		]),
	);
	const weights = await readSafetensors(path);
	expect([...(weights.get('f16')?.data ?? [])]).toEqual([
		0,
		-0,
		2 ** -24,
		2 ** -14,
		1,
		65_504,
		Infinity,
		-Infinity,
	]);
	// A bfloat16 is the upper half of a float.
	const floatOf = (bits: number): number => {
		const view = new DataView(new ArrayBuffer(4));
		view.setUint32(0, bits * 65_536);
		return view.getFloat32(0);
	};
	expect([...(weights.get('bf16')?.data ?? [])]).toEqual(bf16.map(floatOf));
	expect([...(weights.get('nan')?.data ?? [])]).toEqual([NaN, NaN]);
});

test('C078: tensors without elements, scalars and files without tensors are read', async () => {
	const path = `${place()}.safetensors`;
	writeFileSync(
		path,
		safetensorsOf([
			{ name: 'none', dtype: 'F32', shape: [0], bytes: floats() },
			{ name: 'flat', dtype: 'F32', shape: [2, 0, 3], bytes: floats() },
			{ name: 'scalar', dtype: 'F32', shape: [], bytes: floats(7) },
		]),
	);
	const weights = await readSafetensors(path);
	expect([...weights].map(([name, { shape, data }]) => [name, shape, data.length])).toEqual([
		['none', [0], 0],
		['flat', [2, 0, 3], 0],
		['scalar', [], 1],
	]);
	writeFileSync(path, safetensorsOf([], { header: '{"__metadata__":{"format":"pt"}}' }));
	expect((await readSafetensors(path)).size).toBe(0);
	expect(
		await reading(safetensorsOf([{ name: 'z', dtype: 'F32', shape: [1], bytes: floats() }])),
	).toContain('z');
});

describe('C065: paths', () => {
	test('with spaces, signs and other letters load', async () => {
		const folder = writeModelFolder(join(base, 'Täst Ordner', '实验 #1 100%', "o'neil & co"));
		(await loadFolder(folder)).dispose();
		(await loadFolder(`${folder}/`)).dispose();
	});

	test('that do not exist are named in full', async () => {
		expect(await messageOf(() => loadFolder(join(base, 'none')))).toContain(join(base, 'none'));
	});

	test('without config.json are told which part is missing', async () => {
		const folder = writeModelFolder(place(), { 'config.json': null });
		expect(await messageOf(() => loadFolder(folder))).toContain('config.json');
		expect(readdirSync(folder)).not.toContain('config.json');
	});
});
