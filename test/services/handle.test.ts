import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { RequestName } from '../../src-main/contract/requests.ts';
import { requestParams } from '../../src-main/contract/requests.ts';
import { handle } from '../../src-main/services/handle.ts';
import { sampleRequests } from '../support/sample-requests.ts';
import type { StandIn } from '../support/stand-in-context.ts';
import { standInContext, standInRecords } from '../support/stand-in-context.ts';

const names = Object.keys(requestParams) as RequestName[];
let open: StandIn[] = [];

function standIn(...parts: Parameters<typeof standInContext>): StandIn {
	const made = standInContext(...parts);
	open.push(made);
	return made;
}

afterEach(() => {
	for (const made of open) made.close();
	open = [];
});

describe('the door to the services', () => {
	it.each(names.filter((name) => name !== 'import.file'))('answers %s', async (name) => {
		const { context, faults } = standIn();
		expect(await handle(name, sampleRequests[name], context)).toMatchObject({ ok: true });
		expect(faults).toEqual([]);
	});

	it('names the request that was probably meant', async () => {
		const reply = await handle('run.list', {}, standIn().context);
		expect(reply).toMatchObject({ ok: false, error: { kind: 'bad-input' } });
		expect(JSON.stringify(reply)).toContain('perhaps runs.list');
	});

	it('says what is wrong with parameters, where, and what was given', async () => {
		const params = {
			runIds: ['a'],
			keys: [7],
			x: 'stepp',
			smoothing: { kind: 'ema', weight: 1 },
			buckets: 0,
		};
		const reply = await handle('metrics.series', params, standIn().context);
		expect(reply.ok).toBe(false);
		if (reply.ok) return;
		expect(reply.error.complaints.map(({ where, given }) => [where, given])).toEqual([
			['metrics.series.keys.0', '7'],
			['metrics.series.x', '"stepp" (text)'],
			['metrics.series.smoothing.weight', '1'],
			['metrics.series.buckets', '0'],
		]);
	});

	it('refuses parameters that nobody asked for, and prototypes', async () => {
		const { context } = standIn();
		const polluted: unknown = JSON.parse('{"id":"a","__proto__":{"polluted":true}}');
		expect(await handle('runs.get', polluted, context)).toMatchObject({ ok: false });
		expect(await handle('runs.get', { id: 'a', more: 1 }, context)).toMatchObject({ ok: false });
		expect(await handle('__proto__', {}, context)).toMatchObject({ ok: false });
		expect(await handle('constructor', {}, context)).toMatchObject({ ok: false });
		expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
	});

	it('turns expected failures into values and logs only faults', async () => {
		const { context, faults } = standIn();
		expect(await handle('runs.get', { id: 'gone' }, context)).toMatchObject({
			ok: false,
			error: { kind: 'not-found' },
		});
		expect(faults).toEqual([]);
		const broken = standIn({
			records: {
				...standInRecords(),
				usage: () => {
					throw new TypeError('a bug');
				},
			},
		});
		expect(await handle('workspace.usage', {}, broken.context)).toMatchObject({
			ok: false,
			error: { kind: 'fault', message: 'a bug' },
		});
		expect(broken.faults).toHaveLength(1);
	});

	it('never throws, whatever it is given', async () => {
		const { context } = standIn();
		const anyName = fc.oneof(fc.constantFrom(...names), fc.string(), fc.anything());
		await fc.assert(
			fc.asyncProperty(
				anyName,
				fc.anything({ withBigInt: true, withSparseArray: true, withTypedArray: true }),
				async (name, params) => {
					const reply = await handle(name, params, context);
					expect(typeof reply.ok).toBe('boolean');
				},
			),
			{ numRuns: 500 },
		);
		const throwing = {
			get id(): string {
				throw new Error('a getter that throws');
			},
		};
		expect(await handle('runs.get', throwing, context)).toMatchObject({ ok: false });
	});

	it('never throws on sound parameters with one part replaced', async () => {
		const { context } = standIn();
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...names),
				fc.nat(),
				fc.anything(),
				async (name, at, value) => {
					const params: Record<string, unknown> = { ...sampleRequests[name] };
					const keys = Object.keys(params);
					params[keys[at % Math.max(1, keys.length)] ?? 'more'] = value;
					const reply = await handle(name, params, context);
					expect(typeof reply.ok).toBe('boolean');
				},
			),
			{ numRuns: 500 },
		);
	});
});

