/** A store in a folder of its own that goes away after the test. The name of the folder is one that paths stumble over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type OpenStoreOptions, openStore, type Store } from '../../src-main/store/index.ts';

export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'grove größe 100% 森 '));
	onTestFinished(() => {
		rmSync(folder, { recursive: true, force: true });
	});
	return folder;
}

export async function openAt(path: string, options: OpenStoreOptions = {}): Promise<Store> {
	const store = await openStore({ path, ...options });
	onTestFinished(() => {
		store.close();
	});
	return store;
}

export async function temporaryStore(options: OpenStoreOptions = {}): Promise<Store> {
	return openAt(join(temporaryFolder(), 'grove.db'), options);
}
