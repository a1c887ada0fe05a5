import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface SpawnHostOptions {
	/** Where the task's code runs. */
	folder: string;
	/** Limit of the JavaScript heap, and of the resident memory beyond a fresh process's. */
	memoryLimitMb: number;
	/** Open file that becomes descriptor 4 of the process; its descriptor 3 is a socket. */
	journal: number;
}

/** Starts a task's process. Another one may be passed where Node's executable is found differently. */
export type SpawnHost = (options: SpawnHostOptions) => ChildProcess;

/** A child of this process, by its own executable; Electron's runs as Node when told so. */
export const spawnNodeHost: SpawnHost = ({ folder, memoryLimitMb, journal }) =>
	spawn(
		process.execPath,
		[
			`--max-old-space-size=${memoryLimitMb}`,
			// Remarks about how Node loads a file without package.json are nothing of the task's.
			'--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
			'--disable-warning=ExperimentalWarning',
			fileURLToPath(new URL('./host/host-process.ts', import.meta.url)),
			String(memoryLimitMb),
			String(process.pid),
		],
		{
			cwd: folder,
			env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
			stdio: ['ignore', 'pipe', 'pipe', 'pipe', journal],
			windowsHide: true,
		},
	);
