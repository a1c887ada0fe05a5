/** ONNX Runtime's own profile of all graphs that run in a piece of work, as milliseconds per kernel. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface NativeSession {
	loadModel(...args: readonly unknown[]): void;
	endProfiling(): void;
}

interface NativeBinding {
	InferenceSession: new () => NativeSession;
}

interface ProfileEvent {
	cat: string;
	name: string;
	/** Microseconds. */
	dur: number;
	args?: { op_name?: string };
}

/**
 * Kernel → milliseconds, largest first. Only graphs that are compiled within the work are seen, so models are
 * made there; what it returns frees them.
 */
export async function kernelProfile(work: () => Promise<() => void>): Promise<Map<string, number>> {
	const require = createRequire(import.meta.url);
	const { binding } = require('onnxruntime-node/dist/binding.js') as { binding: NativeBinding };
	const folder = mkdtempSync(join(tmpdir(), 'grove-profile-'));
	const sessions: NativeSession[] = [];
	const Plain = binding.InferenceSession;
	binding.InferenceSession = class extends Plain {
		override loadModel(...[bytes, offset, length, options]: readonly unknown[]): void {
			sessions.push(this);
			const profileFilePrefix = join(folder, `session-${sessions.length}`);
			super.loadModel(bytes, offset, length, {
				...(options as object),
				enableProfiling: true,
				profileFilePrefix,
			});
		}
	};
	try {
		const free = await work();
		// The files are written here.
		for (const session of sessions) session.endProfiling();
		free();
		return sumsPerKernel(folder);
	} finally {
		binding.InferenceSession = Plain;
		rmSync(folder, { recursive: true, force: true });
	}
}

function sumsPerKernel(folder: string): Map<string, number> {
	const sums = new Map<string, number>();
	for (const file of readdirSync(folder)) {
		const events = JSON.parse(readFileSync(join(folder, file), 'utf8')) as ProfileEvent[];
		for (const { cat, name, dur, args } of events) {
			if (cat !== 'Node' || !name.endsWith('_kernel_time')) continue;
			const kernel = args?.op_name ?? 'other';
			sums.set(kernel, (sums.get(kernel) ?? 0) + dur / 1000);
		}
	}
	return new Map([...sums].sort((a, b) => b[1] - a[1]));
}
