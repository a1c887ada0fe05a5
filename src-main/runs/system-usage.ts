import { cpuUsage, memoryUsage } from 'node:process';
import type { MetricValue } from '../contract/events.ts';

/** Processor and memory use of this process since the last call. `nowMs` is any monotonic or wall clock. */
export class SystemUsage {
	#cpu = cpuUsage();
	#atMs: number;

	constructor(nowMs: number) {
		this.#atMs = nowMs;
	}

	read(nowMs: number): MetricValue[] {
		const spent = cpuUsage(this.#cpu);
		const elapsedMs = nowMs - this.#atMs;
		this.#cpu = cpuUsage();
		this.#atMs = nowMs;
		const memory: MetricValue = { key: 'system/memory', value: memoryUsage.rss() };
		// A clock set back leaves no meaningful share.
		if (elapsedMs <= 0) return [memory];
		return [{ key: 'system/cpu', value: (spent.user + spent.system) / 1000 / elapsedMs }, memory];
	}
}
