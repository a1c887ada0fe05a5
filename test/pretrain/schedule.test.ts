import { expect, test } from 'vitest';
import { learningRateAt } from '../../scripts/pretrain/schedule.ts';

test('the rate rises to its peak, then falls smoothly to a twentieth', () => {
	const rates = Array.from({ length: 1000 }, (_, step) => learningRateAt(step, 1000, 2));
	expect(rates[0]).toBeCloseTo(0.02);
	expect(Math.max(...rates)).toBeCloseTo(2);
	expect(rates[99]).toBeCloseTo(2);
	for (let step = 101; step < 1000; step++) {
		expect(rates[step]).toBeLessThanOrEqual(rates[step - 1] ?? 0);
	}
	expect(rates[999]).toBeCloseTo(0.1, 3);
});
