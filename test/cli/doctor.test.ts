import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import type { BackendReport } from '../../src-main/contract/requests.ts';
import { grove, jsonOf } from '../support/captured-terminal.ts';
import { filledDatabase } from '../support/filled-database.ts';
import { temporaryFolder } from '../support/temporary-store.ts';

interface Diagnosis {
	node: string;
	backends: BackendReport[];
	chosen: string;
	workspace: Record<string, unknown>;
}

const diagnosis = async (db: string, ...options: string[]): Promise<Diagnosis> =>
	jsonOf(await grove('doctor', '--json', '--db', db, ...options)) as Diagnosis;

describe('doctor', () => {
	it('lists every backend with a reason, and advice where it cannot be used', async () => {
		const { node, backends, chosen } = await diagnosis(join(temporaryFolder(), 'grove.db'));
		expect(node).toBe(process.versions.node);
		expect(backends.map(({ backend }) => backend)).toEqual(['cuda', 'webgpu', 'cpu']);
		for (const { usable, reason, advice, adapter } of backends) {
			expect(reason).not.toBe('');
			if (usable) expect(adapter).not.toBe('');
			else expect(advice).toContain('install');
		}
		const best = backends.find(({ usable, software }) => usable && !software);
		expect(chosen).toBe(best?.backend);
		const cpu = backends.find(({ backend }) => backend === 'cpu');
		expect(cpu?.gemmGflops).toBeGreaterThan(0.1);
		expect(cpu?.readGBs).toBeGreaterThan(0.1);
	});

	it('tells of the workspace without making one', async () => {
		const db = join(temporaryFolder(), 'grove.db');
		const { workspace } = await diagnosis(db, '--quick');
		expect(workspace).toMatchObject({ database: db, databaseBytes: null, runs: 0, problem: null });
		expect(workspace.diskFreeBytes).toBeGreaterThan(0);
		expect(existsSync(db)).toBe(false);
		const full = await diagnosis(await filledDatabase(), '--quick');
		expect(full.workspace).toMatchObject({ runs: 3, checkpointBytes: 3_000_000, problem: null });
		expect(full.workspace.databaseBytes).toBeGreaterThan(100_000);
	});

	it('is readable, also where the database is not', async () => {
		const db = join(temporaryFolder(), 'grove.db');
		writeFileSync(db, 'no database at all, only text. '.repeat(200));
		const { code, stdout } = await grove('doctor', '--quick', '--db', db);
		expect(code).toBe(0);
		expect(stdout).toMatch(/^cpu +usable/mu);
		expect(stdout).toMatch(/^cuda +(?:not )?usable/mu);
		expect(stdout).toContain('free on its disk');
		expect(stdout).toMatch(/database/u);
	});
});
