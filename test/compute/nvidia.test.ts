import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nvidiaFacts, parseNvidiaLine } from '../../src-main/compute/nvidia.ts';
import { temporaryFolder } from '../support/temporary-store.ts';

describe('a line of nvidia-smi', () => {
	it.each([
		[
			'NVIDIA GeForce RTX 4090, 24564, 550.54.14',
			{ name: 'NVIDIA GeForce RTX 4090', memoryBytes: 24564 * 2 ** 20, driver: '550.54.14' },
		],
		// A board that shares the memory of its machine.
		[
			'NVIDIA GB10, [N/A], 580.95.05',
			{ name: 'NVIDIA GB10', memoryBytes: null, driver: '580.95.05' },
		],
		['No devices were found', null],
		['', null],
	])('%j', (line, facts) => {
		expect(parseNvidiaLine(line)).toEqual(facts);
	});
});

describe.skipIf(process.platform === 'win32')('the GPU of this process', () => {
	afterEach(() => {
		vi.unstubAllEnvs();
	});

	/** Stands in for the tool: answers with the arguments that it is given. */
	function standIn(script: string): void {
		const folder = temporaryFolder();
		const file = join(folder, 'nvidia-smi');
		writeFileSync(file, `#!/bin/sh\n${script}\n`);
		chmodSync(file, 0o755);
		vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH ?? ''}`);
	}

	it('is the first that CUDA may see', async () => {
		standIn('case "$*" in *"--id 3"*) echo "third, 1000, 1.2";; *) echo "first, 2000, 1.2";; esac');
		expect((await nvidiaFacts())?.name).toBe('first');
		vi.stubEnv('CUDA_VISIBLE_DEVICES', '3,0');
		expect(await nvidiaFacts()).toEqual({
			name: 'third',
			memoryBytes: 1000 * 2 ** 20,
			driver: '1.2',
		});
	});

	it('is unknown where the tool fails or is not there', async () => {
		standIn('echo "NVIDIA-SMI has failed because it could not communicate"; exit 9');
		expect(await nvidiaFacts()).toBeNull();
		vi.stubEnv('PATH', temporaryFolder());
		expect(await nvidiaFacts()).toBeNull();
	});
});
