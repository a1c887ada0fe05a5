/** The machine's own limits: what arithmetic, memory and disk give at most. */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Limits } from './limits.ts';
import { type Figure, median } from './part.ts';

const rounds = 7;
const page = Buffer.alloc(4096, 1);
const block = Buffer.alloc(1 << 20, 1);

export function measure(): Promise<Figure[]> {
	const limits = new Limits();
	const gemm: number[] = [];
	const read: number[] = [];
	const syncs: number[] = [];
	const written: number[] = [];
	for (let round = 0; round < rounds; round++) {
		gemm.push(limits.gemm(400) / 1e9);
		read.push(limits.read(400) / 1e9);
		const disk = writeToDisk();
		syncs.push(disk.syncsPerSecond);
		written.push(disk.megabytesPerSecond);
	}
	limits.dispose();
	return Promise.resolve([
		absolute('matrix product, fp32, 1024 × 1024 × 1024', median(gemm), 'GFLOP/s'),
		absolute('matrix product, best of the rounds', Math.max(...gemm), 'GFLOP/s'),
		absolute('memory read', median(read), 'GB/s'),
		absolute('memory read, best of the rounds', Math.max(...read), 'GB/s'),
		absolute('disk: 4 KiB appended and synced', median(syncs), '1/s'),
		absolute('disk: 32 MB written and synced', median(written), 'MB/s'),
	]);
}

function absolute(name: string, value: number, unit: string): Figure {
	return { name, value, unit, kind: 'absolute' };
}

function writeToDisk(): { syncsPerSecond: number; megabytesPerSecond: number } {
	const folder = mkdtempSync(join(tmpdir(), 'grove-bench-'));
	const file = openSync(join(folder, 'file'), 'a');
	try {
		const pages = 20;
		const blocks = 32;
		const first = performance.now();
		for (let i = 0; i < pages; i++) {
			writeSync(file, page);
			fsyncSync(file);
		}
		const second = performance.now();
		for (let i = 0; i < blocks; i++) writeSync(file, block);
		fsyncSync(file);
		const third = performance.now();
		return {
			syncsPerSecond: (pages * 1000) / (second - first),
			megabytesPerSecond: (blocks * block.length) / 1e3 / (third - second),
		};
	} finally {
		closeSync(file);
		rmSync(folder, { recursive: true, force: true });
	}
}
