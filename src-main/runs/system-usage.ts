import { cpuUsage, memoryUsage } from 'node:process';
import type { MetricValue } from '../contract/events.ts';

/** Use of the processor since the last call, of memory, and of a GPU's memory. `nowMs` is any monotonic or wall clock. */
export class SystemUsage {
	readonly #deviceBytes: () => number | null;
	#cpu = cpuUsage();
	#atMs: number;

	/** `deviceBytes`: what the device holds at present; null where it has no memory of its own. */
	constructor(nowMs: number, deviceBytes: () => number | null) {
		this.#atMs = nowMs;
		this.#deviceBytes = deviceBytes;
	}

	read(nowMs: number): MetricValue[] {
		const spent = cpuUsage(this.#cpu);
		const elapsedMs = nowMs - this.#atMs;
		this.#cpu = cpuUsage();
		this.#atMs = nowMs;
		const metrics: MetricValue[] = [{ key: 'system/memory', value: memoryUsage.rss() }];
		const deviceBytes = this.#deviceBytes();
		if (deviceBytes !== null) metrics.push({ key: 'system/gpu_memory', value: deviceBytes });
		// A clock set back leaves no meaningful share.
		if (elapsedMs > 0) {
			const share = (spent.user + spent.system) / 1000 / elapsedMs;
			metrics.unshift({ key: 'system/cpu', value: share });
		}
		return metrics;
	}
}
