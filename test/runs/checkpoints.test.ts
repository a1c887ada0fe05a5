import { mkdirSync, mkdtempSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
	listCheckpoints,
	newestWholeCheckpoint,
	pruneCheckpoints,
	writeCheckpoint,
} from '../../src-main/runs/checkpoints.ts';

let folder: string;
const save = (step: number): Promise<{ path: string; bytes: number }> =>
	writeCheckpoint(folder, step, async (temporary) => {
		mkdirSync(join(temporary, 'agent_1'));
		await writeFile(join(temporary, 'agent_1', 'weights.bin'), Buffer.alloc(100, step));
		await writeFile(join(temporary, 'trainer-state.json'), JSON.stringify({ step }));
	});

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'grove-checkpoints-'));
});

describe('checkpoints', () => {
	it('appear only whole, under their final name', async () => {
		const { path, bytes } = await save(3);
		expect(readdirSync(folder)).toEqual(['step-00000003']);
		expect(await listCheckpoints(folder, true)).toEqual([{ step: 3, path, problem: null, bytes }]);
	});

	it('leave nothing behind when writing fails', async () => {
		await expect(
			writeCheckpoint(folder, 1, () => Promise.reject(new Error('disk full'))),
		).rejects.toThrow('disk full');
		expect(readdirSync(folder)).toEqual([]);
	});

	it('that were cut off are passed over with a reason, the last whole one is used', async () => {
		await save(1);
		const two = await save(2);
		const three = await save(3);
		truncateSync(join(two.path, 'agent_1', 'weights.bin'), 50);
		writeFileSync(join(three.path, 'agent_1', 'weights.bin'), Buffer.alloc(100, 9));
		mkdirSync(join(folder, 'step-00000009'));
		const { checkpoint, passedOver } = await newestWholeCheckpoint(folder);
		expect(checkpoint?.step).toBe(1);
		expect(passedOver.map(({ step, problem }) => [step, problem])).toEqual([
			[9, 'manifest.json is missing or unreadable: the checkpoint was cut off'],
			[3, 'agent_1/weights.bin has changed since it was written'],
			[2, 'agent_1/weights.bin has 50 bytes instead of 100'],
		]);
	});

	it('can be asked for by step', async () => {
		await save(1);
		await save(2);
		expect((await newestWholeCheckpoint(folder, 1)).checkpoint?.step).toBe(1);
		expect((await newestWholeCheckpoint(folder, 5)).checkpoint).toBeNull();
	});

	it('are pruned to the last few and the best; broken ones stay', async () => {
		for (const step of [1, 2, 3, 4]) await save(step);
		mkdirSync(join(folder, 'step-00000000'));
		const removed = await pruneCheckpoints(folder, 2, 1);
		expect(removed.map((path) => path.slice(-1))).toEqual(['2']);
		expect((await listCheckpoints(folder)).map(({ step }) => step)).toEqual([0, 1, 3, 4]);
	});

	it('of a folder that does not exist are none', async () => {
		expect(await listCheckpoints(join(folder, 'none'))).toEqual([]);
	});
});
