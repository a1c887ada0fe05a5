import { describe, expect, it } from 'vitest';
import { LiveProgress } from '../../src-main/runs/live-progress.ts';

function step(number: number): Parameters<LiveProgress['handle']>[0] {
	return {
		kind: 'step',
		step: number,
		envStep: 0,
		epoch: 0,
		wallTimeMs: 0,
		purpose: 'train',
		values: [{ key: 'speed/generate_tokens_per_second', value: 100 * number }],
	};
}

describe('live progress', () => {
	it('estimates the time left from the last steps', () => {
		const progress = new LiveProgress('r', 0, 0);
		progress.handle({ kind: 'started', totalSteps: 10, device: 'cpu' }, 1000);
		expect(progress.at(1500)).toMatchObject({
			step: 0,
			totalSteps: 10,
			secondsLeft: null,
			phase: 'loading',
		});
		progress.handle(
			{ kind: 'phase', phase: 'generating', step: 1, detail: 'turn 1', done: 1, total: 4 },
			1500,
		);
		progress.handle(step(1), 3000);
		progress.handle(step(2), 5000);
		expect(progress.at(5000)).toMatchObject({
			step: 2,
			secondsLeft: 16,
			tokensPerSecond: 200,
			phase: 'generating',
			detail: 'turn 1',
			done: 1,
			total: 4,
		});
		expect(progress.at(6000).secondsLeft).toBe(15);
	});

	it('is never negative, also when the clock is set back', () => {
		const progress = new LiveProgress('r', 2, 0);
		progress.handle({ kind: 'started', totalSteps: 2, device: 'cpu' }, 10_000);
		progress.handle(step(1), 5000);
		expect(progress.at(0).secondsLeft).toBeNull();
		progress.handle(step(2), 12_000);
		expect(progress.at(500_000).secondsLeft).toBe(0);
	});
});
