import { journalDescriptor } from './protocol.ts';
import { flagMemory } from './journal.ts';

const lookEveryMs = 40;

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/**
 * Ends this process when the trainer is gone, or when it holds more memory than allowed beyond what it
 * started with. The heap limit of V8 does not count typed arrays and buffers; the resident size does.
 */
export function watchProcess(memoryLimitMb: number, trainerPid: number): void {
	const limit = process.memoryUsage.rss() + memoryLimitMb * 1024 * 1024;
	setInterval(() => {
		if (process.ppid !== trainerPid && !isAlive(trainerPid)) process.kill(process.pid, 'SIGKILL');
		if (process.memoryUsage.rss() > limit) {
			flagMemory(journalDescriptor);
			process.kill(process.pid, 'SIGKILL');
		}
	}, lookEveryMs);
}
