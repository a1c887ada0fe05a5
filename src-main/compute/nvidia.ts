/** What NVIDIA's own tool says of the GPU that this process would use. */
import { execFile } from 'node:child_process';
import process from 'node:process';

export interface NvidiaFacts {
	name: string;
	memoryBytes: number | null;
	/** Version of the driver. */
	driver: string;
}

/** One line of `--format=csv,noheader,nounits`: name, MiB, driver. Null for anything else. */
export function parseNvidiaLine(line: string): NvidiaFacts | null {
	const [name, megabytes, driver] = line.split(',').map((part) => part.trim());
	if (name === undefined || name === '' || driver === undefined || driver === '') return null;
	// Some boards say "[N/A]": their memory is the machine's.
	const size = Number(megabytes);
	return { name, memoryBytes: Number.isFinite(size) && size > 0 ? size * 2 ** 20 : null, driver };
}

/** The first GPU that CUDA_VISIBLE_DEVICES leaves; null where there is no driver or no such tool. */
export function nvidiaFacts(): Promise<NvidiaFacts | null> {
	const [visible = ''] = (process.env.CUDA_VISIBLE_DEVICES ?? '').split(',');
	const which = /^(?:\d+|GPU-[\w-]+)$/u.test(visible.trim()) ? ['--id', visible.trim()] : [];
	const query = ['--query-gpu=name,memory.total,driver_version', '--format=csv,noheader,nounits'];
	return new Promise((resolve) => {
		execFile('nvidia-smi', [...query, ...which], { timeout: 5000 }, (error, stdout) => {
			resolve(error === null ? parseNvidiaLine(stdout.split('\n')[0] ?? '') : null);
		});
	});
}
