import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src-main/store/index.ts';
import { fillStore, smallFill } from './fill-store.ts';
import { temporaryFolder } from './temporary-store.ts';

let filled: Promise<Buffer> | undefined;

async function fill(): Promise<Buffer> {
	const folder = mkdtempSync(join(tmpdir(), 'grove-filled-'));
	try {
		const store = await openStore({ path: join(folder, 'grove.db') });
		fillStore(store, smallFill);
		store.close();
		return readFileSync(join(folder, 'grove.db'));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** Path of a database for this test alone, with the runs `fill-7-0`, `fill-7-1` and `fill-7-2` of `smallFill`. */
export async function filledDatabase(): Promise<string> {
	filled ??= fill();
	const path = join(temporaryFolder(), 'grove.db');
	writeFileSync(path, await filled);
	return path;
}
