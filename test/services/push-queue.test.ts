import { describe, expect, it } from 'vitest';
import type { RunProgress } from '../../src-main/contract/requests.ts';
import type { Push } from '../../src-main/services/publisher.ts';
import { PushQueue } from '../../src-main/services/push-queue.ts';

const progress = (runId: string, step: number): Push => ({
	name: 'run.progress',
	payload: { runId, step } as RunProgress,
});
const step = (runId: string, at: number): Push => ({
	name: 'run.step',
	payload: { runId, step: at, envStep: at, epoch: 0, wallTimeMs: 0, purpose: 'train', values: [] },
});
const changed = (ids: string[], revision: number): Push => ({
	name: 'runs.changed',
	payload: { ids, revision },
});

describe('the queue of a slow client', () => {
	it('keeps the last word on each run and all its steps', () => {
		const queue = new PushQueue();
		for (const push of [
			progress('a', 1),
			step('a', 1),
			progress('b', 1),
			progress('a', 2),
			step('a', 2),
		])
			queue.add(push);
		expect(queue.take()).toEqual([step('a', 1), step('a', 2), progress('b', 1), progress('a', 2)]);
		expect(queue.take()).toEqual([]);
	});

	it('merges what changed; everything swallows something', () => {
		const queue = new PushQueue();
		queue.add(changed(['a'], 1));
		queue.add(changed(['b', 'a'], 3));
		expect(queue.take()).toEqual([changed(['a', 'b'], 3)]);
		queue.add(changed([], 4));
		queue.add(changed(['c'], 5));
		expect(queue.take()).toEqual([changed([], 5)]);
	});

	it('stays bounded, and says that something was left out', () => {
		const queue = new PushQueue({ entries: 100, ids: 10 });
		for (let i = 0; i < 100_000; i++) {
			queue.add(step(`run-${i % 7}`, i));
			queue.add(progress(`run-${i}`, i));
			queue.add(changed([`run-${i}`], i));
			queue.add({ name: 'notice', payload: { level: 'info', text: String(i) } });
			queue.add({
				name: 'run.log',
				payload: {
					runId: 'a',
					line: { id: i, timeMs: 0, level: 'info', source: '', step: 0, text: '' },
				},
			});
			if (i % 1000 === 0) expect(queue.size).toBeLessThanOrEqual(311);
		}
		expect(queue.take()[0]).toEqual(changed([], 99_999));
	});
});