describe('services', () => {
	it('tell of the runs that a change touched', async () => {
		const { context } = standIn();
		const told: unknown[] = [];
		context.publisher.listen((push) => told.push(push));
		await handle('runs.update', { ids: ['a', 'gone'], patch: { notes: 'n' } }, context);
		await handle('runs.update', { ids: ['gone'], patch: { notes: 'n' } }, context);
		expect(told).toEqual([{ name: 'runs.changed', payload: { ids: ['a'], revision: 2 } }]);
	});

	it('refuse to trash or purge a run that trains, and only that one', async () => {
		const live = {
			runId: 'a',
			phase: 'generating' as const,
			step: 1,
			totalSteps: 2,
			detail: '',
			done: 0,
			total: 1,
			sinceMs: 0,
			secondsLeft: null,
			tokensPerSecond: null,
		};
		const { context } = standIn();
		context.runs.live = () => new Map([['a', live]]);
		for (const name of ['runs.trash', 'runs.purge'] as const) {
			expect(await handle(name, { ids: ['a', 'b'] }, context)).toMatchObject({
				ok: true,
				result: { done: ['b'], refused: [{ id: 'a', error: { kind: 'conflict' } }] },
			});
		}
		expect(await handle('runs.get', { id: 'a' }, context)).toMatchObject({
			result: { run: { live: { step: 1 } } },
		});
	});

	it('import uploads only, where the shell says so, and remove them afterwards', async () => {
		const { context } = standIn();
		const refused = await handle('import.file', { path: '/etc/passwd' }, context);
		expect(refused).toMatchObject({ ok: false, error: { kind: 'bad-input' } });
		const path = await context.files.receive(one('bytes'), '../../etc/x.grove');
		expect(path).toMatch(/x\.grove$/u);
		expect(await handle('import.file', { path }, context)).toMatchObject({ ok: true });
		expect(context.files.isUpload(path)).toBe(false);
	});

	it('check a configuration with the line of each complaint', async () => {
		const reply = await handle(
			'config.check',
			{ text: 'num_turns: 1\nnum_generatons: 4\n' },
			standIn().context,
		);
		expect(reply).toMatchObject({ ok: true, result: { ok: false, complaints: [{ line: 2 }] } });
	});

	it('serve metric lines on every x axis, sorted', async () => {
		const { context } = standIn();
		const first: Record<string, number[]> = {};
		for (const x of ['step', 'envStep', 'epoch', 'relative', 'wall'] as const) {
			const params = { ...sampleRequests['metrics.series'], x, smoothing: { kind: 'none' } };
			const reply = await handle('metrics.series', params, context);
			if (!reply.ok || !('series' in reply.result)) throw new Error('no series');
			const [line] = reply.result.series;
			first[x] = [...(line?.x ?? [])];
			expect(line?.nonFinite).toBe(2);
			expect(line?.exact).toBe(true);
			expect(line?.smooth).toEqual(line?.y);
		}
		expect(first).toEqual({
			step: [1, 2, 3, 4, 5],
			envStep: [8, 16, 24, 32, 40],
			epoch: [0.1, 0.2, 0.3, 0.4, 0.5],
			relative: [1, 1.5, 2, 3, 4],
			wall: [2000, 2500, 3000, 4000, 5000],
		});
	});
});

async function* one(text: string): AsyncGenerator<Uint8Array> {
	yield await Promise.resolve(Buffer.from(text));
}
