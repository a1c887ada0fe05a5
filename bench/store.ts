/** The store: how fast it takes, how little room it needs, how soon it answers, beside other trackers. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './part.ts';
import { measureSearch, measureTables, measureTree } from './store/reading.ts';
import { measureJoints, measurePoints } from './store/writing.ts';

/** Part of the 100 M points and 1 M completions that the goals speak of; GROVE_BENCH_SCALE=1 builds all. */
const scale = Number(process.env['GROVE_BENCH_SCALE'] ?? 0.1);

export async function measure(): Promise<Figure[]> {
	const folder = mkdtempSync(join(tmpdir(), 'grove-bench-'));
	const at = (name: string): string => {
		mkdirSync(join(folder, name));
		return join(folder, name, 'grove.db');
	};
	const done = (name: string): void => rmSync(join(folder, name), { recursive: true });
	try {
		const figures: Figure[] = [];
		figures.push(...(await measurePoints(at('points'))));
		done('points');
		figures.push(...(await measureJoints(at('joints'))));
		done('joints');
		figures.push(...(await measureTree(at('tree'))));
		done('tree');
		figures.push(...(await measureTables(at('tables'), scale)));
		done('tables');
		const completions = Math.max(200_000, 1_000_000 * scale);
		figures.push(...(await measureSearch(at('search'), completions, completions / 4)));
		return figures;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
